import { type Queryable, statement } from '../db/database.ts'

/** A person who gives spins, how many the role allows per day, and the day in the merchant's time zone (`localDay`). */
export type Giver = { email: string; dailyMax: number; day: number }

/**
 * How many spins the person may still give today. It locks the allowance until the transaction ends, in all
 * processes. This lock comes before those on players.
 */
export async function lockAllowance(tx: Queryable, merchantId: number, giver: Giver): Promise<number> {
  const [row] = await tx.query(lock, [merchantId, giver.email, giver.day])
  return Math.max(0, giver.dailyMax - (row?.spins ?? 0))
}

export async function useAllowance(
  tx: Queryable,
  merchantId: number,
  { giver, spins }: { giver: Giver; spins: number },
): Promise<void> {
  if (spins > 0) await tx.query(add, [merchantId, giver.email, spins])
}

// A new day starts at zero. A clock that lags behind, or another time zone, does not bring back the previous day.
const lock = statement<{ spins: number }>(`
insert into staff_grants (merchant_id, staff, day, spins)
values ($1, $2, $3, 0)
on conflict (merchant_id, staff) do update
set
  day = greatest(staff_grants.day, excluded.day),
  spins = case when staff_grants.day < excluded.day then 0 else staff_grants.spins end
returning spins`)

const add = statement(`
update staff_grants
set spins = spins + $3
where merchant_id = $1
and staff = $2`)
