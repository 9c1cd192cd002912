import type { NewEvent } from '../events/event-pages.ts'
import type { LedgerEntry, PlayerKey } from './ledger.ts'

export function playerCreated(
  { merchantId, shard, playerId }: PlayerKey,
  at: Date,
): NewEvent<'player.created'> {
  return { merchantId, shard, type: 'player.created', at, data: { playerId } }
}

/** A player got spins. A key that was made here is of no use to anybody. */
export function spinsGranted(
  entry: LedgerEntry,
  { playerId, madeKey }: { playerId: string; madeKey?: boolean },
  at: Date,
): NewEvent<'spins.granted'> {
  const { merchantId, shard, kind, amount, balanceAfter, key, reason } = entry
  return {
    merchantId,
    shard,
    type: 'spins.granted',
    at,
    data: {
      playerId,
      amount,
      kind: kind === 'initial' || kind === 'prize' ? kind : 'grant',
      oldBalance: balanceAfter - amount,
      newBalance: balanceAfter,
      idempotencyKey: kind === 'grant' && madeKey !== true ? key : null,
      reason,
    },
  }
}
