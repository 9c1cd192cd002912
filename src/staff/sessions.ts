import { randomUUIDv7 } from 'node:crypto'
import { hashSecretText, isSecretText, makeSecretText } from '../crypto/secret-text.ts'
import { type Queryable, statement } from '../db/database.ts'
import { sessionIdleSeconds, sessionLifetimeSeconds, sessionSeenEverySeconds } from '../limits.ts'
import { type Staff, staffColumns } from './staff.ts'

type StaffSession = {
  sessionId: string
  createdAt: Date
  lastSeenAt: Date
  expiresAt: Date
  address: string
  browser: string
}

export type SignedIn = { sessionId: string; signedInAt: Date; staff: Staff }

/** Opens a session and returns its secret, which the browser keeps in a cookie. */
export async function openStaffSession(
  db: Queryable,
  order: { staffId: number; address: string; browser: string; now: Date },
): Promise<string> {
  const token = makeSecretText()
  const expiresAt = new Date(order.now.getTime() + sessionLifetimeSeconds * 1000)
  await db.query(deleteOver, [order.staffId, order.now, idleLimit(order.now)])
  await db.query(insert, [
    randomUUIDv7(),
    hashSecretText(token),
    order.staffId,
    order.now,
    expiresAt,
    order.address,
    // The client's text, which is shown to the person later.
    order.browser.replaceAll(/\p{Cc}/gu, '').slice(0, 300),
  ])
  return token
}

/**
 * The person who is signed in with this secret, if the session is alive. It is read for each request, so that its end
 * takes effect at once.
 */
export async function readStaffSession(
  db: Queryable,
  token: string,
  now: Date,
): Promise<SignedIn | undefined> {
  if (!isSecretText(token)) return undefined
  const [row] = await db.query(read, [hashSecretText(token), now, idleLimit(now)])
  if (row === undefined) return undefined
  const { sessionId, signedInAt, lastSeenAt, ...staff } = row
  if (now.getTime() - lastSeenAt.getTime() > sessionSeenEverySeconds * 1000)
    await db.query(touch, [sessionId, now])
  return { sessionId, signedInAt, staff }
}

export async function listStaffSessions(db: Queryable, staffId: number, now: Date): Promise<StaffSession[]> {
  return db.query(list, [staffId, now, idleLimit(now)])
}

/** Ends the session that a browser had before it signed in again. */
export async function endReplacedSession(db: Queryable, token: string | undefined): Promise<void> {
  if (token !== undefined && isSecretText(token)) await db.query(endByToken, [hashSecretText(token)])
}

export async function endStaffSession(
  db: Queryable,
  key: { staffId: number; sessionId: string },
): Promise<boolean> {
  return (await db.query(end, [key.staffId, key.sessionId])).length > 0
}

/** Ends all sessions of a person, except the one that requested it. */
export async function endStaffSessions(
  db: Queryable,
  staffId: number,
  exceptSessionId: string | null,
): Promise<void> {
  await db.query(endAll, [staffId, exceptSessionId])
}

function idleLimit(now: Date): Date {
  return new Date(now.getTime() - sessionIdleSeconds * 1000)
}

const insert = statement(`
insert into staff_sessions (session_id, token_sha256, staff_id, created_at, last_seen_at, expires_at, address, browser)
values ($1, $2, $3, $4, $4, $5, $6, $7)`)

const read = statement<{ sessionId: string; signedInAt: Date; lastSeenAt: Date } & Staff>(`
select
  staff_sessions.session_id as "sessionId",
  staff_sessions.last_seen_at as "lastSeenAt",
  staff_sessions.created_at as "signedInAt",
  ${staffColumns}
from staff_sessions
join staff using (staff_id)
where token_sha256 = $1
and expires_at > $2
and last_seen_at > $3`)

const touch = statement(`
update staff_sessions
set last_seen_at = greatest(last_seen_at, $2)
where session_id = $1`)

const list = statement<StaffSession>(`
select
  session_id as "sessionId",
  created_at as "createdAt",
  last_seen_at as "lastSeenAt",
  expires_at as "expiresAt",
  address,
  browser
from staff_sessions
where staff_id = $1
and expires_at > $2
and last_seen_at > $3
order by last_seen_at desc`)

const end = statement<{ sessionId: string }>(`
delete from staff_sessions
where staff_id = $1
and session_id = $2
returning session_id as "sessionId"`)

const endByToken = statement(`
delete from staff_sessions
where token_sha256 = $1`)

const endAll = statement(`
delete from staff_sessions
where staff_id = $1
and session_id is distinct from $2`)

const deleteOver = statement(`
delete from staff_sessions
where staff_id = $1
and (expires_at <= $2 or last_seen_at <= $3)`)
