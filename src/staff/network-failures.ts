import { type Queryable, statement } from '../db/database.ts'
import { networkFailureSeconds, networkFailuresMax } from '../limits.ts'

/**
 * The limit for guesses that one network spreads over many accounts: a leaky bucket of failures. A limited number may
 * come at once, then one per interval. An office behind one address has its share of mistyped passwords; a success is
 * taken back and costs nothing.
 */
export async function countNetworkAttempt(db: Queryable, network: string, now: Date): Promise<number> {
  const emptySince = new Date(now.getTime() - networkFailuresMax * networkFailureSeconds * 1000)
  await db.query(deleteEmpty, [emptySince])
  const counted = await db.query(count, [network, now, networkFailuresMax, networkFailureSeconds])
  if (counted.length > 0) return 0
  const [row] = await db.query(read, [network, now, networkFailureSeconds])
  if (row === undefined) return 1
  return Math.max(1, Math.ceil((row.level + 1 - networkFailuresMax) * networkFailureSeconds))
}

export async function uncountNetworkAttempt(db: Queryable, network: string): Promise<void> {
  await db.query(uncount, [network])
}

/** The level of the bucket at the time `at`. */
const levelAt = (at: string, seconds: string) =>
  `greatest(0, known.level - greatest(0, extract(epoch from ${at} - known.counted_at)) / ${seconds})`

const count = statement<{ level: number }>(`
insert into sign_in_networks as known (network, level, counted_at)
values ($1, 1, $2)
on conflict (network) do update
set
  level = ${levelAt('excluded.counted_at', '$4::int')} + 1,
  counted_at = greatest(known.counted_at, excluded.counted_at)
where ${levelAt('excluded.counted_at', '$4::int')} + 1 <= $3::int
returning level`)

const read = statement<{ level: number }>(`
select (${levelAt('$2::timestamptz', '$3::int')})::double precision as level
from sign_in_networks as known
where network = $1`)

const uncount = statement(`
update sign_in_networks
set level = greatest(0, level - 1)
where network = $1`)

const deleteEmpty = statement(`
delete from sign_in_networks
where counted_at < $1`)
