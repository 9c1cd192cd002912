import { campaignOf, type CampaignRef } from '../campaign-ref.ts'
import { allInOrder, type Database, untilDone } from '../db/database.ts'
import { balanceMax } from '../limits.ts'
import { actorText, type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { otherThanBefore, type RefusalCode } from '../refusals.ts'
import { spinsCorrected } from './account-events.ts'
import {
  enter,
  keyHash,
  type KeyedEntry,
  lockPlayers,
  purseOf,
  readEntriesByKey,
  readPurses,
} from './ledger.ts'
import { afterExpiry, expireLots } from './expire-spins.ts'
import { readLots } from './lot-rows.ts'
import type { ExpiryRule } from './spin-lots.ts'
import { writeEntries } from './write-entries.ts'
import { shardOf } from './shard.ts'
import { type Giver, lockAllowance, useAllowance } from '../staff/staff-allowance.ts'

/** An order to change a balance by hand, up or down. Its key makes it safe to repeat. */
type Correction = {
  merchantId: number
  playerId: string
  amount: number
  key: string
  reason: string
  /** It may be archived or closed. */
  campaign: CampaignRef
  /** When spins that are added expire; undefined for never. */
  expiry?: ExpiryRule | undefined
  /** The person who adds spins, and the daily limit; undefined for a program. */
  giver?: Giver | undefined
}

type CorrectionVerdict =
  | { outcome: 'corrected' | 'replayed'; balance: number }
  | { outcome: 'refused'; code: RefusalCode; detail?: string; spinsLeft?: number }

/** Corrects a balance, with an entry of its own kind. It never falls below zero. The player may be blocked. */
export async function correctBalance(
  db: Database,
  correction: Correction,
  cause: Cause,
): Promise<CorrectionVerdict> {
  const { merchantId, amount, key, reason, campaign, giver } = correction
  const named = { ...correction, shard: shardOf(correction), kind: 'correction' as const }
  const change = { ...named, keyHash: keyHash(named) }
  return untilDone(() =>
    db.transaction(async (tx): Promise<CorrectionVerdict> => {
      const isGift = amount > 0 && giver !== undefined
      const spinsLeft = isGift ? await lockAllowance(tx, merchantId, giver) : Infinity
      const [locked, [earlier], givePurses] = await allInOrder([
        lockPlayers(tx, [change]),
        readEntriesByKey(tx, [change]),
        readPurses(tx, [change], () => campaign),
      ])
      givePurses(locked)
      const names = await readLots(tx, locked)
      const { all, ...expired } = expireLots(locked, { names, now: cause.now })
      const [player] = all
      const difference = earlier && differenceTo(earlier, correction)
      if (difference !== undefined)
        return { outcome: 'refused', code: 'idempotency_key_reused', detail: otherThanBefore(difference) }
      if (earlier !== undefined) return { outcome: 'replayed', balance: earlier.balanceAfter }
      if (player === undefined) return { outcome: 'refused', code: 'player_not_found' }
      const purse = purseOf(player, campaign)
      const before = purse.balance
      if (before + amount < 0) return { outcome: 'refused', code: 'balance_too_low' }
      if (before + amount > balanceMax) return { outcome: 'refused', code: 'balance_limit_exceeded' }
      if (amount > spinsLeft) return { outcome: 'refused', code: 'staff_grant_limit_exceeded', spinsLeft }
      const origin = actorText(cause.actor)
      const expires = correction.expiry && { rule: correction.expiry, now: cause.now }
      const entry = enter(player, { kind: 'correction', amount, key, reason, origin, campaign, expires })
      await allInOrder([
        writeEntries(
          tx,
          afterExpiry(expired, {
            entries: [entry],
            players: [player],
            events: [spinsCorrected(entry, correction, cause.now)],
            now: cause.now,
          }),
        ),
        recordChanges(
          tx,
          [
            {
              merchantId,
              action: 'player.correct',
              subject: { kind: 'player', shard: player.shard, playerNo: player.playerNo },
              before: { spinCount: before },
              after: { spinCount: purse.balance, amount, reason, ...campaignOf(campaign) },
            },
          ],
          cause,
        ),
        isGift ? useAllowance(tx, merchantId, { giver, spins: amount }) : undefined,
      ])
      return { outcome: 'corrected', balance: purse.balance }
    }),
  )
}

function differenceTo(earlier: KeyedEntry, { amount, campaign }: Correction): string | undefined {
  if (earlier.amount !== amount) return 'another number of spins'
  return earlier.campaignId === campaign.campaignId ? undefined : 'another campaign'
}
