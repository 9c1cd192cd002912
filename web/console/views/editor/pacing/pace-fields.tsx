/** When the units of a prize, or the parts of a budget, are released. Both have the same times. */
import { ActionIcon, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import type { FieldError } from '../../../../../src/refusals.ts'
import type { PaceSchedule } from '../../../../../src/wheel-document/wheel-document.ts'
import { Icon } from '../../../parts/icons.tsx'
import { MomentField } from '../../../parts/time-fields.tsx'
import { t } from '../../../texts.ts'
import { errorAt } from '../checks.tsx'
import { DaysAndHours } from '../schedule/days-and-hours.tsx'

const day = 86_400_000

/** From the next full hour on, for a week. */
export function newPeriods(): PaceSchedule['periods'] {
  const start = Math.ceil((Date.now() + 1) / 3_600_000) * 3_600_000
  return [{ from: new Date(start).toISOString(), until: new Date(start + 7 * day).toISOString() }]
}

type Changes = { [K in keyof PaceSchedule]?: PaceSchedule[K] | undefined }
type ScheduleProps = {
  schedule: PaceSchedule
  /** Where the schedule is in the document. */
  pointer: string
  /** The time zone of the wheel. */
  zone: string
  errors: readonly FieldError[]
  isReadOnly: boolean
  onChange: (changes: Changes) => void
}

/** Periods, and the days and hours within them. */
export function ScheduleFields(props: ScheduleProps) {
  const { schedule, pointer, errors, isReadOnly, onChange } = props
  return (
    <Stack gap="sm">
      <PeriodFields {...props} />
      <DaysAndHours
        days={schedule.days}
        hours={schedule.hours}
        labels={{
          days: t('pace.days'),
          limitHours: t('pace.limitHours'),
          from: t('pace.hoursFrom'),
          to: t('pace.hoursTo'),
        }}
        errors={{
          days: errorAt(errors, `${pointer}/days`),
          from: errorAt(errors, `${pointer}/hours/from`),
          to: errorAt(errors, `${pointer}/hours/to`),
        }}
        isReadOnly={isReadOnly}
        onDays={(days) => onChange({ days })}
        onHours={(hours) => onChange({ hours })}
      />
    </Stack>
  )
}

function PeriodFields(props: ScheduleProps) {
  const {
    schedule: { periods },
    pointer,
    errors,
  } = props
  const onChange = (next: PaceSchedule['periods']) => props.onChange({ periods: next })
  const replace = (index: number, changes: Partial<PaceSchedule['periods'][number]>) =>
    onChange(periods.map((period, at) => (at === index ? { ...period, ...changes } : period)))
  const add = () => {
    const end = Date.parse(periods.at(-1)?.until ?? new Date().toISOString())
    onChange([...periods, { from: new Date(end).toISOString(), until: new Date(end + day).toISOString() }])
  }
  const whole = errorAt(errors, `${pointer}/periods`)
  return (
    <Stack gap="xs">
      {periods.map((period, index) => (
        // Periods have no names; their places are what the errors refer to.
        // oxlint-disable-next-line react/no-array-index-key
        <Group key={index} align="flex-end" wrap="nowrap">
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" flex={1}>
            <MomentField
              label={t('field.from')}
              zone={props.zone}
              value={period.from}
              error={errorAt(errors, `${pointer}/periods/${index}/from`)}
              onChange={(from) => from !== undefined && replace(index, { from })}
            />
            <MomentField
              label={t('pace.until')}
              zone={props.zone}
              value={period.until}
              error={
                errorAt(errors, `${pointer}/periods/${index}/until`) ??
                errorAt(errors, `${pointer}/periods/${index}`)
              }
              onChange={(until) => until !== undefined && replace(index, { until })}
            />
          </SimpleGrid>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t('pace.removePeriod')}
            disabled={props.isReadOnly || periods.length === 1}
            onClick={() => onChange(periods.filter((_, at) => at !== index))}
          >
            <Icon name="close" />
          </ActionIcon>
        </Group>
      ))}
      {whole === null ? null : (
        <Text size="sm" c="red">
          {whole}
        </Text>
      )}
      <Button variant="default" size="xs" disabled={props.isReadOnly || periods.length >= 60} onClick={add}>
        {t('pace.addPeriod')}
      </Button>
    </Stack>
  )
}
