import { Checkbox, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import { Select, Switch, TextInput } from '../../parts/inputs.tsx'
import { ClockField, MomentField } from '../../parts/time-fields.tsx'
import { t } from '../../texts.ts'
import { BudgetPanel } from './budget-panel.tsx'
import { changed } from './change.ts'
import { errorAt } from './checks.tsx'
import type { EditorProps } from './editor-props.ts'

const week = [1, 2, 3, 4, 5, 6, 7]
const zones = Intl.supportedValuesOf('timeZone')

export function SchedulePanel(props: EditorProps) {
  const { wheel, onChange, isReadOnly, errors } = props
  const set = (changes: Parameters<typeof changed<typeof wheel>>[1]) =>
    onChange(changed(wheel, changes), `schedule ${Object.keys(changes).join()}`)
  const hours = wheel.openHours
  const { timeZone } = wheel
  const choices = useMemo(() => (zones.includes(timeZone) ? zones : [timeZone, ...zones]), [timeZone])
  return (
    <Stack>
      <Paper component="section" aria-labelledby="campaign-title">
        <Title order={2} id="campaign-title" mb="sm">
          {t('schedule.campaign')}
        </Title>
        <fieldset disabled={isReadOnly} className="plain">
          <Stack gap="sm">
            <TextInput
              label={t('field.name')}
              value={wheel.name ?? ''}
              maxLength={80}
              error={errorAt(errors, '/name')}
              onChange={(event) => onChange({ ...wheel, name: event.currentTarget.value }, 'name')}
            />
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <MomentField
                label={t('field.opensAt')}
                zone={wheel.timeZone}
                value={wheel.opensAt}
                error={errorAt(errors, '/opensAt')}
                onChange={(opensAt) => set({ opensAt })}
              />
              <MomentField
                label={t('field.closesAt')}
                zone={wheel.timeZone}
                value={wheel.closesAt}
                error={errorAt(errors, '/closesAt')}
                onChange={(closesAt) => set({ closesAt })}
              />
            </SimpleGrid>
          </Stack>
        </fieldset>
      </Paper>
      <Paper component="section" aria-labelledby="hours-title">
        <Title order={2} id="hours-title" mb="xs">
          {t('schedule.hours')}
        </Title>
        <Text size="sm" c="dimmed" mb="sm">
          {t('schedule.hoursText')}
        </Text>
        <fieldset disabled={isReadOnly} className="plain">
          <Stack gap="md">
            <Select
              label={t('field.timeZone')}
              data={choices}
              value={wheel.timeZone}
              searchable
              allowDeselect={false}
              maw={320}
              limit={50}
              disabled={isReadOnly}
              error={errorAt(errors, '/timeZone')}
              onChange={(zone) => zone !== null && set({ timeZone: zone })}
            />
            <Checkbox.Group
              label={t('field.openDays')}
              value={(wheel.openDays ?? week).map(String)}
              onChange={(days) => {
                const chosen = days.map(Number).toSorted((a, b) => a - b)
                if (chosen.length > 0) set({ openDays: chosen.length === 7 ? undefined : chosen })
              }}
            >
              <Group gap="md" mt="xs">
                {week.map((day) => (
                  <Checkbox key={day} value={String(day)} label={dayName(day)} disabled={isReadOnly} />
                ))}
              </Group>
            </Checkbox.Group>
            <Switch
              label={t('schedule.limitHours')}
              checked={hours !== undefined}
              disabled={isReadOnly}
              onChange={(event) =>
                set({ openHours: event.currentTarget.checked ? { from: '09:00', to: '18:00' } : undefined })
              }
            />
            {hours === undefined ? null : (
              <Group>
                <ClockField
                  label={t('field.from')}
                  value={hours.from}
                  error={errorAt(errors, '/openHours/from')}
                  onChange={(from) => set({ openHours: { ...hours, from } })}
                />
                <ClockField
                  label={t('field.to')}
                  value={hours.to}
                  error={errorAt(errors, '/openHours/to')}
                  onChange={(to) => set({ openHours: { ...hours, to } })}
                />
              </Group>
            )}
          </Stack>
        </fieldset>
      </Paper>
      <BudgetPanel {...props} />
    </Stack>
  )
}

const weekdays = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' })

/** The 1st of January 2024 was a Monday. */
function dayName(day: number): string {
  return weekdays.format(new Date(Date.UTC(2024, 0, day)))
}
