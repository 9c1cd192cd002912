import type { Queryable } from '../db/database.ts'
import type { FallbackReason } from '../fairness/fallback-reasons.ts'
import { earliestMoment, isActive, type Pace } from '../fairness/pace.ts'
import { findPool } from '../stock/code-pools.ts'
import { type PaceRun, readRuns } from '../pacing/pace-runs.ts'
import { isLimited, readStocks } from '../stock/prize-stocks.ts'
import { budgetId } from '../pacing/check-paces.ts'
import { centsOf, isBudgeted } from '../wheel-document/published-text.ts'
import type { CurrentWheel } from '../wheels/published-wheels.ts'
import { isPaced, pacesOf } from '../pacing/start-runs.ts'
import { nextDay } from '../wheel-document/schedule.ts'
import type { WheelDocument, WheelSegment } from '../wheel-document/wheel-document.ts'
import { whyNot } from './prize-availability.ts'
import { readPlayerPrizes } from './plays.ts'

/** A segment whose prize a player can't win now. `until`: when it can be won again, if that is known. */
type UnavailablePrize = { segment: number; reason: FallbackReason; until: Date | null }
type Player = { shard: number; playerNo: number; merchantId: number; balance: number }

/**
 * The segments that would be replaced by the fallback if this player drew them now. Read without locks, so another
 * player's win may come between this answer and the next play.
 */
export async function unavailablePrizes(
  db: Queryable,
  current: CurrentWheel,
  player: Player,
  now: Date,
): Promise<UnavailablePrize[]> {
  const { document, wheelId } = current
  const { segments } = document
  const wheel = { merchantId: player.merchantId, wheelId }
  const pools = [...new Set(segments.flatMap(({ prize }) => prize.pool ?? []))]
  const counted = segments.filter((segment) => segment.limitPerPlayer !== undefined)
  const [runs, stocks, codes, won] = await Promise.all([
    isPaced(document) ? readRuns(db, wheel) : [],
    segments.some(isLimited) ? readStocks(db, wheel) : [],
    Promise.all(pools.map((pool) => findPool(db, { merchantId: player.merchantId, pool }))),
    counted.length === 0
      ? []
      : readPlayerPrizes(
          db,
          counted.map(({ id }) => ({ ...player, wheelId, prizeId: id })),
        ),
  ])
  return segments.flatMap((segment, index) => {
    const limits = {
      stock: stocks.find(({ prizeId }) => prizeId === segment.id),
      pool: codes.find((pool) => pool?.pool === segment.prize.pool),
      wonByPlayer: won.find(({ prizeId }) => prizeId === segment.id)?.won ?? 0,
      balance: player.balance - 1,
    }
    const paced = paceUnavailable(current, segment, runs, now)
    if (paced !== undefined) return [{ segment: index, ...paced }]
    const reason = whyNot(document, segment, limits, now)
    return reason === undefined
      ? []
      : [{ segment: index, reason, until: endOf(reason, segment, document, now) }]
  })
}

/**
 * Why the pace or the budget keeps a prize from everyone for some time: all units are given, or its time is not active.
 * Whether a unit is released at this moment is secret: players would wait for it. But the published pace of a budget
 * tells everyone when it can first have released the cost of a prize.
 */
function paceUnavailable(
  wheel: CurrentWheel,
  segment: WheelSegment,
  runs: readonly PaceRun[],
  now: Date,
): { reason: FallbackReason; until: Date | null } | undefined {
  const { prizes, budget } = pacesOf(wheel)
  const at = now.getTime()
  const next = ({ spans }: Pace): Date | null => {
    const start = spans.find(([one]) => one > at)?.[0]
    return start === undefined ? null : new Date(start)
  }
  const isSpent = (pace: Pace, prizeId: string, units: number): boolean => {
    const run = runs.find((one) => one.prizeId === prizeId && one.run === pace.run)
    return run !== undefined && run.awards + units > pace.units + run.returned
  }
  const own = prizes.get(segment.id)
  if (own !== undefined && isSpent(own, segment.id, 1)) return { reason: 'out_of_stock', until: null }
  if (own !== undefined && !isActive(own.spans, at)) return { reason: 'not_winnable_now', until: next(own) }
  if (budget === undefined || !isBudgeted(wheel.document, segment)) return undefined
  const cents = centsOf(segment.cost ?? 0)
  if (isSpent(budget, budgetId, cents)) return { reason: 'budget', until: null }
  const earliest = earliestMoment(budget, cents)
  if (at < earliest) return { reason: 'budget', until: new Date(earliest) }
  return isActive(budget.spans, at) ? undefined : { reason: 'budget', until: next(budget) }
}

/** Null if the prize stays unavailable, or if only the merchant can change that. */
function endOf(reason: FallbackReason, segment: WheelSegment, wheel: WheelDocument, now: Date): Date | null {
  const { winnableFrom, winnableUntil } = segment
  const until =
    reason === 'out_of_stock_today'
      ? nextDay(wheel, now)
      : reason === 'not_winnable_now' && winnableFrom !== undefined && now < new Date(winnableFrom)
        ? new Date(winnableFrom)
        : null
  const ends = [winnableUntil, wheel.closesAt].filter((end) => end !== undefined)
  return until === null || ends.some((end) => until >= new Date(end)) ? null : until
}
