import { type Queryable, statement, untilDone } from '../db/database.ts'
import { timeOf } from '../test-clock.ts'

/** The time of a merchant of which only the number is known. */
export async function timeOfMerchant(
  { db, now }: { db: Queryable; now: () => Date },
  merchantId: number,
): Promise<Date> {
  const [clock] = await untilDone(() => db.query(read, [merchantId]))
  return timeOf(clock ?? {}, now())
}

const read = statement<{ clockAheadMs: number | null }>(`
select clock_ahead_ms as "clockAheadMs"
from merchants
where merchant_id = $1`)
