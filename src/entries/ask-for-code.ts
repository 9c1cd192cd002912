import { readLiveKeys, readNewestKey } from '../crypto/signing-keys.ts'
import type { Queryable, Transaction } from '../db/database.ts'
import { untilDone } from '../db/database.ts'
import { Refusal } from '../refusals.ts'
import { isTest } from '../test-clock.ts'
import type { Context } from './entry-context.ts'
import { codeBudgets, tooMany, useBudgets } from './budgets.ts'
import { makeCode } from './codes.ts'
import { type EntrySession, lockSession, setCode } from './entry-sessions.ts'
import { readEntryKeyId, signEntryToken, verifyEntryToken } from './entry-tokens.ts'
import { findOpenEntry, type PublicEntry } from './find-entry.ts'
import { readWaiting } from './waiting.ts'

/** Another code for a session. The one before no longer counts. */
export async function resendCode(
  ctx: Context,
  address: { merchant: string; campaign: string },
  { session: token, network }: { session: string; network: string },
) {
  const found = await findOpenEntry(ctx, address)
  const sessionId = await readSessionId(ctx, found, token)
  const again = await ctx.entryTurns.run(found.entry.merchantId, () =>
    untilDone(() => ctx.db.transaction((tx) => resendInTransaction(tx, found, { sessionId, network }))),
  )
  return shownCode(again)
}

async function resendInTransaction(
  tx: Transaction,
  { merchant, now }: PublicEntry,
  { sessionId, network }: { sessionId: string; network: string },
): Promise<EntrySession> {
  const session = await lockLive(tx, sessionId, now)
  if (session.playerId !== null) throw new Refusal('entry_session_invalid')
  if (session.resendAt > now) throw tooMany(session.resendAt, now)
  const key = await keyOfSession(tx, session)
  const { secret } = await readNewestKey(tx, 'addresses')
  const { fold } = readWaiting(session, key)
  const use = { merchantId: merchant.merchantId, budgets: codeBudgets({ fold, network }) }
  const [used] = await useBudgets(tx, { secret, now }, [use])
  if (used?.refusal !== undefined) throw used.refusal
  const code = makeCode(sessionId, { key, isMailed: !isTest(merchant), now })
  await setCode(tx, sessionId, code)
  return { ...session, ...code }
}

/** A session that has not ended, locked. */
export async function lockLive(tx: Transaction, sessionId: string, now: Date): Promise<EntrySession> {
  const session = await lockSession(tx, sessionId)
  if (session === undefined || session.endsAt <= now) throw new Refusal('entry_session_invalid')
  return session
}

/** The key that a session was sealed with, also if it is no longer the newest. */
export async function keyOfSession(db: Queryable, { keyId }: EntrySession) {
  const key = (await readLiveKeys(db, 'answers')).find((one) => one.keyId === keyId)
  if (key === undefined) throw new Refusal('entry_session_invalid')
  return key
}

export function shownCode({ resendAt, codeExpiresAt, attemptsLeft }: EntrySession) {
  return {
    resendAt: resendAt.toISOString(),
    expiresAt: codeExpiresAt.toISOString(),
    attemptsLeft,
  }
}

/** The token by which the browser that asked for a code, and no other, can type it. */
export async function sessionToken(ctx: Context, session: EntrySession): Promise<string> {
  const claims = [session.merchantId, session.campaignId, session.sessionId]
  return signEntryToken('session', claims, await ctx.linkKeys.newest())
}

export async function readSessionId(ctx: Context, { entry }: PublicEntry, token: string): Promise<string> {
  const keyId = readEntryKeyId(token)
  const key = keyId === undefined ? undefined : await ctx.linkKeys.byId(keyId)
  const [merchantId, campaignId, sessionId] = (key && verifyEntryToken('session', token, key)) ?? []
  if (merchantId !== entry.merchantId || campaignId !== entry.campaignId)
    throw new Refusal('entry_session_invalid')
  return String(sessionId)
}
