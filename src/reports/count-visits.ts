import type { Database, Queryable } from '../db/database.ts'
import { activityStepMs } from '../limits.ts'
import { countWeek } from './cohorts.ts'
import { countAgainFrom, type CountedMerchant, countNext, type Interval } from './next-interval.ts'
import { mondayOf, weeksBetween } from './report-days.ts'
import { moveVisits } from './visits.ts'

/**
 * Counts the next interval of visits and returning players, and returns whether there is more. It has a position of its
 * own, so that a database of an earlier version is counted from its beginning.
 */
export async function countVisits(
  db: Database,
  now: Date,
  stepMs = activityStepMs,
  of?: CountedMerchant,
): Promise<boolean> {
  return countNext(db, { work: 'visits', now, stepMs, of }, count)
}

/** Counts everything from a given time again. Nothing has to be forgotten: a known visit or week is not added again. */
export async function recountVisits(db: Database, moment: Date): Promise<boolean> {
  return countAgainFrom(db, { work: 'visits', moment }, async () => undefined)
}

async function count(tx: Queryable, interval: Interval): Promise<void> {
  await moveVisits(tx, interval)
  for (const week of weeksOf(interval)) await countWeek(tx, interval, week)
}

const dayMs = 86_400_000

/** The weeks that an interval may touch in some time zone, in order. */
function weeksOf({ from, to }: Interval): string[] {
  const weekAt = (ms: number) => mondayOf(new Date(ms).toISOString().slice(0, 10))
  return weeksBetween(weekAt(from.getTime() - dayMs), weekAt(to.getTime() + dayMs))
}
