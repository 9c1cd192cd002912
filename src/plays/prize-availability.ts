import assert from 'node:assert/strict'
import type { FallbackReason } from '../fairness/fallback-reasons.ts'
import { balanceMax } from '../limits.ts'
import type { PrizeStock } from '../stock/prize-stocks.ts'
import { localDay } from '../wheel-document/schedule.ts'
import type { WheelDocument, WheelSegment } from '../wheel-document/wheel-document.ts'

/** Everything that can prevent a drawn prize from being given. These are locked rows; giving the prize updates them. */
type Limits = {
  stock: PrizeStock | undefined
  pool: { uploaded: number; taken: number } | undefined
  wonByPlayer: number
  balance: number
}

/** Why a drawn prize can't be given, or undefined if it can. */
export function whyNot(
  wheel: WheelDocument,
  segment: WheelSegment,
  limits: Limits,
  now: Date,
): FallbackReason | undefined {
  const { stock, pool } = limits
  const { prize } = segment
  if (segment.winnableFrom !== undefined && now < new Date(segment.winnableFrom)) return 'not_winnable_now'
  if (segment.winnableUntil !== undefined && now >= new Date(segment.winnableUntil)) return 'not_winnable_now'
  if (stock !== undefined && stock.stock !== null && stock.given >= stock.stock) return 'out_of_stock'
  if (prize.kind === 'pool' && (pool === undefined || pool.taken >= pool.uploaded)) return 'out_of_stock'
  if (segment.stockPerDay !== undefined && givenToday(stock, localDay(wheel, now)) >= segment.stockPerDay)
    return 'out_of_stock_today'
  if (hasReachedLimit(segment, limits.wonByPlayer)) return 'player_limit'
  if (prize.kind === 'spins' && limits.balance + (prize.spins ?? 0) > balanceMax) return 'player_limit'
  return undefined
}

/** Whether a player has won a prize as often as one player may. */
export function hasReachedLimit({ limitPerPlayer }: WheelSegment, wonByPlayer: number): boolean {
  return limitPerPlayer !== undefined && wonByPlayer >= limitPerPlayer
}

/** Takes one unit from a prize's stock. The counted day never moves back, even if this server's clock lags behind. */
export function takeFromStock(stock: PrizeStock, today: number): void {
  const day = Math.max(today, stock.day)
  stock.dayGiven = givenToday(stock, day) + 1
  stock.day = day
  stock.given += 1
}

/** How many units are left, and of how many, after one was taken. Undefined for an unlimited prize. */
export function leftOf(
  stock: PrizeStock | undefined,
  pool: Limits['pool'],
): { count: number; of: number } | undefined {
  const bounds = []
  if (stock !== undefined && stock.stock !== null)
    bounds.push({ count: stock.stock - stock.given, of: stock.stock })
  if (pool !== undefined) bounds.push({ count: pool.uploaded - pool.taken, of: pool.uploaded })
  return bounds.toSorted((one, other) => one.count - other.count)[0]
}

/** Returns a unit that was won on `day`. The daily limit gets it back only if that day is still being counted. */
export function returnToStock(stock: PrizeStock, day: number): void {
  assert(stock.given > 0)
  stock.given -= 1
  if (day === stock.day && stock.dayGiven > 0) stock.dayGiven -= 1
}

export function givenToday(stock: PrizeStock | undefined, today: number): number {
  return stock === undefined || today > stock.day ? 0 : stock.dayGiven
}
