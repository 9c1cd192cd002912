import { SimpleGrid, Stack } from '@mantine/core'
import {
  freeSpinsAmountMax,
  freeSpinsBankMax,
  freeSpinsMinutesMax,
  freeSpinsMinutesMin,
} from '../../../../src/free-spin-rule/free-spin-limits.ts'
import { type FreeSpinRule, minutesOf } from '../../../../src/free-spin-rule/free-spin-rule.ts'
import type { FieldError } from '../../../../src/http/answers/shapes.ts'
import { DurationField } from '../../parts/duration-field.tsx'
import { Select } from '../../parts/inputs.tsx'
import { NumberField } from '../../parts/number-field.tsx'
import { ClockField, MomentField } from '../../parts/time-fields.tsx'
import { habits, t } from '../../texts.ts'
import { errorAt } from '../editor/checks.tsx'
import { Milestones } from './milestones.tsx'

type FieldsProps = {
  rule: FreeSpinRule
  /** That of the wheel. */
  timeZone: string
  errors: readonly FieldError[]
  endProblem: string | null
  isReadOnly: boolean
  onChange: (rule: FreeSpinRule) => void
}

export function FreeSpinFields({ rule, timeZone, errors, endProblem, isReadOnly, onChange }: FieldsProps) {
  const set = (change: Partial<FreeSpinRule>) => onChange({ ...rule, ...change })
  const unit = t(`free.unit.${rule.every === 'day' || rule.every === 'week' ? rule.every : 'other'}`)
  const problemOf = (name: keyof FreeSpinRule) => errorAt(errors, `/freeSpins/${name}`)
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberField
          label={t('free.amount')}
          value={rule.amount}
          min={1}
          max={freeSpinsAmountMax}
          error={problemOf('amount')}
          onChange={(amount) => set({ amount })}
        />
        <Choice
          label={t('free.every')}
          options={named(['day', 'week', 'hours'])}
          value={minutesOf(rule.every) === undefined ? rule.every : 'hours'}
          isReadOnly={isReadOnly}
          onChange={(name) => set(name === 'hours' ? everyFewHours : { every: name })}
        />
        <PeriodFields {...{ rule, isReadOnly, set, problemOf }} />
        <NumberField
          label={t('free.bank', { unit })}
          description={t('free.bankText', { unit })}
          value={rule.bank}
          min={1}
          max={freeSpinsBankMax}
          error={problemOf('bank')}
          onChange={(bank) => set({ bank })}
        />
        <Choice
          label={t('free.collect')}
          options={named(['visit', 'play'])}
          value={rule.on}
          isReadOnly={isReadOnly}
          onChange={(on) => set({ on: on as FreeSpinRule['on'] })}
        />
        <MomentField
          label={t('free.endsAt')}
          zone={timeZone}
          value={rule.endsAt ?? undefined}
          error={endProblem ?? problemOf('endsAt')}
          onChange={(endsAt) => set({ endsAt: endsAt ?? null })}
        />
      </SimpleGrid>
      <Milestones
        steps={rule.streaks}
        unit={unit}
        error={problemOf('streaks')}
        isReadOnly={isReadOnly}
        onChange={(streaks) => set({ streaks })}
      />
    </Stack>
  )
}

/** Durations have no time of day and no time zone. */
const everyFewHours = { every: 'PT4H', at: '00:00', weekday: 1, zone: 'wheel' } as const

/** When a day, a week or another period begins. */
function PeriodFields(props: {
  rule: FreeSpinRule
  isReadOnly: boolean
  set: (change: Partial<FreeSpinRule>) => void
  problemOf: (name: keyof FreeSpinRule) => string | null
}) {
  const { rule, isReadOnly, set, problemOf } = props
  const minutes = minutesOf(rule.every)
  if (minutes !== undefined)
    return (
      <DurationField
        label={t('free.length')}
        description={t('free.lengthText')}
        value={minutes * 60}
        minSeconds={freeSpinsMinutesMin * 60}
        maxSeconds={freeSpinsMinutesMax * 60}
        error={problemOf('every')}
        disabled={isReadOnly}
        onChange={(seconds) => set({ every: durationOf(seconds / 60) })}
      />
    )
  return (
    <>
      {rule.every === 'week' ? (
        <Choice
          label={t('free.weekday')}
          options={weekdays}
          value={String(rule.weekday)}
          isReadOnly={isReadOnly}
          onChange={(day) => set({ weekday: Number(day) })}
        />
      ) : null}
      <ClockField
        label={t(rule.every === 'week' ? 'free.weekAt' : 'free.at')}
        value={rule.at}
        error={problemOf('at')}
        onChange={(at) => set({ at })}
      />
      <Choice
        label={t('free.zone')}
        options={named(['wheel', 'player'])}
        value={rule.zone}
        isReadOnly={isReadOnly}
        onChange={(zone) => set({ zone: zone as FreeSpinRule['zone'] })}
      />
    </>
  )
}

function Choice(props: {
  label: string
  options: { value: string; label: string }[]
  value: string
  isReadOnly: boolean
  onChange: (value: string) => void
}) {
  const { label, options, value, isReadOnly, onChange } = props
  return (
    <Select
      label={label}
      data={options}
      value={value}
      allowDeselect={false}
      disabled={isReadOnly}
      onChange={(name) => name !== null && onChange(name)}
    />
  )
}

function named(names: readonly string[]): { value: string; label: string }[] {
  return names.map((name) => ({ value: name, label: t(`free.choice.${name}` as 'free.choice.day') }))
}

const weekdayNames = new Intl.DateTimeFormat(habits, { weekday: 'long', timeZone: 'UTC' })

/** The 1st of January 2024 was a Monday. */
const weekdays = [1, 2, 3, 4, 5, 6, 7].map((day) => ({
  value: String(day),
  label: weekdayNames.format(new Date(Date.UTC(2024, 0, day))),
}))

/** Such as `PT4H` or `PT90M`. */
function durationOf(minutes: number): string {
  return minutes % 60 === 0 ? `PT${minutes / 60}H` : `PT${minutes}M`
}
