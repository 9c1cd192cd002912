import { type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { tellDates } from '../campaigns/tell-dates.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { scheduledWork } from '../entries/scheduled-work.ts'
import { deleteOldEventsOf, retentionOf } from '../events/retention.ts'
import { clockAheadYearsMax, clockStepYearsMax } from '../limits.ts'
import { moveClock } from '../merchants/merchants.ts'
import { lockClock } from '../merchants/test-clocks.ts'
import { expireSpinsOf } from '../players/expire-spins.ts'
import { expirePrizesOf } from '../prizes/expire-prizes.ts'
import { Refusal } from '../refusals.ts'
import { countByClock } from '../reports/count-by-clock.ts'
import { timeOf } from '../test-clock.ts'
import { makeDueChanges } from '../scheduled/make-due-changes.ts'
import { firstUnsentSeq } from '../webhooks/webhook-cursors.ts'

type ClockContext = { db: Database; now: () => Date; config: Pick<Config, 'eventRetentionDays'> }

/**
 * Moves the clock of a test merchant to a later time, and does everything that is due by then. Returns the new time.
 * The clock runs on from there.
 */
export async function setClock(
  ctx: ClockContext,
  { merchantId, slug }: { merchantId: number; slug: string },
  to: Date,
  cause: Cause,
): Promise<Date> {
  const clockAheadMs = await ctx.db.transaction(async (tx) => {
    const before = await lockClock(tx, merchantId)
    if (before === null) throw new Refusal('test_merchant_needed')
    const realTime = ctx.now()
    refuseStep(timeOf({ clockAheadMs: before }, realTime), to, realTime)
    const after = to.getTime() - realTime.getTime()
    await moveClock(tx, merchantId, after)
    const subject = { kind: 'merchant', id: slug }
    const change = { merchantId, action: 'clock.set', subject, after: { now: to.toISOString() } }
    await recordChanges(tx, [change], cause)
    return after
  })
  await runDueWork(ctx, { merchantId, clockAheadMs })
  return timeOf({ clockAheadMs }, ctx.now())
}

function refuseStep(from: Date, to: Date, realTime: Date): void {
  if (to < from)
    throw new Refusal('clock_set_back', { detail: `The clock shows ${from.toISOString()} already.` })
  if (to > yearsAfter(from, clockStepYearsMax) || to > yearsAfter(realTime, clockAheadYearsMax))
    throw new Refusal('clock_step_too_large', {
      detail: `The clock shows ${from.toISOString()}, and a step takes at most ${clockStepYearsMax} years.`,
    })
}

function yearsAfter(start: Date, years: number): Date {
  const end = new Date(start)
  end.setUTCFullYear(end.getUTCFullYear() + years)
  return end
}

/** The work that otherwise happens in the background, some time after it is due. */
async function runDueWork(
  { db, now, config }: ClockContext,
  merchant: { merchantId: number; clockAheadMs: number },
): Promise<void> {
  const { merchantId } = merchant
  await makeDueChanges(db, now(), {
    make: scheduledWork,
    onTrouble: (error, key) => {
      if (key.merchantId === merchantId) throw error
    },
  })
  await tellDates(db, now())
  await expireSpinsOf(db, merchantId, now())
  await expirePrizesOf(db, merchantId, timeOf(merchant, now()))
  const times = retentionOf(config.eventRetentionDays, timeOf(merchant, now()))
  await deleteOldEventsOf(db, merchantId, { ...times, heldFrom: firstUnsentSeq })
  if (merchant.clockAheadMs > 0) await countByClock(db, now(), merchant)
}
