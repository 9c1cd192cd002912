/** Which column of a file has which field, with the first lines of the file to look at. */
import { Alert, Checkbox, Group, Paper, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { NativeSelect } from '../../parts/inputs.tsx'
import { formatDate, habits, t, textOf } from '../../texts.ts'
import { FirstLines } from './first-lines.tsx'
import { expiryTexts, type GrantField, grantFields, isComplete, type Layout } from './grant-file.ts'
import type { Job as GrantJob } from './grant-import.ts'
import {
  ambiguousDay,
  type DayOrder,
  dayOrderOf,
  dayOrders,
  guessDayOrder,
  readWrittenDay,
} from './written-days.ts'

type Job = Pick<GrantJob, 'rows' | 'layout'>
type Props = {
  job: Job
  isFixed: boolean
  onChange: (layout: Layout) => void
}

export function ChooseColumns(props: Props) {
  const { isFixed, onChange } = props
  const { rows, layout } = props.job
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
      <DaysRead rows={rows} layout={layout} />
      <FirstLines
        rows={rows}
        hasHead={layout.hasHead}
        isFixed={isFixed}
        fields={grantFields.map((field) => ({ value: field, label: textOf(`import.${field}`) }))}
        fieldOf={(column) => grantFields.find((field) => layout.columns[field] === column)}
        onField={(column, field) => onChange(withColumn(rows, layout, { column, field }))}
      />
      {isComplete(layout) ? null : (
        <Alert color="orange" variant="light" icon={<Icon name="warning" />} mt="md" role="status">
          {t('import.chooseColumns')}
        </Alert>
      )}
    </Paper>
  )
}

/** How a day of the file is read. A file that could mean other days asks for a look. */
function DaysRead({ rows, layout }: Job) {
  const texts = useMemo(() => expiryTexts(rows, layout), [rows, layout])
  const { dayOrder } = layout
  const ambiguous = useMemo(() => ambiguousDay(texts, dayOrder), [texts, dayOrder])
  const example = ambiguous ?? texts.find((text) => readWrittenDay(text, dayOrder) !== undefined)
  if (example === undefined) return null
  const day = formatDate(readWrittenDay(example, dayOrder)?.slice(0, 10) ?? '')
  const reading = t('import.readAs', { text: example, day })
  if (ambiguous === undefined)
    return (
      <Text size="sm" c="dimmed" mb="md">
        {reading}
      </Text>
    )
  return (
    <Alert color="orange" variant="light" icon={<Icon name="warning" />} mb="md" role="status">
      {reading} {t('import.ambiguous')}
    </Alert>
  )
}

/** A field has one column, and a column one field. */
function withColumn(
  rows: Job['rows'],
  layout: Layout,
  { column, field: chosen }: { column: number; field: GrantField | '' },
): Layout {
  const columns = { ...layout.columns }
  for (const field of grantFields) {
    if (columns[field] === column) columns[field] = -1
    if (field === chosen) columns[field] = column
  }
  const next = { ...layout, columns }
  if (chosen !== 'expiresAt') return next
  return { ...next, dayOrder: guessDayOrder(expiryTexts(rows, next), dayOrderOf(habits)) }
}
