import { Table } from '@mantine/core'
import { visibleText } from '../../../../src/visible-text.ts'
import { NativeSelect } from '../../parts/inputs.tsx'
import { t } from '../../texts.ts'
import type { CsvRow } from './csv-rows.ts'

const linesShown = 5

/** The first lines of a file, with the choice of what each column contains. */
export function FirstLines<Field extends string>(props: {
  rows: readonly CsvRow[]
  hasHead: boolean
  isFixed: boolean
  fields: readonly { value: Field; label: string }[]
  fieldOf: (column: number) => Field | undefined
  onField: (column: number, field: Field | '') => void
}) {
  const { rows, hasHead, isFixed, fields, fieldOf, onField } = props
  const width = Math.max(...rows.slice(0, linesShown).map(({ cells }) => cells.length))
  const columns = Array.from({ length: width }, (_, index) => index)
  return (
    <div className="scroll" tabIndex={0} role="group" aria-label={t('import.columns')}>
      <Table className="table" aria-label={t('import.firstLines')}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column} miw={160}>
                <NativeSelect
                  aria-label={t('import.column', { number: String(column + 1) })}
                  data={[{ value: '', label: t('import.unused') }, ...fields]}
                  value={fieldOf(column) ?? ''}
                  disabled={isFixed}
                  onChange={(event) => onField(column, event.currentTarget.value as Field | '')}
                />
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.slice(0, linesShown).map((row, line) => (
            <Table.Tr key={row.line} {...(hasHead && line === 0 ? { c: 'dimmed' } : {})}>
              {columns.map((column) => (
                <Table.Td key={column} className="wrap-anywhere">
                  {visibleText((row.cells[column] ?? '').slice(0, 60))}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
