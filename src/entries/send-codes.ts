import type { Logger } from 'pino'
import { readLiveKeys } from '../crypto/signing-keys.ts'
import { type Database, type Queryable, statement } from '../db/database.ts'
import type { Mailer } from '../mail.ts'
import { findAddress } from './address-keys.ts'
import { codeMail } from './code-mail.ts'
import { readCode } from './codes.ts'
import { entryMailRetryMs, entryMailsAtOnce, entryMailTriesMax } from './entry-limits.ts'
import { type EntrySession, settleMail, takeDueMails } from './entry-sessions.ts'
import { readWaiting } from './waiting.ts'

/** Mails the codes that are due. A crash in between may send one twice; it is the same code. */
export async function sendDueCodes(
  { db, mail, log }: { db: Database; mail: Mailer; log: Logger },
  now: Date,
): Promise<'more' | 'done'> {
  const retryAt = new Date(now.getTime() + entryMailRetryMs)
  const due = await takeDueMails(db, { now, retryAt, limit: entryMailsAtOnce })
  if (due.length === 0) return 'done'
  const keys = await readLiveKeys(db, 'answers')
  await Promise.all(
    due.map(async (session) => {
      const key = keys.find(({ keyId }) => keyId === session.keyId)
      const isSent = key === undefined || (await sendCode(db, mail, { session, key }))
      if (isSent) return settleMail(db, session)
      if (session.mailTries < entryMailTriesMax) return
      log.warn({ sessionId: session.sessionId }, 'a code was not mailed, and is given up')
      await settleMail(db, session)
    }),
  )
  return due.length === entryMailsAtOnce ? 'more' : 'done'
}

/** True also if nothing is to be sent: the visitor of the address was erased, and nobody mails it again. */
async function sendCode(
  db: Queryable,
  mail: Mailer,
  { session, key }: { session: EntrySession; key: { keyId: string; secret: Buffer } },
): Promise<boolean> {
  const { sessionId, merchantId, language, sealedCode } = session
  const [merchant] = await db.query(readName, [merchantId])
  if (merchant === undefined || sealedCode === null) return true
  const { fold, address } = readWaiting(session, key)
  const owner = await findAddress(db, { merchant, fold })
  if (owner?.playerId === null) return true
  const code = readCode({ sessionId, sealedCode }, key)
  return mail.send(codeMail(address, { code, merchant: merchant.name, language }))
}

const readName = statement<{ merchantId: number; slug: string; name: string }>(`
select merchant_id as "merchantId", slug, name
from merchants
where merchant_id = $1`)
