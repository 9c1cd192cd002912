import { readLiveKeys } from '../crypto/signing-keys.ts'
import type { Queryable } from '../db/database.ts'
import { readCode } from './codes.ts'
import { entryCodesListed } from './entry-limits.ts'
import type { CampaignKey } from './entry-rows.ts'
import { listWaitingSessions } from './entry-sessions.ts'
import { readWaiting } from './waiting.ts'

type WaitingCode = { address: string; code: string; expiresAt: Date; attemptsLeft: number }

/** The codes that visitors of a test merchant are to type, newest first. Nothing is mailed there. */
export async function listCodes(db: Queryable, campaign: CampaignKey, now: Date): Promise<WaitingCode[]> {
  const sessions = await listWaitingSessions(db, campaign, { now, limit: entryCodesListed })
  const keys = await readLiveKeys(db, 'answers')
  return sessions.flatMap((session) => {
    const { sessionId, sealedCode, keyId, codeExpiresAt, attemptsLeft } = session
    const key = keys.find((one) => one.keyId === keyId)
    if (key === undefined || sealedCode === null) return []
    const { address } = readWaiting(session, key)
    const code = readCode({ sessionId, sealedCode }, key)
    return [{ address, code, expiresAt: codeExpiresAt, attemptsLeft }]
  })
}
