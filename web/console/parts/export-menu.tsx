import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { useApi, useMay } from '../session.tsx'
import { habits, t, type TextKey } from '../texts.ts'
import { download } from './download.ts'
import { Icon } from './icons.tsx'
import { tellProblem } from './notify.ts'
import { decimalSeparator } from './numbers.ts'

const formats = ['xlsx', 'csv'] as const
/** What the server writes as a file. The name is without its ending. */
type ServerFile = { path: string; name: string; label?: string }

/** Saves what the server writes as a workbook or as CSV for Excel in this person's country. */
export function FileMenu(props: { files: readonly ServerFile[]; label: TextKey; size?: 'xs' | 'sm' }) {
  const api = useApi()
  const { files, label, size = 'sm' } = props
  const [isRunning, setRunning] = useState(false)
  const save = async ({ path, name }: ServerFile, format: (typeof formats)[number]) => {
    const query = new URLSearchParams({ format, ...(format === 'csv' ? csvForExcel() : {}) })
    setRunning(true)
    await download(api, `${path}${path.includes('?') ? '&' : '?'}${query}`, `${name}.${format}`)
      .catch(tellProblem)
      .finally(() => setRunning(false))
  }
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          variant="default"
          size={size}
          loading={isRunning}
          leftSection={<Icon name="import" size={size === 'xs' ? 14 : 16} />}
        >
          {t(label)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map((format) => [
          files.length > 1 ? <Menu.Label key={format}>{t(`export.${format}`)}</Menu.Label> : null,
          ...files.map((file) => (
            <Menu.Item key={`${format} ${file.name}`} onClick={() => void save(file, format)}>
              {files.length > 1 ? file.label : t(`export.${format}`)}
            </Menu.Item>
          )),
        ])}
      </Menu.Dropdown>
    </Menu>
  )
}

type ExportName = 'players' | 'ledger' | 'plays' | 'prizes' | 'audit-log' | 'codes'

/** Saves a list as a file, with the filters that are set. Only for the roles that may. */
export function ExportMenu(props: {
  list: ExportName
  filters?: Record<string, string | undefined>
  size?: 'xs' | 'sm'
}) {
  const { list, filters = {}, size = 'sm' } = props
  const may = useMay()
  if (!may.edit) return null
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters))
    if (value !== undefined && value !== '') query.set(name, value)
  const day = new Date().toLocaleDateString('sv-SE')
  const path = `/api/v1/exports/${list}`
  const file = { path: query.size === 0 ? path : `${path}?${query}`, name: `${list}-${day}` }
  return <FileMenu files={[file]} label="export.action" size={size} />
}

/** Excel takes the separator from the country: a semicolon where the comma is in numbers. */
function csvForExcel(): Record<string, string> {
  const isComma = decimalSeparator(habits) === ','
  return { bom: 'true', ...(isComma ? { separator: 'semicolon', decimal: 'comma' } : {}) }
}
