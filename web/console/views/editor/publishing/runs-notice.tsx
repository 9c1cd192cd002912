import { Alert, Text } from '@mantine/core'
import type { WheelDocument } from '../../../../../src/wheel-document/wheel-document.ts'
import { Icon } from '../../../parts/icons.tsx'
import { t } from '../../../texts.ts'
import { nameOfRun, runsOf } from '../pacing/paces-panel.tsx'

/** The releases of paced prizes that begin with a publication. */
export function StartedRuns(props: {
  wheel: WheelDocument
  live: WheelDocument | undefined
  endedRuns: readonly string[]
}) {
  const { wheel, live, endedRuns } = props
  const started = runsOf(wheel).filter(
    (id) => endedRuns.includes(id) || live === undefined || !runsOf(live).includes(id),
  )
  if (started.length === 0) return null
  return (
    <Alert variant="light" color="blue" icon={<Icon name="info" />} p="sm">
      <Text size="sm">{t('publish.startsRuns', { names: namesOf(started, wheel) })}</Text>
      {started.includes('*') ? <Text size="sm">{t('publish.publicCosts')}</Text> : null}
    </Alert>
  )
}

/** The warning about releases that end with a publication. */
export function endedRunsWarning(endedRuns: readonly string[], wheel: WheelDocument): string[] {
  return endedRuns.length === 0 ? [] : [t('publish.endsRuns', { names: namesOf(endedRuns, wheel) })]
}

function namesOf(ids: readonly string[], wheel: WheelDocument): string {
  return ids.map((id) => nameOfRun(id, wheel)).join(', ')
}
