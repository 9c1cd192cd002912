import type { SelectProps } from '@mantine/core'
import { useMemo } from 'react'
import { Select } from './inputs.tsx'

const zones = Intl.supportedValuesOf('timeZone')

/** A time zone, found by typing a part of its name, such as "new york". */
export function ZoneField({
  value,
  onChange,
  ...input
}: Pick<SelectProps, 'label' | 'description' | 'disabled' | 'error' | 'maw'> & {
  value: string
  onChange: (zone: string) => void
}) {
  const choices = useMemo(
    () =>
      (zones.includes(value) ? zones : [value, ...zones]).map((zone) => ({
        value: zone,
        label: named(zone),
      })),
    [value],
  )
  return (
    <Select
      {...input}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={choices}
      value={value}
      searchable
      // The first that fits is taken by Enter, and when the field is left.
      selectFirstOptionOnChange
      autoSelectOnBlur
      // What is typed replaces the zone that is there.
      onFocus={(event) => event.currentTarget.select()}
      allowDeselect={false}
      limit={50}
      onChange={(zone) => zone !== null && onChange(zone)}
    />
  )
}

/** As people write it: "America/New York". */
function named(zone: string): string {
  return zone.replaceAll('_', ' ')
}
