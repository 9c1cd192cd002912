/** What was sent to a webhook: every attempt, and the events that wait or were given up. */
import { Alert, Badge, Button, Code, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ResendCountAnswer } from '../../../../src/http/answers/resends.ts'
import type { DeliveriesAnswer, DeliveryAnswer } from '../../../../src/http/answers/webhooks.ts'
import { CopyText } from '../../parts/copy.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useMay, useRead } from '../../session.tsx'
import { formatMoment, t } from '../../texts.ts'
import { Attempts } from './attempts.tsx'

export function WebhookLog({ webhookId, onResend }: { webhookId: string; onResend: () => void }) {
  const [shown, setShown] = useState('attempts')
  return (
    <Stack mt="sm" gap="sm">
      <GivenUp webhookId={webhookId} onResend={onResend} />
      <SegmentedControl
        aria-label={t('log.which')}
        value={shown}
        onChange={setShown}
        style={{ alignSelf: 'flex-start' }}
        data={[
          { value: 'attempts', label: t('webhooks.attempts') },
          { value: 'dead', label: t('log.dead') },
          { value: 'waiting', label: t('log.waiting') },
        ]}
      />
      {shown === 'attempts' ? (
        <Attempts webhookId={webhookId} />
      ) : (
        <Deliveries key={shown} webhookId={webhookId} state={shown === 'dead' ? 'dead' : 'waiting'} />
      )}
    </Stack>
  )
}

function GivenUp({ webhookId, onResend }: { webhookId: string; onResend: () => void }) {
  const may = useMay()
  const dead = useRead<ResendCountAnswer>(
    ['webhook', webhookId, 'dead-count'],
    `/api/v1/webhooks/${webhookId}/resend?fromSeq=1`,
    { refetchInterval: 5_000 },
  )
  if (dead.data === undefined || dead.data.events === 0) return null
  return (
    <Alert color="red" variant="light" p="xs">
      <Group justify="space-between" gap="xs">
        <span>{t('webhooks.dead', { count: dead.data.events })}</span>
        {may.edit ? (
          <Button size="compact-sm" variant="default" onClick={onResend}>
            {t('resend.open')}
          </Button>
        ) : null}
      </Group>
    </Alert>
  )
}

const deliveriesShown = 50

function Deliveries({ webhookId, state }: { webhookId: string; state: 'dead' | 'waiting' }) {
  const deliveries = useRead<DeliveriesAnswer>(
    ['webhook', webhookId, state],
    `/api/v1/webhooks/${webhookId}/deliveries?state=${state}&limit=${deliveriesShown}`,
    { refetchInterval: 5_000 },
  )
  return (
    <Loaded query={deliveries} rows={2}>
      {(data) => (
        <>
          {data.deliveries.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t(state === 'dead' ? 'log.noneDead' : 'log.noneWaiting')}
            </Text>
          ) : (
            <ul className="attempts" aria-label={t(state === 'dead' ? 'log.dead' : 'log.waiting')}>
              {data.deliveries.map((delivery) => (
                <li key={delivery.seq}>
                  <OneDelivery delivery={delivery} />
                </li>
              ))}
            </ul>
          )}
          {data.next === null ? null : (
            <Text size="sm" c="dimmed">
              {t('log.first', { count: deliveriesShown })}
            </Text>
          )}
        </>
      )}
    </Loaded>
  )
}

function OneDelivery({ delivery }: { delivery: DeliveryAnswer }) {
  const { nextTryAt, deadAt } = delivery
  return (
    <details className="attempt">
      <summary>
        <Badge color={deadAt === null ? 'orange' : 'red'}>{t('log.tries', { count: delivery.tries })}</Badge>
        <Code>{delivery.type}</Code>
        <span className="attempt-time">
          {deadAt === null
            ? t('log.nextTry', { time: formatMoment(nextTryAt ?? delivery.createdAt) })
            : t('log.givenUp', { time: formatMoment(deadAt) })}
        </span>
      </summary>
      <div className="attempt-response">
        <CopyText text={prettyJson(delivery.body)} label={t('events.payload')} />
      </div>
    </details>
  )
}

function prettyJson(text: string): string {
  return JSON.stringify(JSON.parse(text), null, 2)
}
