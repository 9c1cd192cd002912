import type { TextInputProps } from '@mantine/core'
import { useMemo, useState } from 'react'
import { t } from '../texts.ts'
import { largestUnitOf, type Unit, units, unitSeconds } from './durations.ts'
import { NativeSelect } from './inputs.tsx'
import { NumberField } from './number-field.tsx'
import { useSteady } from './steady.ts'

/** A duration as a whole number and its unit. The stored seconds are always shown exactly. */
export function DurationField(
  props: Pick<TextInputProps, 'description' | 'placeholder' | 'disabled' | 'error'> & {
    label: string
    value: number | undefined
    minSeconds: number
    maxSeconds: number
    /** The smallest unit that can be chosen; minutes by default. */
    wholeUnit?: Unit
  } & (
      | { canBeEmpty: true; onChange: (seconds: number | undefined) => void }
      | { canBeEmpty?: false; onChange: (seconds: number) => void }
    ),
) {
  const { value, minSeconds, maxSeconds, wholeUnit = 'minutes', canBeEmpty, onChange, ...input } = props
  const [unit, setUnit] = useState(() => largestUnitOf(value ?? unitSeconds.days))
  // Undo, for example, may bring a value that this unit can't show.
  if (value !== undefined && value % unitSeconds[unit] !== 0) setUnit(largestUnitOf(value))
  const size = unitSeconds[unit]
  const hand = onChange as (seconds: number | undefined) => void
  const { choose } = useSteady({
    choose: (next: Unit) => {
      setUnit(next)
      if (value === undefined) return
      hand(Math.min(maxSeconds, Math.max(minSeconds, (value / size) * unitSeconds[next])))
    },
  })
  const { label, disabled = false } = props
  const choice = useMemo(
    () => <UnitChoice {...{ label, disabled, unit, wholeUnit, choose }} />,
    [label, disabled, unit, wholeUnit, choose],
  )
  return (
    <NumberField
      {...input}
      value={value === undefined ? undefined : value / size}
      min={Math.ceil(minSeconds / size)}
      max={Math.floor(maxSeconds / size)}
      {...(canBeEmpty === true ? { canBeEmpty } : {})}
      onChange={(count: number | undefined) => hand(count === undefined ? undefined : count * size)}
      rightSectionWidth={100}
      rightSection={choice}
    />
  )
}

/** A whole number of hours or days; null for never. */
export function DurationOrNever(
  props: Pick<TextInputProps, 'description' | 'placeholder' | 'disabled'> & {
    label: string
    unit: 'hours' | 'days'
    value: number | null
    max: number
    onChange: (value: number | null) => void
  },
) {
  const { unit, value, max, onChange, placeholder = t('time.never'), ...input } = props
  const size = unitSeconds[unit]
  return (
    <DurationField
      {...input}
      placeholder={placeholder}
      value={value === null ? undefined : value * size}
      canBeEmpty
      wholeUnit={unit}
      minSeconds={size}
      maxSeconds={max * size}
      onChange={(seconds) => onChange(seconds === undefined ? null : seconds / size)}
    />
  )
}

function UnitChoice(props: {
  label: string
  disabled: boolean
  unit: Unit
  wholeUnit: Unit
  choose: (unit: Unit) => void
}) {
  const { label, disabled, unit, wholeUnit, choose } = props
  return (
    <NativeSelect
      variant="unstyled"
      // Otherwise it would inherit the width of our own right section.
      rightSectionWidth={28}
      w={92}
      aria-label={t('duration.unit', { label })}
      value={unit}
      disabled={disabled}
      data={units
        .filter((one) => unitSeconds[one] >= unitSeconds[wholeUnit] || unit === one)
        .map((one) => ({ value: one, label: t(`duration.${one}`) }))}
      onChange={(event) => choose(event.currentTarget.value as Unit)}
    />
  )
}
