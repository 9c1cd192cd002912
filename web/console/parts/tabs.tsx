/** Tabs whose choice stands in the address, so that it can be sent to a colleague and survives a reload. */
import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'

type Tab = { value: string; label: string; icon?: ReactNode; content: ReactNode }

export function AddressTabs({ tabs, name = 'tab', label }: { tabs: Tab[]; name?: string; label: string }) {
  const [params, setParams] = useSearchParams()
  const [first] = tabs
  const chosen = tabs.find((tab) => tab.value === params.get(name)) ?? first
  const choose = (value: string | null) =>
    setParams(
      (now) => {
        if (value === null || value === first?.value) now.delete(name)
        else now.set(name, value)
        return now
      },
      { replace: true },
    )
  return (
    <Tabs value={chosen?.value ?? null} onChange={choose} keepMounted={false}>
      <Tabs.List mb="lg" aria-label={label} style={{ overflowX: 'auto', flexWrap: 'nowrap' }}>
        {tabs.map((tab) => (
          <Tabs.Tab key={tab.value} value={tab.value} leftSection={tab.icon} style={{ flex: 'none' }}>
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
