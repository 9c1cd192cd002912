import type { Queryable } from '../db/database.ts'
import { findPool } from '../stock/code-pools.ts'
import { isLimited, readStocks } from '../stock/prize-stocks.ts'
import type { CurrentWheel } from '../wheels/published-wheels.ts'
import { nextDay } from '../wheels/schedule.ts'
import type { WheelDocument, WheelSegment } from '../wheels/wheel-document.ts'
import { whyNot } from './prize-availability.ts'
import { type FallbackReason, readPlayerPrizes } from './plays.ts'

/** A segment whose prize a player can't win now. `until`: when it can be won again, if that is known. */
type UnavailablePrize = { segment: number; reason: FallbackReason; until: Date | null }
type Player = { shard: number; playerNo: number; merchantId: number; balance: number }

/**
 * The segments that would be replaced by the fallback if this player drew them now. Read without locks, so another
 * player's win may come between this answer and the next play.
 */
export async function unavailablePrizes(
  db: Queryable,
  { document, wheelId }: CurrentWheel,
  player: Player,
  now: Date,
): Promise<UnavailablePrize[]> {
  const { segments } = document
  const wheel = { merchantId: player.merchantId, wheelId }
  const pools = [...new Set(segments.flatMap(({ prize }) => prize.pool ?? []))]
  const counted = segments.filter((segment) => segment.limitPerPlayer !== undefined)
  const [stocks, codes, won] = await Promise.all([
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
    const reason = whyNot(document, segment, limits, now)
    return reason === undefined
      ? []
      : [{ segment: index, reason, until: endOf(reason, segment, document, now) }]
  })
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
