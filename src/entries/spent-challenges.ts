import { type Queryable, statement } from '../db/database.ts'

/** Uses up the solution of a challenge. False if it was used before. */
export async function spendSolution(
  tx: Queryable,
  { nonce, expiresAt }: { nonce: string; expiresAt: Date },
): Promise<boolean> {
  return (await tx.query(spend, [nonce, expiresAt])).length === 1
}

/** An expired solution is refused anyway. */
export async function deleteExpiredSolutions(db: Queryable, now: Date): Promise<void> {
  await db.query(deleteExpired, [now])
}

const spend = statement<{ nonce: string }>(`
insert into spent_challenges (nonce, expires_at)
values ($1, $2)
on conflict (nonce) do nothing
returning nonce`)

const deleteExpired = statement(`
delete from spent_challenges
where expires_at < $1`)
