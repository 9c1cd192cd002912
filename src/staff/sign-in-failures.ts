import { type Queryable, statement } from '../db/database.ts'
import {
  failuresForgottenSeconds,
  signInDelaySecondsMax,
  signInFailuresFree,
  sourceLengthMax,
} from '../limits.ts'

export type Attempt = { account: string; source: string }

/** How long to wait after this many failures: nothing for the first few, then 1, 2, 4 … seconds, up to a bound. */
export function delaySeconds(failures: number): number {
  if (failures < signInFailuresFree) return 0
  return Math.min(2 ** (failures - signInFailuresFree), signInDelaySecondsMax)
}

/** The seconds that an attempt still has to wait. */
export async function secondsToWait(db: Queryable, attempt: Attempt, now: Date): Promise<number> {
  const [row] = await db.query(read, [attempt.account, attempt.source])
  if (row === undefined) return 0
  const waited = (now.getTime() - row.lastFailedAt.getTime()) / 1000
  if (waited > failuresForgottenSeconds) return 0
  return Math.max(0, Math.ceil(delaySeconds(row.failures) - waited))
}

/** Counts a failure. What is long ago is forgotten on the way, so that made-up accounts don't pile up. */
export async function countFailure(db: Queryable, attempt: Attempt, now: Date): Promise<void> {
  const forgottenBefore = new Date(now.getTime() - failuresForgottenSeconds * 1000)
  await db.query(deleteOld, [forgottenBefore])
  await db.query(upsert, [attempt.account, attempt.source.slice(0, sourceLengthMax), now])
}

export async function forgetFailures(db: Queryable, attempt: Attempt): Promise<void> {
  await db.query(forget, [attempt.account, attempt.source])
}

const read = statement<{ failures: number; lastFailedAt: Date }>(`
select failures, last_failed_at as "lastFailedAt"
from sign_in_failures
where account = $1
and source = $2`)

const upsert = statement(`
insert into sign_in_failures (account, source, failures, last_failed_at)
values ($1, $2, 1, $3)
on conflict (account, source) do update
set failures = sign_in_failures.failures + 1, last_failed_at = greatest(sign_in_failures.last_failed_at, excluded.last_failed_at)`)

const forget = statement(`
delete from sign_in_failures
where account = $1
and source = $2`)

const deleteOld = statement(`
delete from sign_in_failures
where last_failed_at < $1`)
