/** Which column of a file has which field, with the first lines of the file to look at. */
import { Alert, Checkbox, Group, Paper, Text, Title } from '@mantine/core'
import { Icon } from '../../parts/icons.tsx'
import { NativeSelect } from '../../parts/inputs.tsx'
import { t, textOf } from '../../texts.ts'
import { FirstLines } from './first-lines.tsx'
import { type GrantField, grantFields, isComplete, type Layout } from './grant-file.ts'
import type { Job } from './grant-import.ts'
import { type DayOrder, dayOrders } from './written-days.ts'

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
      <FirstLines
        rows={props.job.rows}
        hasHead={layout.hasHead}
        isFixed={isFixed}
        fields={grantFields.map((field) => ({ value: field, label: textOf(`import.${field}`) }))}
        fieldOf={(column) => grantFields.find((field) => layout.columns[field] === column)}
        onField={(column, field) => onChange(withColumn(layout, column, field))}
      />
      {isComplete(layout) ? null : (
        <Alert color="orange" variant="light" icon={<Icon name="warning" />} mt="md" role="status">
          {t('import.chooseColumns')}
        </Alert>
      )}
    </Paper>
  )
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
