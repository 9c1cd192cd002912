import { type Queryable, statement } from '../db/database.ts'
import type { CampaignKey } from './entry-rows.ts'
import type { Sealed } from './seal.ts'

/** A submission that waits for the code in the mail. */
export type EntrySession = CampaignKey &
  Sealed & {
    sessionId: string
    endsAt: Date
    formVersion: number
    language: string
    codeHash: Buffer
    sealedCode: Buffer | null
    codeExpiresAt: Date
    resendAt: Date
    attemptsLeft: number
    /** The visitor, once the code was typed. */
    playerId: string | null
  }

/** A code that was made for a session. `mailDueAt`: null if it is not mailed, at a test merchant. */
export type NewCode = Pick<
  EntrySession,
  'codeHash' | 'sealedCode' | 'codeExpiresAt' | 'resendAt' | 'attemptsLeft'
> & {
  mailDueAt: Date | null
}

export async function insertSessions(
  tx: Queryable,
  sessions: readonly (Omit<EntrySession, 'playerId'> & NewCode & { now: Date })[],
): Promise<void> {
  await tx.query(insert, [
    sessions.map(({ sessionId }) => sessionId),
    sessions.map(({ now }) => now),
    sessions.map(({ endsAt }) => endsAt),
    sessions.map(({ merchantId }) => merchantId),
    sessions.map(({ campaignId }) => campaignId),
    sessions.map(({ formVersion }) => formVersion),
    sessions.map(({ language }) => language),
    sessions.map(({ keyId }) => keyId),
    sessions.map(({ wrappedKey }) => wrappedKey),
    sessions.map(({ sealed }) => sealed),
    sessions.map(({ codeHash }) => codeHash),
    sessions.map(({ sealedCode }) => sealedCode),
    sessions.map(({ codeExpiresAt }) => codeExpiresAt),
    sessions.map(({ resendAt }) => resendAt),
    sessions.map(({ attemptsLeft }) => attemptsLeft),
    sessions.map(({ mailDueAt }) => mailDueAt),
  ])
}

export async function lockSession(tx: Queryable, sessionId: string): Promise<EntrySession | undefined> {
  const [found] = await tx.query(lock, [sessionId])
  return found
}

export async function readSession(db: Queryable, sessionId: string): Promise<EntrySession | undefined> {
  const [found] = await db.query(read, [sessionId])
  return found
}

/** The sessions of a campaign with a code that is accepted now, newest first. */
export async function listWaitingSessions(
  db: Queryable,
  { merchantId, campaignId }: CampaignKey,
  { now, limit }: { now: Date; limit: number },
): Promise<EntrySession[]> {
  return db.query(listWaiting, [merchantId, campaignId, now, limit])
}

export async function setCode(tx: Queryable, sessionId: string, code: NewCode): Promise<void> {
  await tx.query(updateCode, [sessionId, ...codeColumns(code)])
}

export async function countAttempt(tx: Queryable, sessionId: string): Promise<void> {
  await tx.query(useAttempt, [sessionId])
}

/** The visitor is in. What was typed is kept with the entry from now on. */
export async function endSession(tx: Queryable, sessionId: string, playerId: string): Promise<void> {
  await tx.query(end, [sessionId, playerId])
}

/** Sessions whose mail is due. Until `retryAt`, no other process takes them. */
export async function takeDueMails(
  db: Queryable,
  order: { now: Date; retryAt: Date; limit: number },
): Promise<(EntrySession & { mailTries: number })[]> {
  return db.query(takeDue, [order.now, order.retryAt, order.limit])
}

/** The mail of this code is sent, or given up. A newer code is left alone. */
export async function settleMail(
  db: Queryable,
  { sessionId, codeHash }: Pick<EntrySession, 'sessionId' | 'codeHash'>,
): Promise<void> {
  await db.query(settle, [sessionId, codeHash])
}

export async function deleteSessionsOf(
  tx: Queryable,
  player: { merchantId: number; playerId: string },
): Promise<void> {
  await tx.query(deleteOfPlayer, [player.merchantId, player.playerId])
}

export async function deleteEndedSessions(db: Queryable, now: Date): Promise<void> {
  await db.query(deleteEnded, [now])
}

function codeColumns(code: NewCode): unknown[] {
  return [
    code.codeHash,
    code.sealedCode,
    code.codeExpiresAt,
    code.resendAt,
    code.attemptsLeft,
    code.mailDueAt,
  ]
}

const columns = `
  session_id as "sessionId",
  ends_at as "endsAt",
  merchant_id as "merchantId",
  campaign_id as "campaignId",
  form_version as "formVersion",
  language,
  key_id as "keyId",
  wrapped_key as "wrappedKey",
  sealed,
  code_hash as "codeHash",
  sealed_code as "sealedCode",
  code_expires_at as "codeExpiresAt",
  resend_at as "resendAt",
  attempts_left as "attemptsLeft",
  player_id as "playerId"`

const insert = statement(`
insert into entry_sessions (
  session_id, created_at, ends_at, merchant_id, campaign_id, form_version, language, key_id, wrapped_key, sealed,
  code_hash, sealed_code, code_expires_at, resend_at, attempts_left, mail_due_at
)
select *
from unnest(
  $1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::int[], $5::int[], $6::int[], $7::text[], $8::text[],
  $9::bytea[], $10::bytea[], $11::bytea[], $12::bytea[], $13::timestamptz[], $14::timestamptz[], $15::int[],
  $16::timestamptz[]
)`)

const read = statement<EntrySession>(`
select ${columns}
from entry_sessions
where session_id = $1`)

// Every session ends later than its code; the index is on the end.
const listWaiting = statement<EntrySession>(`
select ${columns}
from entry_sessions
where ends_at > $3
and merchant_id = $1
and campaign_id = $2
and code_expires_at > $3
and attempts_left > 0
and player_id is null
and sealed_code is not null
order by ends_at desc, session_id desc
limit $4`)

const lock = statement<EntrySession>(`${read.text}
for update`)

const updateCode = statement(`
update entry_sessions
set
  code_hash = $2,
  sealed_code = $3,
  code_expires_at = $4,
  resend_at = $5,
  attempts_left = $6,
  mail_due_at = $7,
  mail_tries = 0
where session_id = $1`)

const useAttempt = statement(`
update entry_sessions
set attempts_left = attempts_left - 1
where session_id = $1`)

const end = statement(`
update entry_sessions
set
  player_id = $2,
  sealed = '',
  wrapped_key = '',
  sealed_code = null,
  mail_due_at = null
where session_id = $1`)

const takeDue = statement<EntrySession & { mailTries: number }>(`
update entry_sessions
set
  mail_due_at = $2,
  mail_tries = mail_tries + 1
where session_id in (
  select session_id
  from entry_sessions
  where mail_due_at <= $1
  order by mail_due_at
  limit $3
  for update skip locked
)
returning ${columns}, mail_tries as "mailTries"`)

const settle = statement(`
update entry_sessions
set mail_due_at = null, sealed_code = null
where session_id = $1
and code_hash = $2`)

const deleteOfPlayer = statement(`
delete from entry_sessions
where merchant_id = $1
and player_id = $2`)

const deleteEnded = statement(`
delete from entry_sessions
where ends_at < $1`)
