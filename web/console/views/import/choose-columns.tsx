/** Which column of a file has which field, with the first lines of the file to look at. */
import { Alert, Checkbox, Group, Paper, Table, Text, Title } from '@mantine/core'
import { visibleText } from '../../../../src/visible-text.ts'
import { Icon } from '../../parts/icons.tsx'
import { NativeSelect } from '../../parts/inputs.tsx'
import { t, textOf } from '../../texts.ts'
import { type GrantField, grantFields, isComplete, type Layout } from './grant-file.ts'
import type { Job } from './grant-import.ts'
import { type DayOrder, dayOrders } from './written-days.ts'

const linesShown = 5

type Props = {
  job: Pick<Job, 'rows' | 'layout'>
  isFixed: boolean
  onChange: (layout: Layout) => void
}

export function ChooseColumns(props: Props) {
  const { isFixed, onChange } = props
  const { layout } = props.job
  return (
    <Paper component="section" aria-labelledby="columns-title">
      <Title order={2} id="columns-title" mb="xs">
        {t('import.columns')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('import.columnsText')}
      </Text>
      <Group align="flex-end" mb="md">
        <Checkbox
          label={t('import.hasHead')}
          checked={layout.hasHead}
          disabled={isFixed}
          onChange={(event) => onChange({ ...layout, hasHead: event.currentTarget.checked })}
        />
        {layout.columns.expiresAt < 0 ? null : (
          <NativeSelect
            label={t('import.dayOrder')}
            data={dayOrders.map((order) => ({ value: order, label: textOf(`import.${order}`) }))}
            value={layout.dayOrder}
            disabled={isFixed}
            onChange={(event) => onChange({ ...layout, dayOrder: event.currentTarget.value as DayOrder })}
          />
        )}
      </Group>
      <FirstLines {...props} />
      {isComplete(layout) ? null : (
        <Alert color="orange" variant="light" icon={<Icon name="warning" />} mt="md" role="status">
          {t('import.chooseColumns')}
        </Alert>
      )}
    </Paper>
  )
}

function FirstLines({ job: { rows, layout }, isFixed, onChange }: Props) {
  return (
    <div className="scroll" tabIndex={0} role="group" aria-label={t('import.columns')}>
      <Table className="table" aria-label={t('import.firstLines')}>
        <Table.Thead>
          <Table.Tr>
            {columnsOf(rows).map((index) => (
              <Table.Th key={index} miw={160}>
                <NativeSelect
                  aria-label={t('import.column', { number: String(index + 1) })}
                  data={[
                    { value: '', label: t('import.unused') },
                    ...grantFields.map((field) => ({ value: field, label: textOf(`import.${field}`) })),
                  ]}
                  value={grantFields.find((field) => layout.columns[field] === index) ?? ''}
                  disabled={isFixed}
                  onChange={(event) =>
                    onChange(withColumn(layout, index, event.currentTarget.value as GrantField | ''))
                  }
                />
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.slice(0, linesShown).map((row, line) => (
            <Table.Tr key={row.line} {...(layout.hasHead && line === 0 ? { c: 'dimmed' } : {})}>
              {columnsOf(rows).map((index) => (
                <Table.Td key={index} className="wrap-anywhere">
                  {visibleText((row.cells[index] ?? '').slice(0, 60))}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

function columnsOf(rows: Job['rows']): number[] {
  const width = Math.max(...rows.slice(0, linesShown).map(({ cells }) => cells.length))
  return Array.from({ length: width }, (_, index) => index)
}

/** A field has one column, and a column one field. */
function withColumn(layout: Layout, index: number, chosen: GrantField | ''): Layout {
  const columns = { ...layout.columns }
  for (const field of grantFields) {
    if (columns[field] === index) columns[field] = -1
    if (field === chosen) columns[field] = index
  }
  return { ...layout, columns }
}
