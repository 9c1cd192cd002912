import { type Queryable, statement } from '../db/database.ts'
import {
  failuresForgottenSeconds,
  signInDelaySecondsMax,
  signInFailuresFree,
  sourceLengthMax,
} from '../limits.ts'

type Attempt = { account: string; source: string }

/** The delay after this many failures: none for the first few, then 1, 2, 4 … seconds, up to a maximum. */
export function delaySeconds(failures: number): number {
  if (failures < signInFailuresFree) return 0
  return Math.min(2 ** (failures - signInFailuresFree), signInDelaySecondsMax)
}

/** The delay after 0, 1, 2 … failures. The last one applies to all further failures. */
const delays = Array.from({ length: signInFailuresFree + 11 }, (_, failures) => delaySeconds(failures))

/**
 * Counts an attempt as a failure before it is checked, and returns the seconds that it must wait; with 0 it may be
 * checked now. Check and count are one statement, so of a thousand concurrent attempts, over any number of processes,
 * as many are checked as if they came one after the other. Old failures are deleted here, so that made-up accounts
 * don't pile up.
 */
export async function countAttempt(db: Queryable, attempt: Attempt, now: Date): Promise<number> {
  const { account } = attempt
  const source = attempt.source.slice(0, sourceLengthMax)
  await db.query(deleteOld, [new Date(now.getTime() - failuresForgottenSeconds * 1000)])
  const counted = await db.query(count, [account, source, now, delays])
  if (counted.length > 0) return 0
  const [row] = await db.query(read, [account, source])
  if (row === undefined) return 1
  const waited = (now.getTime() - row.lastFailedAt.getTime()) / 1000
  return Math.max(1, Math.ceil(delaySeconds(row.failures) - waited))
}

/** Takes back one attempt that was counted but not checked. */
export async function uncountAttempt(db: Queryable, { account, source }: Attempt): Promise<void> {
  await db.query(uncount, [account, source.slice(0, sourceLengthMax)])
}

export async function forgetFailures(db: Queryable, { account, source }: Attempt): Promise<void> {
  await db.query(forget, [account, source.slice(0, sourceLengthMax)])
}

// The condition sees the locked row, including what others have counted meanwhile.
const count = statement<{ failures: number }>(`
insert into sign_in_failures as known (account, source, failures, last_failed_at)
values ($1, $2, 1, $3)
on conflict (account, source) do update
set failures = known.failures + 1, last_failed_at = greatest(known.last_failed_at, excluded.last_failed_at)
where known.last_failed_at + make_interval(
  secs => ($4::int[])[least(known.failures + 1, cardinality($4::int[]))]
) <= excluded.last_failed_at
returning failures`)

const read = statement<{ failures: number; lastFailedAt: Date }>(`
select failures, last_failed_at as "lastFailedAt"
from sign_in_failures
where account = $1
and source = $2`)

const uncount = statement(`
update sign_in_failures
set failures = failures - 1
where account = $1
and source = $2
and failures > 1`)

const forget = statement(`
delete from sign_in_failures
where account = $1
and source = $2`)

const deleteOld = statement(`
delete from sign_in_failures
where last_failed_at < $1`)
