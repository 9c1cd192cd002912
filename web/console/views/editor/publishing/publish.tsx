import { Alert, Button, Group, Modal, Text } from '@mantine/core'
import { useState } from 'react'
import type { WheelSummary } from '../../../../../src/http/answers/wheels.ts'
import { Form, Submit } from '../../../parts/form.tsx'
import { Icon } from '../../../parts/icons.tsx'
import { Failure } from '../../../parts/states.tsx'
import { scheduleProblem } from '../../../parts/time-fields.tsx'
import { formatInZone, t } from '../../../texts.ts'
import { Checks } from '../checks.tsx'
import type { Draft } from '../draft/draft.ts'
import { usePublication } from './publication.ts'
import type { Published } from './published.ts'
import { useChanges } from './use-changes.tsx'
import { type When, WhenFields } from './when-fields.tsx'

/** Shows what changes for players and for the budget, and publishes, now or later. */
export function Publish(props: {
  opened: boolean
  slug: string
  summary: WheelSummary
  draft: Draft
  published: Published
  startsLater: boolean
  onClose: () => void
  onChanged: (summary: WheelSummary) => void
}) {
  const { slug, draft, published, onClose, onChanged } = props
  const [when, setWhen] = useState<When>(props.startsLater ? 'later' : 'now')
  const [at, setAt] = useState<string>()
  const onDone = () => {
    setWhen('now')
    onClose()
  }
  const onConflict = () => close()
  const { publish, schedule } = usePublication({ slug, at, draft, onConflict, onDone, onChanged })
  const isLater = when === 'later'
  const { error, mutate, isPending } = isLater ? schedule : publish
  const isTimeMissing = isLater && (at === undefined || scheduleProblem(at) !== null)
  const changes = useChanges({ ...props, at: isLater && !isTimeMissing ? at : undefined })
  const close = () => {
    publish.reset()
    schedule.reset()
    changes.doubt()
    onClose()
  }
  const isReady = draft.saving.state === 'saved' && draft.errors.length === 0 && !published.isUnchanged
  const isStopped = !isReady || isTimeMissing || !changes.isAccepted
  return (
    <Modal
      opened={props.opened}
      onClose={close}
      size="lg"
      title={<Text fw={650}>{t('publish.title', { name: draft.wheel.name })}</Text>}
    >
      <Form onSubmit={() => mutate()}>
        {draft.errors.length === 0 ? null : (
          <Checks errors={draft.errors} wheel={draft.wheel} isLoading={false} error={null} />
        )}
        {error === null ? null : <Failure error={error} />}
        {changes.shown}
        {isLater ? null : <ReplacedPublication summary={props.summary} />}
        <WhenFields {...{ when, at }} zone={draft.wheel.timeZone} onWhen={setWhen} onAt={setAt} />
        <Alert variant="light" color="gray" icon={<Icon name="info" />} p="sm">
          <Text size="sm">{t(explanationOf(when, published.version))}</Text>
        </Alert>
        {draft.errors.length > 0 ? null : changes.acceptance}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t('action.cancel')}
          </Button>
          <Submit loading={isPending} disabled={isStopped} data-autofocus={isStopped ? undefined : true}>
            {isLater ? t('publish.schedule') : t('publish.action', { version: (published.version ?? 0) + 1 })}
          </Submit>
        </Group>
      </Form>
    </Modal>
  )
}

/** A publication now replaces the one that is scheduled. */
function ReplacedPublication({ summary: { scheduledPublication: scheduled } }: { summary: WheelSummary }) {
  if (scheduled === null || scheduled.failedAt !== null) return null
  return (
    <Alert variant="light" color="yellow" icon={<Icon name="warning" />} p="sm">
      <Text size="sm">
        {t('publish.scheduled', { time: formatInZone(scheduled.at, scheduled.timeZone) })}
      </Text>
    </Alert>
  )
}

function explanationOf(when: When, publishedVersion: number | null) {
  if (when === 'later') return 'publish.laterText'
  return publishedVersion === null ? 'publish.firstText' : 'publish.text'
}
