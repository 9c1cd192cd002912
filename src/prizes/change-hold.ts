import { actorText, type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { campaignOf } from '../campaign-ref.ts'
import { allInOrder, type Database, type Transaction, untilDone } from '../db/database.ts'
import { insertEvents, type NewEvent } from '../events/event-pages.ts'
import type { ListedPlay } from '../plays/play-lists.ts'
import { type PrizeHold, readHolds, recordDecision } from '../plays/prize-holds.ts'
import { lockPlayers } from '../players/ledger.ts'
import { wonValues } from '../prize-kinds/prize-kinds.ts'
import { Refusal } from '../refusals.ts'
import { giveBackCode } from '../stock/code-pools.ts'
import type { WheelSegment } from '../wheel-document/wheel-document.ts'
import type { WheelVersion } from '../wheel-document/wheel-types.ts'
import type { PublishedWheels } from '../wheels/published-wheels.ts'
import { decideHold, type HoldDecision } from './decide-hold.ts'
import { giveBackStock } from './give-back-stock.ts'
import { insertSettlements, readSettlements, type Settlement } from './prize-settlements.ts'
import { findPrize, settlementEvent } from './settle-prizes.ts'

type Order = { merchantId: number; playId: string; playerId: string | undefined } & HoldDecision

/**
 * Releases or refuses a held prize, in one transaction. A released prize is won from then on, with its claim period. A
 * refused one gives back its stock and its code, which nobody has seen.
 */
export async function changeHold(
  { db, wheels }: { db: Database; wheels: PublishedWheels },
  order: Order,
  cause: Cause,
): Promise<'decided' | 'replayed'> {
  for (;;) {
    const play = await findPrize(db, order)
    const version = await wheels.version(play.wheelId, play.wheelVersion)
    const outcome = await untilDone(() =>
      db.transaction((tx) => decideInTransaction(tx, { order, play, version, cause })),
    )
    // The player was erased after its play was found; the prize now belongs to the pseudonym.
    if (outcome !== 'renamed') return outcome
  }
}

type Change = { order: Order; play: ListedPlay; version: WheelVersion; cause: Cause }

async function decideInTransaction(
  tx: Transaction,
  change: Change,
): Promise<'decided' | 'replayed' | 'renamed'> {
  const { order, play } = change
  const [[player], [hold], [first]] = await allInOrder([
    lockPlayers(tx, [play]),
    readHolds(tx, [play]),
    readSettlements(tx, [play]),
  ])
  if (player === undefined) return 'renamed'
  const reasonBefore = first?.state === 'refused' ? first.reason : null
  const verdict = decideHold(order, { hold, reasonBefore })
  if (verdict.outcome === 'refused') throw new Refusal(verdict.code)
  if (verdict.outcome === 'repeat' || hold === undefined) return 'replayed'
  // The lock orders requests, not the clocks that they read before it.
  const now = new Date(Math.max(change.cause.now.getTime(), hold.heldAt.getTime()))
  await (order.decision === 'released' ? release(tx, change, hold, now) : refuse(tx, change, hold, now))
  return 'decided'
}

async function release(tx: Transaction, change: Change, hold: PrizeHold, now: Date): Promise<void> {
  const { play, version, cause } = change
  const segment = version.document.segments[play.segment] as WheelSegment
  const { claimWithinSeconds, prize, label } = segment
  const claimBefore =
    claimWithinSeconds === undefined ? null : new Date(now.getTime() + claimWithinSeconds * 1000)
  const { playerId, playId, prizeId, wheel } = play
  const campaign = campaignOf({ slug: play.campaign })
  const where = { merchantId: play.merchantId, shard: play.shard, at: now }
  const by = actorText(cause.actor)
  const won: NewEvent = {
    ...where,
    type: 'prize.won',
    data: {
      playerId,
      playId,
      prizeId,
      wheel,
      label,
      kind: prize.kind,
      ...wonValues(prize, hold.code),
      claimBefore: claimBefore?.toISOString() ?? null,
      ...campaign,
    },
  }
  await allInOrder([
    recordDecision(tx, { ...hold, decision: 'released', decidedAt: now, claimBefore }),
    insertEvents(tx, [
      { ...where, type: 'prize.released', data: { playerId, playId, prizeId, by, ...campaign } },
      won,
    ]),
    recordChanges(tx, [changeOf(change, hold, {})], cause),
  ])
}

async function refuse(tx: Transaction, change: Change, hold: PrizeHold, now: Date): Promise<void> {
  const { order, play, version, cause } = change
  const { pool } = (version.document.segments[play.segment] as WheelSegment).prize
  const stockReturned = await giveBackStock(tx, play, version, now)
  if (hold.code !== null && pool !== undefined)
    await giveBackCode(tx, { merchantId: play.merchantId, pool }, hold.code)
  const settlement: Settlement = {
    ...play,
    step: 2,
    state: 'refused',
    wonAt: play.createdAt,
    settledAt: now,
    stockReturned,
    actor: actorText(cause.actor),
    key: 'refusal',
    reason: order.reason,
  }
  await allInOrder([
    recordDecision(tx, { ...hold, decision: 'refused', decidedAt: now, code: null }),
    insertSettlements(tx, [settlement]),
    insertEvents(tx, [settlementEvent(settlement, play)]),
    recordChanges(tx, [changeOf(change, hold, { reason: order.reason, stockReturned })], cause),
  ])
}

function changeOf({ order, play }: Change, hold: PrizeHold, facts: object) {
  const isReleased = order.decision === 'released'
  return {
    merchantId: play.merchantId,
    action: isReleased ? 'prize.release' : 'prize.refuse',
    subject: { kind: 'play', id: play.playId },
    before: { state: 'held', because: hold.cause },
    after: { state: isReleased ? 'won' : 'refused', prize: play.prizeId, ...facts },
  }
}
