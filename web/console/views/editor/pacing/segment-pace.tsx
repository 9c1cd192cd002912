import { SimpleGrid, Stack } from '@mantine/core'
import { DurationField } from '../../../parts/duration-field.tsx'
import { Switch } from '../../../parts/inputs.tsx'
import { NumberField } from '../../../parts/number-field.tsx'
import { Term } from '../../../parts/term.tsx'
import { t } from '../../../texts.ts'
import { changed, type SegmentChanges } from '../draft/change.ts'
import { errorAt } from '../checks.tsx'
import type { EditorProps } from '../editor-props.ts'
import { newPeriods, ScheduleFields } from './pace-fields.tsx'
import type { SegmentFields } from '../segments/segment-fields.ts'

/** The pace of a prize. It replaces stock and times, so switching it on takes them over. */
export function SegmentPace(
  props: SegmentFields & Pick<EditorProps, 'errors'> & { index: number; zone: string },
) {
  const { segment, index, errors, isReadOnly, set } = props
  const { pace } = segment
  const pointer = `/segments/${index}/pace`
  const start = (): SegmentChanges => ({
    pace: { units: Math.max(1, segment.stock ?? 100), periods: newPeriods() },
    stock: undefined,
    stockPerDay: undefined,
    winnableFrom: undefined,
    winnableUntil: undefined,
  })
  return (
    <Stack gap="sm">
      <Term name="pace">
        <Switch
          label={t('pace.switch')}
          description={t('pace.switchHint')}
          pr="xl"
          checked={pace !== undefined}
          disabled={isReadOnly}
          onChange={(event) => set(event.currentTarget.checked ? start() : { pace: undefined })}
        />
      </Term>
      {pace === undefined ? null : (
        <>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            <NumberField
              label={t('pace.units')}
              value={pace.units}
              min={1}
              max={1_000_000}
              error={errorAt(errors, `${pointer}/units`)}
              onChange={(units) => set({ pace: { ...pace, units } })}
            />
            <DurationField
              label={t('pace.lastCall')}
              description={t('pace.lastCallText')}
              placeholder={t('pace.noLastCall')}
              value={pace.lastCallSeconds}
              canBeEmpty
              minSeconds={1}
              maxSeconds={400 * 86_400}
              error={errorAt(errors, `${pointer}/lastCallSeconds`)}
              onChange={(lastCallSeconds) => set({ pace: changed(pace, { lastCallSeconds }) })}
            />
          </SimpleGrid>
          <ScheduleFields
            schedule={pace}
            pointer={pointer}
            zone={props.zone}
            errors={errors}
            isReadOnly={isReadOnly}
            onChange={(changes) => set({ pace: changed(pace, changes) })}
          />
        </>
      )}
    </Stack>
  )
}
