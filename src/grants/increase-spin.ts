import { randomUUIDv7 } from 'node:crypto'
import type { CampaignRef } from '../campaign-ref.ts'
import type { OrderQueue } from '../orders/order-queue.ts'
import type { Merchant } from '../merchants/merchants.ts'
import type { Metrics } from '../metrics.ts'
import { shardOf } from '../players/shard.ts'
import { expiryRule } from '../players/spin-lots.ts'
import { Refusal } from '../refusals.ts'
import type { Trace } from '../tracing/trace.ts'
import type { Grant, GrantVerdict } from './grant.ts'

/** The part of the context that this operation needs. */
type GrantContext = {
  grants: Pick<OrderQueue<Grant & { shard: number }, GrantVerdict>, 'submit'>
  metrics: Pick<Metrics, 'grants'>
}

/** `key` is the caller's idempotency key, if it sent one. */
type SpinIncrease = {
  playerId: string
  spinNumber: number
  key: string | undefined
  reason?: string | undefined
  /** `main` by default. */
  campaign?: CampaignRef | undefined
  /** By default, the lifetime of the campaign's or merchant's spins counts. */
  expiresAt?: Date | undefined
  trace?: Trace | undefined
}

/** Adds spins to a player, who is created if missing (unless the merchant has strict players). */
export async function increaseSpin(
  ctx: GrantContext,
  merchant: Merchant,
  { playerId, spinNumber, key, reason, campaign, expiresAt, trace }: SpinIncrease,
): Promise<{ spinCount: number; isRepeat: boolean }> {
  const player = { merchantId: merchant.merchantId, playerId }
  const grant = {
    ...player,
    shard: shardOf(player),
    kind: 'grant' as const,
    amount: spinNumber,
    key: key ?? randomUUIDv7(),
    madeKey: key === undefined,
    reason: reason ?? null,
    campaign,
    expiry: expiryRule(merchant, campaign, expiresAt),
    mayCreatePlayer: !merchant.strictPlayers,
    callMax: merchant.grantMax,
    dailyMax: merchant.dailyGrantMax,
    clockAheadMs: merchant.clockAheadMs,
  }
  const verdict = await ctx.grants.submit(grant, trace)
  ctx.metrics.grants.inc({ outcome: verdict.outcome })
  if (verdict.outcome === 'refused') throw new Refusal(verdict.code, verdict)
  // A generated key can be replayed too: when a commit's result was unknown, we retried. The caller sees a first
  // answer.
  return { spinCount: verdict.balance, isRepeat: verdict.outcome === 'replayed' && key !== undefined }
}
