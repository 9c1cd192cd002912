/** Tabs whose selection is part of the URL, so that it can be shared and survives a reload. */
import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { useSearchParams } from './search-params.ts'

type Tab = { value: string; label: string; icon?: ReactNode; content: ReactNode }

export function AddressTabs({
  tabs,
  name = 'tab',
  label,
  mayLeave = () => true,
}: {
  tabs: Tab[]
  name?: string
  label: string
  /** Asked before another tab is shown. Text of this tab that is not stored is lost then. */
  mayLeave?: () => boolean
}) {
  const [params, setParams] = useSearchParams()
  const [first] = tabs
  const chosen = tabs.find((tab) => tab.value === params.get(name)) ?? first
  const choose = (value: string | null) => {
    if (!mayLeave()) return
    setParams(
      (now) => {
        if (value === null || value === first?.value) now.delete(name)
        else now.set(name, value)
        return now
      },
      { replace: true },
    )
  }
  return (
    <Tabs value={chosen?.value ?? null} onChange={choose} keepMounted={false}>
      <Tabs.List mb="lg" aria-label={label} style={{ overflowX: 'auto', flexWrap: 'nowrap' }}>
        {tabs.map((tab) => (
          <Tabs.Tab key={tab.value} value={tab.value} leftSection={tab.icon} px="sm" style={{ flex: 'none' }}>
            {tab.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((tab) => (
        <Tabs.Panel key={tab.value} value={tab.value}>
          {tab.content}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
