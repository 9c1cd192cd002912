/** Says above the editor what is published later, or why that failed. */
import { Alert, Button, Group, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { ScheduledPublicationAnswer } from '../../../../../src/http/answers/scheduled.ts'
import type { WheelAnswer, WheelSummary } from '../../../../../src/http/answers/wheels.ts'
import type { WheelDocument } from '../../../../../src/wheel-document/wheel-document.ts'
import { useAction } from '../../../parts/action.ts'
import { Icon } from '../../../parts/icons.tsx'
import { tellDone, tellProblem } from '../../../parts/notify.ts'
import { useApi, useRead } from '../../../session.tsx'
import { formatInZone, t } from '../../../texts.ts'
import { differences } from '../draft/change.ts'
import { ProblemList } from '../checks.tsx'
import type { Published } from './published.ts'
import { ScheduledChanges } from './scheduled-changes.tsx'

/** How often an open editor looks whether the publication has happened. */
const lookMs = 10_000

export function ScheduledNotice(props: {
  summary: WheelSummary
  wheel: WheelDocument
  published: Published
  isReadOnly: boolean
  onReschedule: () => void
  onChanged: (wheel: WheelAnswer) => void
}) {
  const { summary, onChanged } = props
  const { scheduledPublication: scheduled, wheel: slug } = summary
  const fresh = useRead<WheelAnswer>(['scheduled-state', slug], `/api/v1/wheels/${slug}`, {
    enabled: scheduled !== null && scheduled.failedAt === null,
    refetchInterval: lookMs,
  }).data
  useEffect(() => {
    if (fresh !== undefined && fresh.scheduledPublication?.failedAt !== scheduled?.failedAt) onChanged(fresh)
  })
  return scheduled === null ? null : <Notice {...props} scheduled={scheduled} />
}

function Notice({
  summary,
  wheel,
  published,
  isReadOnly,
  onReschedule,
  onChanged,
  scheduled,
}: Parameters<typeof ScheduledNotice>[0] & {
  scheduled: NonNullable<WheelSummary['scheduledPublication']>
}) {
  const api = useApi()
  const [isShowingChanges, setShowingChanges] = useState(false)
  const path = `/api/v1/wheels/${summary.wheel}/scheduled-publication`
  const name = ['scheduled', summary.wheel, scheduled.scheduledAt]
  const frozen = useRead<ScheduledPublicationAnswer>(name, path, { staleTime: Infinity }).data?.document
  const cancel = useAction({
    mutationFn: () => api.del<WheelAnswer>(path),
    onSuccess: (changed) => {
      onChanged(changed)
      if (scheduled.failedAt === null) tellDone(t('scheduled.cancelled'))
    },
    onError: tellProblem,
  })
  const isFailed = scheduled.failedAt !== null
  const time = formatInZone(scheduled.at, scheduled.timeZone)
  const edits = frozen === undefined ? 0 : differences(frozen, wheel).length
  return (
    <Alert
      mb="lg"
      color={isFailed ? 'red' : 'blue'}
      variant="light"
      icon={<Icon name={isFailed ? 'warning' : 'calendar'} />}
      title={t(isFailed ? 'scheduled.failed' : 'scheduled.title', { time })}
      role="status"
    >
      <Text size="sm">{t('scheduled.by', { who: scheduled.by.replace(/^\w+:/, '') })}</Text>
      {isFailed && frozen !== undefined ? <ProblemList errors={scheduled.errors} wheel={frozen} /> : null}
      {isFailed || edits === 0 ? null : (
        <Text size="sm" fw={600}>
          {t('scheduled.edits', { count: edits })}
        </Text>
      )}
      <ScheduledChanges
        slug={summary.wheel}
        {...{ published, frozen }}
        at={scheduled.at}
        opened={isShowingChanges}
        onClose={() => setShowingChanges(false)}
      />
      {isReadOnly ? null : (
        <Group gap="xs" mt="sm">
          {isFailed ? null : (
            <Button size="xs" variant="default" onClick={() => setShowingChanges(true)}>
              {t('scheduled.changes')}
            </Button>
          )}
          <Button size="xs" variant="default" onClick={onReschedule}>
            {t('scheduled.again')}
          </Button>
          <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            {t(isFailed ? 'scheduled.dismiss' : 'scheduled.cancel')}
          </Button>
        </Group>
      )}
    </Alert>
  )
}
