import { Checkbox, SimpleGrid, Stack } from '@mantine/core'
import { checkHoursDefault } from '../../../../../src/prize-kinds/hold-rule.ts'
import { MoneyField, NumberField } from '../../../parts/number-field.tsx'
import { t } from '../../../texts.ts'
import { changed } from '../draft/change.ts'
import { countMax, type SegmentFields } from './segment-fields.ts'

type HoldRule = NonNullable<SegmentFields['segment']['hold']>

/** Whether staff check the prize before the player gets it: always, or under conditions. */
export function PrizeHold({ segment: { hold }, set, problemOf }: SegmentFields) {
  return (
    <Stack gap="xs">
      <Checkbox
        label={t('field.hold')}
        description={t('hold.text')}
        checked={hold !== undefined}
        error={problemOf('hold')}
        onChange={({ target }) => set({ hold: target.checked ? {} : undefined })}
      />
      {hold === undefined ? null : (
        <Conditions hold={hold} problemOf={problemOf} onChange={(next) => set({ hold: next })} />
      )}
    </Stack>
  )
}

function Conditions(props: {
  hold: HoldRule
  problemOf: SegmentFields['problemOf']
  onChange: (hold: HoldRule) => void
}) {
  const { hold, problemOf } = props
  const set = (changes: { [K in keyof HoldRule]: HoldRule[K] | undefined }) =>
    props.onChange(changed(hold, changes))
  const ofCost = 'hold/costPerDay' as 'hold'
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" role="group" aria-label={t('hold.conditions')}>
      <NumberField
        label={t('field.newPlayerHours')}
        placeholder={t('hold.noCondition')}
        value={hold.newPlayerHours}
        canBeEmpty
        min={1}
        max={8_760}
        onChange={(newPlayerHours) => set({ newPlayerHours })}
      />
      <NumberField
        label={t('field.winsPerDay')}
        placeholder={t('hold.noCondition')}
        value={hold.winsPerDay}
        canBeEmpty
        min={1}
        max={1_000}
        onChange={(winsPerDay) => set({ winsPerDay })}
      />
      <MoneyField
        label={t('field.costPerDay')}
        placeholder={t('hold.noCondition')}
        value={hold.costPerDay}
        canBeEmpty
        min={0}
        max={countMax}
        error={problemOf(ofCost)}
        onChange={(costPerDay) => set({ costPerDay })}
      />
      <NumberField
        label={t('field.checkHours')}
        placeholder={String(checkHoursDefault)}
        value={hold.checkHours}
        canBeEmpty
        min={1}
        max={720}
        onChange={(checkHours) => set({ checkHours })}
      />
    </SimpleGrid>
  )
}
