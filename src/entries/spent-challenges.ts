import { type Queryable, statement } from '../db/database.ts'
import type { Refusal } from '../refusals.ts'
import { entriesPerHour } from './entry-limits.ts'
import type { EntrySettings } from './form.ts'

/** The solution of a challenge. */
export type Solution = { nonce: string; expiresAt: Date }

/** When a submission must have solved a challenge, and its solution, or why that does not count. */
export type Solved = {
  asked: EntrySettings['challenge']
  solution: Solution | Refusal | undefined
}

/** Whether it is asked for, after so many entries of the network in this hour. */
export function isAsked({ asked }: Solved, used: number): boolean {
  return asked === 'always' || (asked === 'suspicious' && used >= entriesPerHour.suspicious)
}

/** Uses up solutions. Returns the nonces of those that were not used before. */
export async function spendSolutions(
  tx: Queryable,
  solutions: readonly Solution[],
): Promise<ReadonlySet<string>> {
  if (solutions.length === 0) return new Set()
  const columns = [solutions.map(({ nonce }) => nonce), solutions.map(({ expiresAt }) => expiresAt)]
  return new Set((await tx.query(spend, columns)).map(({ nonce }) => nonce))
}

/** An expired solution is refused anyway. */
export async function deleteExpiredSolutions(db: Queryable, now: Date): Promise<void> {
  await db.query(deleteExpired, [now])
}

const spend = statement<{ nonce: string }>(`
insert into spent_challenges (nonce, expires_at)
select *
from unnest($1::text[], $2::timestamptz[]) as solved (nonce, expires_at)
order by nonce collate "C"
on conflict (nonce) do nothing
returning nonce`)

const deleteExpired = statement(`
delete from spent_challenges
where expires_at < $1`)
