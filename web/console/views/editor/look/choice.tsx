/** A labelled choice of a few values. */
import { SegmentedControl, Text } from '@mantine/core'
import { t } from '../../../texts.ts'

type Field = 'pointer' | 'direction' | 'widths' | 'address'

export function Choice<
  Value extends
    | 'top'
    | 'right'
    | 'bottom'
    | 'left'
    | 'clockwise'
    | 'counterclockwise'
    | 'equal'
    | 'weight'
    | 'informal'
    | 'formal',
>(props: {
  field: Field
  values: readonly Value[]
  /** The first value unless another one is chosen. */
  value: Value | undefined
  isReadOnly: boolean
  onChange: (value: Value) => void
}) {
  const { field, values, value, isReadOnly, onChange } = props
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {t(`field.${field}`)}
      </Text>
      <SegmentedControl
        aria-label={t(`field.${field}`)}
        disabled={isReadOnly}
        value={value ?? (values[0] as Value)}
        onChange={onChange}
        data={values.map((one) => ({ value: one, label: t(`look.${one}`) }))}
      />
    </div>
  )
}
