import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { ResendAnswer } from '../../../../src/http/answers/resends.ts'
import type { WebhookAnswer, WebhooksAnswer } from '../../../../src/http/answers/webhooks.ts'
import type { ShownEvent } from '../../live.ts'
import { useAction } from '../../parts/action.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { tellDone, tellProblem } from '../../parts/notify.ts'
import { Loaded } from '../../parts/states.tsx'
import { useApi, useMay, useRead, useRefresh } from '../../session.tsx'
import { t } from '../../texts.ts'
import { Attempts } from './attempts.tsx'

/** How each webhook got an event. */
export function EventDeliveries({ event }: { event: ShownEvent }) {
  const webhooks = useRead<WebhooksAnswer>(['webhooks'], '/api/v1/webhooks', { refetchInterval: 10_000 })
  return (
    <Stack gap="sm">
      <Title order={3} size="h4">
        {t('events.deliveries')}
      </Title>
      <Loaded query={webhooks} rows={2}>
        {(data) =>
          data.webhooks.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('events.noWebhooks')}
            </Text>
          ) : (
            data.webhooks.map((webhook) => (
              <DeliveryTo key={webhook.webhookId} webhook={webhook} event={event} />
            ))
          )
        }
      </Loaded>
    </Stack>
  )
}

function DeliveryTo({ webhook, event }: { webhook: WebhookAnswer; event: ShownEvent }) {
  const may = useMay()
  const isWanted = webhook.types === null || webhook.types.includes(event.type)
  const isAhead = event.seq > webhook.cursor
  return (
    <section className="delivery" aria-label={webhook.url}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600} className="wrap-anywhere">
          {webhook.url}
        </Text>
        {isWanted && isAhead ? <Badge color="gray">{t('events.ahead')}</Badge> : null}
        {isWanted ? null : <Badge color="gray">{t('events.notSubscribed')}</Badge>}
        {may.edit && isWanted && !isAhead ? <SendAgain webhook={webhook} event={event} /> : null}
      </Group>
      {isWanted ? <Attempts webhookId={webhook.webhookId} seq={event.seq} /> : null}
    </section>
  )
}

function SendAgain({ webhook, event }: { webhook: WebhookAnswer; event: ShownEvent }) {
  const api = useApi()
  const refresh = useRefresh()
  const [isAsking, setAsking] = useState(false)
  const send = useAction({
    mutationFn: () =>
      api.post<ResendAnswer>(`/api/v1/webhooks/${webhook.webhookId}/resend`, { only: 'all', seq: event.seq }),
    onSuccess: async () => {
      setAsking(false)
      tellDone(t('events.queued'))
      await refresh('webhook', webhook.webhookId)
    },
    onError: tellProblem,
  })
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => setAsking(true)}
        aria-label={t('events.sendAgainTo', { url: webhook.url })}
      >
        {t('events.sendAgain')}
      </Button>
      <Confirm
        opened={isAsking}
        title={t('events.sendAgain')}
        text={t('events.sendAgainText', { url: webhook.url })}
        action={t('resend.action', { count: 1 })}
        isRunning={send.isPending}
        onConfirm={() => send.mutate()}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
