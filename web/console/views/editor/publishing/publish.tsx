import { Alert, Button, Group, Modal, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import type { WheelSummary } from '../../../../../src/http/answers/wheels.ts'
import { Form, Submit } from '../../../parts/form.tsx'
import { Icon } from '../../../parts/icons.tsx'
import { Failure, Loaded } from '../../../parts/states.tsx'
import { MomentField, scheduleProblem } from '../../../parts/time-fields.tsx'
import { formatInZone, t } from '../../../texts.ts'
import { differences } from '../draft/change.ts'
import { Checks, Warnings } from '../checks.tsx'
import { Differences } from './differences.tsx'
import type { Draft } from '../draft/draft.ts'
import { nameOfRun, runsOf } from '../pacing/paces-panel.tsx'
import { usePublication } from './publication.ts'
import type { Published } from './published.ts'
import { wheelWarnings } from '../wheel-warnings.ts'

type When = 'now' | 'later'

/** Shows the changes that players will see, and publishes, now or later. */
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
  const { publish, schedule } = usePublication({ slug, at, tagOf: draft.tagOf, onDone, onChanged })
  const isLater = when === 'later'
  const { error, mutate } = isLater ? schedule : publish
  const isTimeMissing = isLater && (at === undefined || scheduleProblem(at) !== null)
  const close = () => {
    publish.reset()
    schedule.reset()
    onClose()
  }
  return (
    <Modal
      opened={props.opened}
      onClose={close}
      size="lg"
      title={<Text fw={650}>{t('publish.title', { name: draft.wheel.name })}</Text>}
    >
      <Form onSubmit={() => mutate()}>
        <Changes {...{ draft, published, error }} />
        <Consequences {...{ draft, published }} at={isLater ? at : undefined} />
        {isLater ? null : <ReplacedPublication summary={props.summary} />}
        <WhenFields {...{ when, at }} zone={draft.wheel.timeZone} onWhen={setWhen} onAt={setAt} />
        <Alert variant="light" color="gray" icon={<Icon name="info" />} p="sm">
          <Text size="sm">{t(explanationOf(when, published.version))}</Text>
        </Alert>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t('action.cancel')}
          </Button>
          <Submit
            loading={publish.isPending || schedule.isPending}
            disabled={draft.errors.length > 0 || published.isUnchanged || isTimeMissing}
            data-autofocus
          >
            {isLater ? t('publish.schedule') : t('publish.action', { version: (published.version ?? 0) + 1 })}
          </Submit>
        </Group>
      </Form>
    </Modal>
  )
}

/** What players will see, and what prevents it. */
function Changes(props: { draft: Draft; published: Published; error: Error | null }) {
  const { draft, published, error } = props
  const { wheel, errors } = draft
  return (
    <>
      {errors.length > 0 ? <Checks errors={errors} wheel={wheel} isLoading={false} error={null} /> : null}
      {error === null ? null : <Failure error={error} />}
      {published.version === null ? (
        <Text size="sm">{t('publish.first')}</Text>
      ) : (
        <Loaded query={published.live}>
          {(version) => <Differences found={differences(version.document, wheel)} />}
        </Loaded>
      )}
    </>
  )
}

/** Warnings for the time of publication, and runs of paced prizes that start or end with it. */
function Consequences(props: { draft: Draft; published: Published; at: string | undefined }) {
  const { draft, published, at } = props
  const { wheel, errors } = draft
  const live = published.live.data?.document
  const endedRuns = draft.check.data?.endedRuns ?? []
  const moment = at === undefined ? Date.now() : Date.parse(at)
  const warnings = wheelWarnings(wheel, moment)
  const newRuns = runsOf(wheel).filter(
    (id) => endedRuns.includes(id) || live === undefined || !runsOf(live).includes(id),
  )
  const names = (ids: readonly string[]) => ids.map((id) => nameOfRun(id, wheel)).join(', ')
  return (
    <>
      {errors.length > 0 || warnings.length === 0 ? null : (
        <Warnings warnings={warnings} title={t('checks.warnings')} />
      )}
      {newRuns.length === 0 ? null : (
        <Alert variant="light" color="blue" icon={<Icon name="info" />} p="sm">
          <Text size="sm">{t('publish.startsRuns', { names: names(newRuns) })}</Text>
          {newRuns.includes('*') ? <Text size="sm">{t('publish.publicCosts')}</Text> : null}
        </Alert>
      )}
      {endedRuns.length === 0 ? null : (
        <Alert variant="light" color="yellow" icon={<Icon name="warning" />} p="sm">
          <Text size="sm">{t('publish.endsRuns', { names: names(endedRuns) })}</Text>
        </Alert>
      )}
    </>
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

function WhenFields(props: {
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

function explanationOf(when: When, publishedVersion: number | null) {
  if (when === 'later') return 'publish.laterText'
  return publishedVersion === null ? 'publish.firstText' : 'publish.text'
}
