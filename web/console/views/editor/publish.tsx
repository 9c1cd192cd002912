import { Alert, Button, Group, Modal, SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PublicationAnswer, VersionAnswer } from '../../../../src/http/answers/versions.ts'
import type { WheelAnswer } from '../../../../src/http/answers/wheels.ts'
import type { WheelDocument } from '../../../../src/wheels/wheel-document.ts'
import { useAction } from '../../parts/action.ts'
import { Form, Submit } from '../../parts/form.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Failure, Loaded } from '../../parts/states.tsx'
import { MomentField, scheduleProblem } from '../../parts/time-fields.tsx'
import { useApi } from '../../session.tsx'
import { formatInZone, t } from '../../texts.ts'
import { differences } from './change.ts'
import { Checks, Warnings } from './checks.tsx'
import { Differences } from './differences.tsx'
import type { FieldError } from './saving.ts'
import { nameOfRun, runsOf } from './paces-panel.tsx'
import { wheelWarnings } from './wheel-warnings.ts'

/** Shows the changes that players will see, and publishes, now or later. */
export function Publish(props: {
  opened: boolean
  slug: string
  wheel: WheelDocument
  publishedVersion: number | null
  /** The wheel for which its translations were made. */
  translated: WheelDocument | undefined
  /** Whether the draft equals the published version. */
  isUnchanged: boolean
  errors: readonly FieldError[]
  /** Paced prizes whose runs would end. */
  endedRuns: readonly string[]
  startsLater: boolean
  /** What is to be published later; it would replace what is published now. */
  scheduled: WheelAnswer['scheduledPublication']
  /** The revision of the saved draft, as an ETag. */
  tagOf: () => string | null
  onClose: () => void
  onPublished: (version: number) => Promise<void>
  onScheduled: (wheel: WheelAnswer) => void
}) {
  const { opened, slug, wheel, publishedVersion, errors, endedRuns, scheduled } = props
  const api = useApi()
  const live = useLiveVersion(slug, publishedVersion)
  const [when, setWhen] = useState<'now' | 'later'>(props.startsLater ? 'later' : 'now')
  const [at, setAt] = useState<string>()
  const publish = useAction({
    mutationFn: () => api.post<PublicationAnswer>(`/api/v1/wheels/${slug}/publication`),
    onSuccess: ({ version }) => props.onPublished(version),
  })
  const schedule = useAction({
    mutationFn: () => {
      const tag = props.tagOf()
      const headers = tag === null ? {} : { 'If-Match': tag }
      return api.put<WheelAnswer>(`/api/v1/wheels/${slug}/scheduled-publication`, { at }, headers)
    },
    onSuccess: ({ data }) => {
      setWhen('now')
      props.onScheduled(data)
    },
  })
  const isLater = when === 'later'
  const moment = isLater && at !== undefined ? Date.parse(at) : Date.now()
  const warnings = wheelWarnings(wheel, moment, props.translated)
  const newRuns = runsOf(wheel).filter(
    (id) => endedRuns.includes(id) || live.data === undefined || !runsOf(live.data.document).includes(id),
  )
  const names = (ids: readonly string[]) => ids.map((id) => nameOfRun(id, wheel)).join(', ')
  const problem = scheduleProblem(at)
  const error = isLater ? schedule.error : publish.error
  const close = () => {
    publish.reset()
    schedule.reset()
    props.onClose()
  }
  return (
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      title={<Text fw={650}>{t('publish.title', { name: wheel.name })}</Text>}
    >
      <Form onSubmit={() => (isLater ? schedule : publish).mutate()}>
        {errors.length > 0 ? (
          <Checks
            errors={errors}
            wheel={wheel}
            translated={props.translated}
            isLoading={false}
            error={null}
          />
        ) : null}
        {error === null ? null : <Failure error={error} />}
        {publishedVersion === null ? (
          <Text size="sm">{t('publish.first')}</Text>
        ) : (
          <Loaded query={live}>
            {(version) => <Differences found={differences(version.document, wheel)} />}
          </Loaded>
        )}
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
        {isLater || scheduled === null || scheduled.failedAt !== null ? null : (
          <Alert variant="light" color="yellow" icon={<Icon name="warning" />} p="sm">
            <Text size="sm">
              {t('publish.scheduled', { time: formatInZone(scheduled.at, scheduled.timeZone) })}
            </Text>
          </Alert>
        )}
        <SegmentedControl
          aria-label={t('publish.when')}
          data={(['now', 'later'] as const).map((value) => ({ value, label: t(`publish.${value}`) }))}
          value={when}
          onChange={setWhen}
        />
        {isLater ? (
          <MomentField
            label={t('publish.at')}
            zone={wheel.timeZone}
            value={at}
            error={problem}
            onChange={setAt}
          />
        ) : null}
        <Alert variant="light" color="gray" icon={<Icon name="info" />} p="sm">
          <Text size="sm">
            {t(
              isLater
                ? 'publish.laterText'
                : publishedVersion === null
                  ? 'publish.firstText'
                  : 'publish.text',
            )}
          </Text>
        </Alert>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t('action.cancel')}
          </Button>
          <Submit
            loading={publish.isPending || schedule.isPending}
            disabled={
              errors.length > 0 || props.isUnchanged || (isLater && (at === undefined || problem !== null))
            }
            data-autofocus
          >
            {isLater ? t('publish.schedule') : t('publish.action', { version: (publishedVersion ?? 0) + 1 })}
          </Submit>
        </Group>
      </Form>
    </Modal>
  )
}

/** The published document. It never changes. */
export function useLiveVersion(slug: string, version: number | null) {
  const api = useApi()
  return useQuery({
    queryKey: [api.merchant, 'version', slug, version],
    queryFn: ({ signal }) => api.get<VersionAnswer>(`/api/v1/wheels/${slug}/versions/${version}`, signal),
    enabled: version !== null,
    staleTime: Infinity,
  })
}
