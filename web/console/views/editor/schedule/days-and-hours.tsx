import { Checkbox, Group } from '@mantine/core'
import { Switch } from '../../../parts/inputs.tsx'
import { ClockField } from '../../../parts/time-fields.tsx'

type Hours = { from: string; to: string }

const week = [1, 2, 3, 4, 5, 6, 7]

/** Days of the week and hours of the day, of a wheel or of a pace. Undefined: all of them. */
export function DaysAndHours(props: {
  days: number[] | undefined
  hours: Hours | undefined
  labels: { days: string; limitHours: string; from: string; to: string }
  errors: { days: string | null; from: string | null; to: string | null }
  isReadOnly: boolean
  onDays: (days: number[] | undefined) => void
  onHours: (hours: Hours | undefined) => void
}) {
  const { days, hours, labels, errors, isReadOnly, onDays, onHours } = props
  return (
    <>
      <Checkbox.Group
        label={labels.days}
        value={(days ?? week).map(String)}
        error={errors.days}
        onChange={(names) => {
          const chosen = names.map(Number).toSorted((a, b) => a - b)
          if (chosen.length > 0) onDays(chosen.length === 7 ? undefined : chosen)
        }}
      >
        <Group gap="md" mt="xs">
          {week.map((day) => (
            <Checkbox key={day} value={String(day)} label={dayName(day)} disabled={isReadOnly} />
          ))}
        </Group>
      </Checkbox.Group>
      <Switch
        label={labels.limitHours}
        checked={hours !== undefined}
        disabled={isReadOnly}
        onChange={(event) =>
          onHours(event.currentTarget.checked ? { from: '09:00', to: '18:00' } : undefined)
        }
      />
      {hours === undefined ? null : (
        <Group>
          <ClockField
            label={labels.from}
            value={hours.from}
            error={errors.from}
            onChange={(from) => onHours({ ...hours, from })}
          />
          <ClockField
            label={labels.to}
            value={hours.to}
            error={errors.to}
            onChange={(to) => onHours({ ...hours, to })}
          />
        </Group>
      )}
    </>
  )
}

const weekdays = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' })

/** The 1st of January 2024 was a Monday. */
function dayName(day: number): string {
  return weekdays.format(new Date(Date.UTC(2024, 0, day)))
}
