/** Attempts to deliver events, each with what the receiver answered. */
import { Anchor, Badge, Button, Center, Code, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { AttemptAnswer, AttemptsAnswer } from '../../../../src/http/answers/webhooks.ts'
import { CopyText } from '../../parts/copy.tsx'
import { Failure, Waiting } from '../../parts/states.tsx'
import { useApi, useMay } from '../../session.tsx'
import { formatMoment, t, textOf } from '../../texts.ts'

/** Of one event, or of all. */
export function Attempts({ webhookId, seq }: { webhookId: string; seq?: number }) {
  const query = useAttempts(webhookId, seq)
  if (query.data === undefined)
    return query.isError ? (
      <Failure error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <Waiting rows={2} />
    )
  const attempts = query.data.pages.flatMap((page) => page.attempts)
  if (attempts.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t(seq === undefined ? 'webhooks.noAttempts' : 'events.noAttempts')}
      </Text>
    )
  return (
    <>
      <ul className="attempts" aria-label={t('webhooks.attempts')}>
        {attempts.map((attempt) => (
          <li key={`${attempt.eventId} ${attempt.attemptNo}`}>
            <OneAttempt attempt={attempt} isNamed={seq === undefined} />
          </li>
        ))}
      </ul>
      {query.hasNextPage ? (
        <Center>
          <Button
            size="xs"
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {t('action.more')}
          </Button>
        </Center>
      ) : null}
    </>
  )
}

function useAttempts(webhookId: string, seq: number | undefined) {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: [api.merchant, 'webhook', webhookId, 'attempts', seq ?? null],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: '20' })
      if (seq !== undefined) query.set('seq', String(seq))
      if (pageParam !== null) query.set('before', String(pageParam))
      return api.get<AttemptsAnswer>(`/api/v1/webhooks/${webhookId}/attempts?${query.toString()}`, signal)
    },
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
    // Only while the newest are looked at: every page that is open is loaded again.
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data.pages.length === 1 ? 5_000 : false,
  })
}

function OneAttempt({ attempt, isNamed }: { attempt: AttemptAnswer; isNamed: boolean }) {
  const isTaken = attempt.status !== null && attempt.status >= 200 && attempt.status < 300
  return (
    <details className="attempt">
      <summary>
        <Badge color={isTaken ? 'teal' : 'red'}>{attempt.status ?? attempt.fault ?? '?'}</Badge>
        {isNamed ? <Code>{attempt.type}</Code> : null}
        <span className="attempt-time">{formatMoment(attempt.at)}</span>
        <span className="number nowrap">{t('webhooks.ms', { count: attempt.tookMs })}</span>
      </summary>
      <Response attempt={attempt} isNamed={isNamed} />
    </details>
  )
}

function Response({ attempt, isNamed }: { attempt: AttemptAnswer; isNamed: boolean }) {
  const may = useMay()
  const { fault, excerpt, headers } = attempt
  const isEmpty = excerpt === null && Object.keys(headers).length === 0
  return (
    <div className="attempt-response">
      {isNamed ? <EventName attempt={attempt} /> : null}
      {fault === null ? null : <Text size="sm">{textOf(`fault.${fault}`)}</Text>}
      {fault === null && isEmpty ? (
        <Text size="sm" c="dimmed">
          {t(may.serve ? 'attempt.nothing' : 'attempt.hidden')}
        </Text>
      ) : null}
      {Object.keys(headers).length === 0 ? null : (
        <dl className="headers">
          {Object.entries(headers).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {excerpt === null ? null : <CopyText text={excerpt} label={t('attempt.body')} />}
    </div>
  )
}

/** A test is not in the log, so it has no number and can't be opened. */
function EventName({ attempt: { seq, eventId } }: { attempt: AttemptAnswer }) {
  const { merchant } = useApi()
  if (seq === null)
    return (
      <Text size="xs" c="dimmed" className="mono wrap-anywhere">
        {eventId}
      </Text>
    )
  return (
    <Anchor component={Link} href={`/m/${merchant}/developers?tab=events&event=${seq}`} size="sm">
      {t('attempt.event', { seq })}
    </Anchor>
  )
}
