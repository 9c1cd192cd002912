import { Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { MomentField } from '../../../parts/time-fields.tsx'
import { ZoneField } from '../../../parts/zone-field.tsx'
import { TextField } from '../../../parts/text-field.tsx'
import { t } from '../../../texts.ts'
import { CampaignDates } from '../../campaigns/campaigns-of-wheel.tsx'
import { BudgetPanel } from '../pacing/budget-panel.tsx'
import { changed } from '../draft/change.ts'
import { errorAt } from '../checks.tsx'
import { DaysAndHours } from './days-and-hours.tsx'
import type { EditorProps } from '../editor-props.ts'
import { inTimeZone } from './in-time-zone.ts'

export function SchedulePanel({ slug, ...props }: EditorProps & { slug: string }) {
  return (
    <Stack>
      <NameAndDates {...props} slug={slug} />
      <OpeningHours {...props} />
      <BudgetPanel {...props} />
    </Stack>
  )
}

function setterOf({ wheel, onChange }: EditorProps) {
  return (changes: Parameters<typeof changed<typeof wheel>>[1]) =>
    onChange(changed(wheel, changes), `schedule ${Object.keys(changes).join()}`)
}

function NameAndDates({ slug, ...props }: EditorProps & { slug: string }) {
  const { wheel, onChange, isReadOnly, errors } = props
  const set = setterOf(props)
  return (
    <Paper component="section" aria-labelledby="wheel-title">
      <Title order={2} id="wheel-title" mb="sm">
        {t('schedule.wheel')}
      </Title>
      <fieldset disabled={isReadOnly} className="plain">
        <Stack gap="sm">
          <TextField
            label={t('field.name')}
            value={wheel.name ?? ''}
            lengthMax={80}
            error={errorAt(errors, '/name')}
            onChange={(text) => onChange({ ...wheel, name: text }, 'name')}
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
          <CampaignDates slug={slug} />
        </Stack>
      </fieldset>
    </Paper>
  )
}

function OpeningHours(props: EditorProps) {
  const { wheel, onChange, isReadOnly, errors } = props
  const set = setterOf(props)
  return (
    <Paper component="section" aria-labelledby="hours-title">
      <Title order={2} id="hours-title" mb="xs">
        {t('schedule.hours')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('schedule.hoursText')}
      </Text>
      <fieldset disabled={isReadOnly} className="plain">
        <Stack gap="md">
          <ZoneField
            label={t('field.timeZone')}
            description={t('schedule.zoneKeeps')}
            value={wheel.timeZone}
            error={errorAt(errors, '/timeZone')}
            maw={320}
            disabled={isReadOnly}
            onChange={(zone) => onChange(inTimeZone(wheel, zone), 'schedule timeZone')}
          />
          <DaysAndHours
            days={wheel.openDays}
            hours={wheel.openHours}
            labels={{
              days: t('field.openDays'),
              limitHours: t('schedule.limitHours'),
              from: t('field.from'),
              to: t('field.to'),
            }}
            errors={{
              days: errorAt(errors, '/openDays'),
              from: errorAt(errors, '/openHours/from'),
              to: errorAt(errors, '/openHours/to'),
            }}
            isReadOnly={isReadOnly}
            onDays={(openDays) => set({ openDays })}
            onHours={(openHours) => set({ openHours })}
          />
        </Stack>
      </fieldset>
    </Paper>
  )
}
