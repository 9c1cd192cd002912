import { SegmentedControl } from '@mantine/core'
import { MomentField, scheduleProblem } from '../../../parts/time-fields.tsx'
import { t } from '../../../texts.ts'

export type When = 'now' | 'later'

/** Now, or at a time in the zone of the wheel. */
export function WhenFields(props: {
  when: When
  at: string | undefined
  zone: string
  onWhen: (when: When) => void
  onAt: (at: string | undefined) => void
}) {
  const { when, at, zone, onWhen, onAt } = props
  return (
    <>
      <SegmentedControl
        aria-label={t('publish.when')}
        data={(['now', 'later'] as const).map((value) => ({ value, label: t(`publish.${value}`) }))}
        value={when}
        onChange={onWhen}
      />
      {when === 'later' ? (
        <MomentField
          label={t('publish.at')}
          zone={zone}
          value={at}
          error={scheduleProblem(at)}
          onChange={onAt}
        />
      ) : null}
    </>
  )
}
