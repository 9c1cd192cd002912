import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { useApi, useMay } from '../session.tsx'
import { habits, t } from '../texts.ts'
import { download } from './download.ts'
import { Icon } from './icons.tsx'
import { tellProblem } from './notify.ts'
import { decimalSeparator } from './numbers.ts'

type ExportName = 'players' | 'ledger' | 'plays' | 'prizes' | 'audit-log' | 'codes'

/** Saves a list as a file, with the filters that are set. Only for the roles that may. */
export function ExportMenu(props: {
  list: ExportName
  filters?: Record<string, string | undefined>
  size?: 'xs' | 'sm'
}) {
  const api = useApi()
  const may = useMay()
  const [isRunning, setRunning] = useState(false)
  if (!may.edit) return null
  const save = async (format: 'xlsx' | 'csv') => {
    const query = new URLSearchParams({ format, ...(format === 'csv' ? csvForExcel() : {}) })
    for (const [name, value] of Object.entries(props.filters ?? {}))
      if (value !== undefined && value !== '') query.set(name, value)
    const day = new Date().toLocaleDateString('sv-SE')
    setRunning(true)
    await download(api, `/api/v1/exports/${props.list}?${query}`, `${props.list}-${day}.${format}`)
      .catch(tellProblem)
      .finally(() => setRunning(false))
  }
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          variant="default"
          size={props.size ?? 'sm'}
          loading={isRunning}
          leftSection={<Icon name="import" size={16} />}
        >
          {t('export.action')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void save('xlsx')}>{t('export.xlsx')}</Menu.Item>
        <Menu.Item onClick={() => void save('csv')}>{t('export.csv')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Excel takes the separator from the country: a semicolon where the comma is in numbers. */
function csvForExcel(): Record<string, string> {
  return { bom: 'true', separator: decimalSeparator(habits) === ',' ? 'semicolon' : 'comma' }
}
