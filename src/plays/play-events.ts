import { campaignOf } from '../campaign-ref.ts'
import type { NewEvent } from '../events/event-pages.ts'
import { lowStockShare } from '../limits.ts'
import { wonValues } from '../prize-kinds/prize-kinds.ts'
import { spinsGranted } from '../players/account-events.ts'
import type { WheelSegment } from '../wheel-document/wheel-document.ts'
import type { PlayResult } from './play-types.ts'

/** The events of a play: the play itself, the prize, spins that were won, and a stock that runs low. */
export function eventsOfPlay(result: PlayResult, now: Date): NewEvent[] {
  const { drawnPlay, play, entries } = result
  const { order, player } = drawnPlay
  const { merchantId, shard, playerId } = player
  const { document, slug: wheel, campaign } = order.wheel
  const segment = document.segments[play.segment] as WheelSegment
  const { id: prizeId, label, prize } = segment
  const about = { merchantId, shard, at: now }
  const [spent, extra] = entries
  const oldBalance = (spent?.balanceAfter ?? 0) + 1

  const events: NewEvent[] = [
    {
      ...about,
      type: 'play.completed',
      data: {
        playerId,
        playId: play.playId,
        playNo: play.playNo,
        wheel,
        wheelVersion: play.wheelVersion,
        segment: play.segment,
        label,
        won: play.won,
        prize: play.won ? { prizeId, kind: prize.kind, label } : null,
        fallbackReason: play.fallbackReason,
        oldBalance,
        newBalance: (extra ?? spent)?.balanceAfter ?? 0,
        ...campaignOf(campaign),
      },
    },
  ]
  if (play.won) {
    const won = { playerId, playId: play.playId, prizeId, wheel, label, kind: prize.kind }
    events.push(
      play.heldUntil
        ? {
            ...about,
            type: 'prize.held',
            data: { ...won, heldUntil: play.heldUntil.toISOString(), ...campaignOf(campaign) },
          }
        : {
            ...about,
            type: 'prize.won',
            data: {
              ...won,
              ...wonValues(prize, play.code),
              claimBefore: play.claimBefore?.toISOString() ?? null,
              ...campaignOf(campaign),
            },
          },
    )
  }
  if (extra !== undefined) events.push(spinsGranted(extra, { playerId, campaign }, now))
  const type = stockEventOf(result.left)
  if (type !== undefined) {
    events.push({ ...about, type, data: { wheel, prizeId, label, left: result.left?.count ?? 0 } })
  }
  return events
}

/** Sent once when a tenth of the stock is left, and once when nothing is left. */
export function stockEventOf(left: PlayResult['left']): 'prize.stock_low' | 'prize.stock_out' | undefined {
  if (left === undefined) return undefined
  if (left.count === 0) return 'prize.stock_out'
  return left.count === Math.floor(left.of * lowStockShare) ? 'prize.stock_low' : undefined
}
