import { type Queryable, statement, untilDone } from '../db/database.ts'
import { type Clocked, timeOf } from '../test-clock.ts'

/** The time of a merchant of which only the number is known. */
export async function timeOfMerchant(
  { db, now }: { db: Queryable; now: () => Date },
  merchantId: number,
): Promise<Date> {
  const [clock] = await untilDone(() => db.query(read, [merchantId]))
  return timeOf(clock ?? {}, now())
}

/** The test merchants whose clocks are ahead. */
export async function readClocks(db: Queryable): Promise<(Clocked & { merchantId: number })[]> {
  return db.query(readAhead)
}

/** Locks a test merchant and returns how far its clock is ahead; null for a live merchant. */
export async function lockClock(tx: Queryable, merchantId: number): Promise<number | null> {
  const [clock] = await tx.query(lock, [merchantId])
  return clock?.clockAheadMs ?? null
}

const read = statement<{ clockAheadMs: number | null }>(`
select clock_ahead_ms as "clockAheadMs"
from merchants
where merchant_id = $1`)

const readAhead = statement<Clocked & { merchantId: number }>(`
select merchant_id as "merchantId", clock_ahead_ms as "clockAheadMs"
from merchants
where clock_ahead_ms > 0
and replaced_at is null`)

const lock = statement<{ clockAheadMs: number | null }>(`
select clock_ahead_ms as "clockAheadMs"
from merchants
where merchant_id = $1
for update`)
