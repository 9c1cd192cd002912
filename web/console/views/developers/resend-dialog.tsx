/** Sends many events again. It shows how many before they are sent. */
import { Modal, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import type { ResendAnswer, ResendCountAnswer } from '../../../../src/http/answers/resends.ts'
import type { WebhookAnswer } from '../../../../src/http/answers/webhooks.ts'
import { useAction } from '../../parts/action.ts'
import { Form, Submit } from '../../parts/form.tsx'
import { useIdempotencyKey } from '../../parts/idempotency-key.ts'
import { tellDone, tellProblem } from '../../parts/notify.ts'
import { NumberField } from '../../parts/number-field.tsx'
import { Failure } from '../../parts/states.tsx'
import { MomentField } from '../../parts/time-fields.tsx'
import { CollectUnfinished, useUnfinished } from '../../parts/unfinished.tsx'
import { useApi, useRead, useRefresh } from '../../session.tsx'
import { formatNumber, t } from '../../texts.ts'

type Order = { only: 'dead' | 'all'; fromSeq?: number; toSeq?: number; since?: string }
type Fields = {
  only: Order['only']
  by: string
  fromSeq: number | undefined
  toSeq: number | undefined
  since: string | undefined
}

export function ResendDialog({ webhook, onClose }: { webhook: WebhookAnswer; onClose: () => void }) {
  const api = useApi()
  const refresh = useRefresh()
  const { headers } = useIdempotencyKey()
  const [fields, setFields] = useState<Fields>({
    only: 'dead',
    by: 'numbers',
    fromSeq: 1,
    toSeq: undefined,
    since: undefined,
  })
  const { hasUnfinished, report } = useUnfinished()
  // A field that shows no valid value names no events, whatever it held before.
  const order = hasUnfinished ? null : orderOf(fields)
  const count = useCount(webhook, order)
  const path = `/api/v1/webhooks/${webhook.webhookId}`
  const send = useAction({
    mutationFn: (chosen: Order) => api.post<ResendAnswer>(`${path}/resend`, chosen, headers),
    onSuccess: async () => {
      tellDone(t('resend.started'))
      onClose()
      await refresh('webhook', webhook.webhookId)
    },
    onError: tellProblem,
  })
  const found = order === null ? 0 : (count.data?.events ?? 0)
  return (
    <Modal opened onClose={onClose} title={<Text fw={650}>{t('resend.title')}</Text>}>
      <CollectUnfinished value={report}>
        <Form onSubmit={() => order !== null && found > 0 && send.mutate(order)}>
          <Text size="sm" c="dimmed" className="wrap-anywhere">
            {webhook.url}
          </Text>
          <OrderFields fields={fields} set={(change) => setFields((now) => ({ ...now, ...change }))} />
          {hasUnfinished ? (
            <Text size="sm">{t('resend.invalid')}</Text>
          ) : (
            <Count order={order} count={count} />
          )}
          <Submit loading={send.isPending} disabled={order === null || found === 0}>
            {found === 0 ? t('resend.none') : t('resend.action', { count: found })}
          </Submit>
        </Form>
      </CollectUnfinished>
    </Modal>
  )
}

function OrderFields({ fields, set }: { fields: Fields; set: (change: Partial<Fields>) => void }) {
  const { only, by, fromSeq, toSeq, since } = fields
  return (
    <>
      <Choice
        label={t('resend.which')}
        value={only}
        onChange={(value) => set({ only: value === 'all' ? 'all' : 'dead' })}
        options={{ dead: t('resend.dead'), all: t('resend.all') }}
        note={t(only === 'dead' ? 'resend.deadText' : 'resend.allText')}
      />
      <Choice
        label={t('resend.by')}
        value={by}
        onChange={(value) => set({ by: value })}
        options={{ numbers: t('resend.numbers'), time: t('resend.time') }}
      />
      {by === 'numbers' ? (
        <SimpleGrid cols={2}>
          <NumberField
            label={t('resend.from')}
            value={fromSeq}
            min={1}
            max={seqMax}
            canBeEmpty
            onChange={(value) => set({ fromSeq: value })}
          />
          <NumberField
            label={t('resend.to')}
            description={t('resend.toText')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={toSeq}
            min={1}
            max={seqMax}
            canBeEmpty
            onChange={(value) => set({ toSeq: value })}
            error={isBackwards(fromSeq, toSeq) ? t('resend.backwards') : null}
          />
        </SimpleGrid>
      ) : (
        <MomentField
          label={t('resend.since')}
          error={null}
          value={since}
          onChange={(value) => set({ since: value })}
        />
      )}
    </>
  )
}

const seqMax = 999_999_999_999

function isBackwards(from: number | undefined, to: number | undefined): boolean {
  return from !== undefined && to !== undefined && to < from
}

/** Null while the fields name no events. */
function orderOf({ only, by, fromSeq, toSeq, since }: Fields): Order | null {
  if (by === 'time') return since === undefined ? null : { only, since }
  if ((fromSeq === undefined && toSeq === undefined) || isBackwards(fromSeq, toSeq)) return null
  return {
    only,
    ...(fromSeq === undefined ? {} : { fromSeq }),
    ...(toSeq === undefined ? {} : { toSeq }),
  }
}

function useCount({ webhookId }: WebhookAnswer, order: Order | null) {
  const fields = Object.entries(order ?? {}).map(([name, value]) => [name, String(value)])
  const [query] = useDebouncedValue(new URLSearchParams(fields).toString(), 300)
  return useRead<ResendCountAnswer>(
    ['webhook', webhookId, 'resend-count', query],
    `/api/v1/webhooks/${webhookId}/resend?${query}`,
    { enabled: order !== null && query !== '', staleTime: 0 },
  )
}

function Count({ order, count }: { order: Order | null; count: ReturnType<typeof useCount> }) {
  if (order !== null && count.isError) return <Failure error={count.error} />
  return (
    <Text size="sm" fw={600} role="status">
      {order === null
        ? t('resend.choose')
        : count.data === undefined
          ? t('resend.counting')
          : count.data.isComplete
            ? t('resend.count', { count: count.data.events })
            : t('resend.atLeast', { events: formatNumber(count.data.events) })}
    </Text>
  )
}

function Choice(props: {
  label: string
  value: string
  onChange: (value: string) => void
  options: Record<string, string>
  note?: string
}) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {props.label}
      </Text>
      <SegmentedControl
        aria-label={props.label}
        fullWidth
        value={props.value}
        onChange={props.onChange}
        data={Object.entries(props.options).map(([value, label]) => ({ value, label }))}
      />
      {props.note === undefined ? null : (
        <Text size="xs" c="dimmed">
          {props.note}
        </Text>
      )}
    </Stack>
  )
}
