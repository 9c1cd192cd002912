import { type Database, untilDone } from '../db/database.ts'
import { type BounceReport, judgeBounce } from '../mails/bounce-report.ts'
import { type DueMail, readMail, settleMail } from '../mails/mail-rows.ts'
import { timeOfMerchant } from '../merchants/test-clocks.ts'
import { Refusal } from '../refusals.ts'
import { afterMail } from './compose-message.ts'
import { findRecipient, foldedAddress } from './recipients.ts'

/**
 * A mail that the SMTP server accepted came back. An address is given up only if the report names the one that the
 * player has: everybody knows the id of a mail that they got, and could report others' addresses under it.
 * Returns false if no such mail is known.
 */
export async function takeBounce(
  ctx: { db: Database; now: () => Date },
  mailId: string,
  report: BounceReport,
): Promise<boolean> {
  const { db } = ctx
  const mail = await untilDone(() => readMail(db, mailId))
  if (mail === undefined) return false
  const state: string = mail.state
  if (state === 'sending')
    throw new Refusal('overloaded', { detail: 'The mail is being sent. Report it again.' })
  if (state === 'refused' || state === 'dropped') return true
  const verdict = judgeBounce(report)
  const now = await untilDone(() => timeOfMerchant(ctx, mail.merchantId))
  const { tries, unknowns } = mail
  const settled = { state: 'refused', dueAt: null, settledAt: now, tries, unknowns, reason: verdict } as const
  const outcome = { ...settled, verdict, reply: report.status }
  await untilDone(() =>
    db.transaction(async (tx) => {
      if (!(await settleMail(tx, { ...mail, state }, outcome))) return
      await afterMail(ctx, tx, { mail, outcome: { ...outcome, to: await addressOf(db, mail, report) } })
    }),
  )
  return true
}

async function addressOf(
  db: Database,
  mail: DueMail,
  { recipient }: BounceReport,
): Promise<string | undefined> {
  const address = (await findRecipient(db, mail))?.address
  const isTheirs = address !== undefined && foldedAddress(address) === foldedAddress(recipient)
  return isTheirs ? address : undefined
}
