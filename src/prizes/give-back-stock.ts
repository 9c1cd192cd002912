import { allInOrder, type Queryable } from '../db/database.ts'
import { isAwardOf } from '../fairness/verify-run.ts'
import { budgetId } from '../pacing/check-paces.ts'
import { enterRun } from '../pacing/pace-gates.ts'
import { insertRunEntries, lockRuns, updateRuns } from '../pacing/pace-runs.ts'
import type { ListedPlay } from '../plays/play-lists.ts'
import { returnToStock } from '../plays/prize-availability.ts'
import { isLimited, lockStocks, updateStocks } from '../stock/prize-stocks.ts'
import { centsOf } from '../wheel-document/published-text.ts'
import { localDay } from '../wheel-document/schedule.ts'
import type { WheelSegment } from '../wheel-document/wheel-document.ts'
import type { WheelVersion } from '../wheel-document/wheel-types.ts'

/** Returns a cancelled or refused prize to its stock, if it was taken from one. */
export async function giveBackStock(
  tx: Queryable,
  play: ListedPlay,
  version: WheelVersion,
  now: Date,
): Promise<boolean> {
  const segment = version.document.segments[play.segment] as WheelSegment
  if (play.gates !== null) return giveBackUnits(tx, play, version, now)
  if (!isLimited(segment)) return false
  const [stock] = await lockStocks(tx, [{ ...play, prizeId: segment.id }])
  if (stock === undefined) return false
  returnToStock(stock, localDay(version.document, play.createdAt))
  await updateStocks(tx, [stock])
  return true
}

/** Returns units to the runs that they were taken from. A run that has ended takes none back: its list is final. */
async function giveBackUnits(
  tx: Queryable,
  play: ListedPlay,
  { document }: WheelVersion,
  now: Date,
): Promise<boolean> {
  const { merchantId, wheelId, playId, gates } = play
  const segment = document.segments[play.segment] as WheelSegment
  const fallback = document.segments.findIndex(({ id }) => id === document.fallback)
  const taken = (gates ?? []).filter((_, index, all) => isAwardOf(play, { fallback }, all, index))
  const keys = taken.map((gate) => {
    const prizeId = gate.segment === null ? budgetId : segment.id
    return { merchantId, wheelId, prizeId, run: gate.run }
  })
  const runs = (await lockRuns(tx, keys)).filter((run) => now < run.endsAt && run.endedAt === null)
  if (runs.length === 0) return false
  const entries = runs.map((run) => {
    const units = run.prizeId === budgetId ? centsOf(segment.cost ?? 0) : 1
    return enterRun(run, 'return', units, { playId, now })
  })
  await allInOrder([updateRuns(tx, runs), insertRunEntries(tx, entries)])
  return true
}
