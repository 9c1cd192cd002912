import { Alert, Anchor, List } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { CampaignsAnswer } from '../../../../src/http/answers/campaigns.ts'
import type { PoolsAnswer } from '../../../../src/http/answers/code-pools.ts'
import type { TokensAnswer } from '../../../../src/http/answers/tokens.ts'
import type { WebhooksAnswer } from '../../../../src/http/answers/webhooks.ts'
import type { WheelAnswer, WheelsAnswer } from '../../../../src/http/answers/wheels.ts'
import { Icon } from '../../parts/icons.tsx'
import { useApi, useRead } from '../../session.tsx'
import { formatDistance, t } from '../../texts.ts'
import { useHeldNote } from '../held-prizes.ts'
import { useStocks } from './stock-left.tsx'

export const soonMs = 7 * 86_400_000
export const lowShare = 0.1

/** What needs attention, of all campaigns. */
export function Attention() {
  const held = useHeldNote()
  const notes = [
    ...(held === undefined
      ? []
      : [
          <To key="held" path={held.path}>
            {held.text}
          </To>,
        ]),
    ...useScheduleNotes(),
    ...useWheelNotes(),
    ...useStockNotes(),
    ...usePoolNotes(),
    ...useWebhookNotes(),
    ...useTokenNotes(),
  ]
  return <Notes notes={notes} />
}

/** Hidden if there are none. */
export function Notes({ notes }: { notes: ReactNode[] }) {
  if (notes.length === 0) return null
  return (
    <Alert color="orange" variant="light" icon={<Icon name="warning" />} title={t('attention.title')}>
      <List size="sm" spacing={4}>
        {notes.map((note, index) => (
          <List.Item key={index}>{note}</List.Item>
        ))}
      </List>
    </Alert>
  )
}

export function To({ path, children }: { path: string; children: ReactNode }) {
  const { merchant } = useApi()
  return (
    <Anchor component={Link} href={`/m/${merchant}${path}`} size="sm" c="inherit" underline="always">
      {children}
    </Anchor>
  )
}

/** Changes that were scheduled and failed. */
function useScheduleNotes(): ReactNode[] {
  const wheels = useRead<WheelsAnswer>(['wheels'], '/api/v1/wheels').data?.wheels ?? []
  const campaigns =
    useRead<CampaignsAnswer>(['campaigns', false], '/api/v1/campaigns?limit=100').data?.campaigns ?? []
  const failed = [
    ...wheels
      .filter(({ scheduledPublication: one }) => one !== null && one.failedAt !== null)
      .map(({ wheel, name }) => ({ path: `/wheels/${wheel}`, text: t('attention.notPublished', { name }) })),
    ...campaigns
      .filter(({ scheduledWheel: one }) => one !== null && one.failedAt !== null)
      .map(({ campaign, name }) => ({
        path: `/campaigns/${campaign}`,
        text: t('attention.notChanged', { name }),
      })),
  ]
  return failed.map(({ path, text }) => (
    <To key={path} path={path}>
      {text}
    </To>
  ))
}

function useWheelNotes(): ReactNode[] {
  const api = useApi()
  const wheels = useRead<WheelsAnswer>(['wheels'], '/api/v1/wheels')
  const live = (wheels.data?.wheels ?? []).filter((wheel) => wheel.publishedVersion !== null)
  const answers = useQueries({
    queries: live.map((wheel) => ({
      queryKey: [api.merchant, 'wheel-summary', wheel.wheel],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.get<WheelAnswer>(`/api/v1/wheels/${wheel.wheel}`, signal),
      staleTime: 60_000,
    })),
  })
  return live.flatMap((wheel, index) => {
    const path = `/wheels/${wheel.wheel}`
    if (wheel.pausedAt !== null)
      return [
        <To key="p" path={path}>
          {t('attention.paused', { wheel: wheel.name })}
        </To>,
      ]
    const closesAt = answers[index]?.data?.draft.closesAt
    const left = closesAt === undefined ? Infinity : new Date(closesAt).getTime() - Date.now()
    if (closesAt === undefined || left > soonMs) return []
    const text =
      left < 0
        ? t('attention.closed', { wheel: wheel.name })
        : t('attention.closing', { wheel: wheel.name, when: formatDistance(closesAt) })
    return [
      <To key="c" path={`${path}?tab=schedule`}>
        {text}
      </To>,
    ]
  })
}

function useStockNotes(): ReactNode[] {
  return (useStocks() ?? [])
    .filter(({ stock, given }) => stock !== null && stock > 0 && (stock - given) / stock < lowShare)
    .map(({ prize, label, wheel, stock, given }) => (
      <To key={prize} path={`/wheels/${wheel}`}>
        {t(stock === given ? 'attention.stockOut' : 'attention.stockLow', {
          prize: label,
          count: (stock ?? 0) - given,
        })}
      </To>
    ))
}

function usePoolNotes(): ReactNode[] {
  const pools = useRead<PoolsAnswer>(['code-pools'], '/api/v1/code-pools')
  return (pools.data?.pools ?? [])
    .filter(({ uploaded, taken }) => uploaded > 0 && (uploaded - taken) / uploaded < lowShare)
    .map(({ pool, uploaded, taken }) => (
      <To key={pool} path="/codes">
        {t('attention.poolLow', { pool, count: uploaded - taken })}
      </To>
    ))
}

function useWebhookNotes(): ReactNode[] {
  const webhooks = useRead<WebhooksAnswer>(['webhooks'], '/api/v1/webhooks')
  return (webhooks.data?.webhooks ?? [])
    .filter(({ state, failures }) => state === 'disabled' || failures > 0)
    .map(({ webhookId, url }) => (
      <To key={webhookId} path="/developers?tab=webhooks">
        {t('attention.webhookFailing', { url })}
      </To>
    ))
}

function useTokenNotes(): ReactNode[] {
  const tokens = useRead<TokensAnswer>(['tokens'], '/api/v1/tokens')
  return (tokens.data?.tokens ?? [])
    .filter(({ expiresAt, revokedAt }) => {
      const left = expiresAt === null ? Infinity : new Date(expiresAt).getTime() - Date.now()
      return revokedAt === null && left > 0 && left < soonMs
    })
    .map(({ tokenId, name, expiresAt }) => (
      <To key={tokenId} path="/developers">
        {t('attention.tokenExpires', { name, when: formatDistance(expiresAt ?? '') })}
      </To>
    ))
}
