import { allInOrder, type Database, type Queryable, untilDone } from '../db/database.ts'
import { insertEvents, type NewEvent } from '../events/event-pages.ts'
import { actorText, type Cause, type Change, recordChanges } from '../audit-log/audit-log.ts'
import { campaignOf } from '../campaign-ref.ts'
import { lockPlayers } from '../players/ledger.ts'
import type { RefusalReason } from '../prize-kinds/hold-rule.ts'
import { isSettledKind } from '../prize-kinds/prize-kinds.ts'
import { Refusal } from '../refusals.ts'
import type { PublishedWheels } from '../wheels/published-wheels.ts'
import type { WheelVersion } from '../wheel-document/wheel-types.ts'
import { decideSettlement, nextStep, type SettlementAction, stateAfter } from './decide-settlement.ts'
import { findPlays, type ListedPlay } from '../plays/play-lists.ts'
import { readHolds } from '../plays/prize-holds.ts'
import { giveBackStock } from './give-back-stock.ts'
import { insertSettlements, isFinal, readSettlements, type Settlement } from './prize-settlements.ts'

/** An order to settle a prize. Its key makes it safe to repeat. */
type SettlementOrder = {
  merchantId: number
  playId: string
  /** The player, needed if two players have a play with this id. */
  playerId: string | undefined
  /** The only campaign whose prizes the caller may settle; undefined for all. */
  campaignId?: number | undefined
  action: SettlementAction
  key: string
  reason: string | null
  /** Whether a cancelled prize returns to its stock. */
  returnsStock: boolean
  /** How long after a redemption it can be reversed. */
  reversalHours: number
  /** What else happens in its transaction, also of a repeat. */
  alongside?: (tx: Queryable) => Promise<void>
}

/** A player who claims in the wallet. The audit log is about everybody else. */
export const byPlayer = (now: Date) => ({ actor: 'player' as const, now })
type Author = Cause | ReturnType<typeof byPlayer>

/** Claims, redeems or cancels a prize, or takes its redemption back, exactly once, in one transaction. */
export async function settlePrize(
  { db, wheels }: { db: Database; wheels: PublishedWheels },
  order: SettlementOrder,
  cause: Author,
): Promise<'settled' | 'replayed'> {
  for (;;) {
    const play = await findPrize(db, order)
    const version = await wheels.version(play.wheelId, play.wheelVersion)
    const outcome = await untilDone(() =>
      db.transaction((tx) => settleInTransaction(tx, { order, play, version, cause })),
    )
    // The player was erased after its play was found; the prize now belongs to the pseudonym.
    if (outcome !== 'renamed') return outcome
  }
}

/** The play with this id whose prize can be settled. Won spins are given at once and can't be. */
export async function findPrize(
  db: Database,
  key: Pick<SettlementOrder, 'merchantId' | 'playId' | 'playerId' | 'campaignId'>,
): Promise<ListedPlay> {
  const found = await untilDone(() => findPlays(db, key))
  const wins = found.filter(
    (play) =>
      play.won &&
      isSettledKind(play.kind) &&
      (key.playerId === undefined || play.playerId === key.playerId) &&
      (key.campaignId === undefined || play.campaignId === key.campaignId),
  )
  if (wins.length > 1) throw new Refusal('play_ambiguous')
  const [play] = wins
  if (play === undefined) throw new Refusal('play_not_found')
  return play
}

async function settleInTransaction(
  tx: Queryable,
  {
    order,
    play,
    version,
    cause,
  }: { order: SettlementOrder; play: ListedPlay; version: WheelVersion; cause: Author },
): Promise<'settled' | 'replayed' | 'renamed'> {
  const [[player], steps, [hold]] = await allInOrder([
    lockPlayers(tx, [play]),
    readSettlements(tx, [play]),
    readHolds(tx, [play]),
  ])
  if (player === undefined) return 'renamed'
  const prize = {
    steps,
    claimBefore: hold?.claimBefore ?? play.claimBefore,
    isHeld: hold?.decision === null,
  }
  const verdict = decideSettlement(order.action, prize, { ...order, now: cause.now })
  if (verdict.outcome === 'refused') {
    const last = steps.at(-1)
    const isOver = last !== undefined && isFinal(last) && last.state !== 'expired'
    const isReusedKey = verdict.code === 'idempotency_key_reused'
    // A player need not know who did it.
    const isTold = isOver && !isReusedKey && cause.actor !== 'player'
    throw new Refusal(verdict.code, isTold ? { detail: whatHappened(last) } : verdict)
  }
  await order.alongside?.(tx)
  if (verdict.outcome === 'repeat') return 'replayed'
  const stockReturned =
    order.action === 'cancel' && order.returnsStock && (await giveBackStock(tx, play, version, cause.now))
  const settlement: Settlement = {
    ...play,
    step: nextStep(order.action, steps),
    state: stateAfter[order.action],
    wonAt: play.createdAt,
    // The lock orders requests, not the clocks that they read before it.
    settledAt: new Date(Math.max(cause.now.getTime(), ...steps.map((step) => step.settledAt.getTime()))),
    stockReturned,
    actor: cause.actor === 'player' ? cause.actor : actorText(cause.actor),
    key: order.key,
    reason: order.reason,
  }
  await allInOrder([
    insertSettlements(tx, [settlement]),
    insertEvents(tx, [settlementEvent(settlement, play)]),
    cause.actor === 'player'
      ? undefined
      : recordChanges(tx, [changeOf(order, settlement, play, steps)], cause),
  ])
  return 'settled'
}

function changeOf(
  { action, reason }: SettlementOrder,
  { merchantId, state, stockReturned }: Settlement,
  play: ListedPlay,
  steps: readonly Settlement[],
): Change {
  return {
    merchantId,
    action: `prize.${action === 'reverse' ? 'reverse_redemption' : action}`,
    subject: { kind: 'play', id: play.playId },
    before: { state: steps.at(-1)?.state ?? 'won' },
    after: { state, prize: play.prizeId, reason, stockReturned },
  }
}

/** The event of a settlement. */
export function settlementEvent(
  settlement: Settlement,
  play: Pick<ListedPlay, 'playerId' | 'playId' | 'prizeId' | 'campaign'>,
): NewEvent {
  const { merchantId, shard, settledAt: at, actor: by, reason, state, step } = settlement
  const where = { merchantId, shard, at }
  const { playerId, playId, prizeId, campaign } = play
  const data = { playerId, playId, prizeId, ...campaignOf({ slug: campaign }) }
  if (state === 'expired') return { ...where, type: 'prize.expired', data }
  if (state === 'refused')
    return { ...where, type: 'prize.refused', data: { ...data, by, reason: reason as RefusalReason } }
  const told = { ...data, by, ...(reason === null ? {} : { reason }) }
  if (state === 'claimed' && step > 1) return { ...where, type: 'prize.redemption_reversed', data: told }
  if (state !== 'cancelled') return { ...where, type: `prize.${state}`, data: { ...data, by } }
  return { ...where, type: 'prize.cancelled', data: told }
}

function whatHappened(last: Settlement): string {
  return `The prize was ${last.state} at ${last.settledAt.toISOString()} by ${last.actor}. Nothing was changed.`
}
