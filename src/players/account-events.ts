import { campaignOf } from '../campaign-ref.ts'
import type { NewEvent } from '../events/event-pages.ts'
import type { LedgerEntry, PlayerKey } from './ledger.ts'
import type { SpinLot } from './spin-lots.ts'

export function playerCreated(
  { merchantId, shard, playerId }: PlayerKey,
  at: Date,
): NewEvent<'player.created'> {
  return { merchantId, shard, type: 'player.created', at, data: { playerId } }
}

/** A player got spins. A key that we generated is left out, because no caller knows it. */
export function spinsGranted(
  entry: Omit<LedgerEntry, 'playerNo' | 'entryNo' | 'campaignId' | 'purseId'>,
  { playerId, madeKey, campaign }: { playerId: string; madeKey?: boolean; campaign: Named },
  at: Date,
): NewEvent<'spins.granted'> {
  const { merchantId, shard, kind, amount, balanceAfter, key, reason, origin } = entry
  return {
    merchantId,
    shard,
    type: 'spins.granted',
    at,
    data: {
      playerId,
      amount,
      kind: kindsTold.find((one) => one === kind) ?? 'grant',
      oldBalance: balanceAfter - amount,
      newBalance: balanceAfter,
      idempotencyKey: kind === 'grant' && madeKey !== true ? key : null,
      reason,
      ...byOf(origin),
      ...campaignOf(campaign),
      ...(entry.expiresAt === undefined ? {} : { expiresAt: entry.expiresAt.toISOString() }),
    },
  }
}

const kindsTold = ['initial', 'prize', 'free', 'entry'] as const

type Named = { slug: string }

/** The balance was corrected by hand. */
export function spinsCorrected(
  entry: LedgerEntry,
  { playerId, campaign }: { playerId: string; campaign: Named },
  at: Date,
): NewEvent<'spins.corrected'> {
  const { merchantId, shard, amount, balanceAfter, reason, origin } = entry
  const balances = { oldBalance: balanceAfter - amount, newBalance: balanceAfter }
  return {
    merchantId,
    shard,
    type: 'spins.corrected',
    at,
    data: { playerId, amount, ...balances, reason: reason ?? '', ...byOf(origin), ...campaignOf(campaign) },
  }
}

/** A lot has expired. */
export function spinsExpired(
  { merchantId, shard, amount, balanceAfter, lots }: LedgerEntry,
  { playerId, expiresAt, campaign }: { playerId: string; expiresAt: Date; campaign: Named },
  at: Date,
): NewEvent<'spins.expired'> {
  const balances = { amount: -amount, oldBalance: balanceAfter - amount, newBalance: balanceAfter }
  const lot = { lot: lots?.[0]?.lotNo ?? 0, expiresAt: expiresAt.toISOString() }
  const data = { playerId, ...balances, ...lot, ...campaignOf(campaign) }
  return { merchantId, shard, type: 'spins.expired', at, data }
}

/** A lot will expire soon. */
export function spinsExpiring(
  { lotNo, spinsLeft, expiresAt }: SpinLot,
  { merchantId, shard, playerId, balance, campaign }: PlayerKey & { balance: number; campaign: Named },
  at: Date,
): NewEvent<'spins.expiring'> {
  const lot = { lot: lotNo, amount: spinsLeft, expiresAt: expiresAt.toISOString() }
  return {
    merchantId,
    shard,
    type: 'spins.expiring',
    at,
    data: { playerId, ...lot, balance, ...campaignOf(campaign) },
  }
}

function byOf(origin: string | undefined): { by?: string } {
  return origin === undefined ? {} : { by: origin }
}
