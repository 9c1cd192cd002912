import type { Database, Transaction } from '../db/database.ts'
import { filled } from '../languages/mail-words.ts'
import type { Mail } from '../mail.ts'
import { layOutMail, type MailRows } from '../mails/mail-layout.ts'
import type { DueMail } from '../mails/mail-rows.ts'
import type { Composed } from '../mails/mail-sender.ts'
import type { Outcome } from '../mails/settle-reply.ts'
import { type Merchant, readMerchantByNumber } from '../merchants/merchants.ts'
import { nameInMail } from '../staff/staff-mails.ts'
import { isTest } from '../test-clock.ts'
import type { AlertCause } from './alert-causes.ts'
import { chosenCampaigns, listReaders, wants } from './alert-readers.ts'
import { alertWords } from './alert-words.ts'
import { summarize } from './causes/summary.ts'
import { findFindings } from './find-findings.ts'
import type { Finding } from './finding.ts'
import type { AlertData } from './plan-alerts.ts'
import { markOver } from './told-alerts.ts'

type ComposeNeeds = { db: Database; now: () => Date; publicUrl: string }

/** What is sent now. Role, choice and what is told are looked up at this moment. */
export async function composeAlert({ db, now, publicUrl }: ComposeNeeds, mail: DueMail): Promise<Composed> {
  const { staffId, cause, day, subjects } = mail.data as AlertData
  const { merchantId } = mail
  const merchant = await readMerchantByNumber(db, merchantId)
  const reader = (await listReaders(db, merchantId)).find((one) => one.staffId === staffId)
  if (merchant === undefined || reader === undefined) return { dropped: 'no_role' }
  const found = await findFindings[cause](db, [merchantId], now())
  const wanted = found.filter((one) => subjects.includes(one.subject) && wants(reader, cause, one))
  if (wanted.length === 0) return { dropped: 'no_longer_so' }
  const campaigns = wanted.flatMap((one) => chosenCampaigns(reader, cause, one.campaigns))
  const rows: MailRows =
    cause === 'daily_summary'
      ? await summarize(db, merchant, { day: subjects[0] ?? day, campaigns })
      : wanted.map(({ name, value }) => [name, value])
  if (rows.length === 0) return { dropped: 'nothing_happened' }
  const told = { cause, rows, day: subjects[0] ?? day, path: pathOf(cause, wanted) }
  const message = renderAlert(told, { merchant, email: reader.email, publicUrl })
  return { mail: { to: reader.email, ...message } }
}

/** That of the one thing, or of the list of them. */
function pathOf(cause: AlertCause, findings: readonly Finding[]): string {
  const [path, ...others] = new Set(findings.map((one) => one.path))
  return path === undefined || others.length > 0 ? alertWords[cause].path : path
}

function renderAlert(
  { cause, rows, day, path }: { cause: AlertCause; rows: MailRows; day: string; path: string },
  { merchant, email, publicUrl }: { merchant: Merchant; email: string; publicUrl: string },
): Required<Pick<Mail, 'subject' | 'text' | 'html' | 'fromName'>> {
  const words = alertWords[cause]
  const name = nameInMail(merchant.name)
  const console = `${publicUrl}/console/m/${merchant.slug}`
  const facts = { count: String(rows.length), day }
  const what = filled(rows.length === 1 ? words.subject.one : words.subject.many, facts)
  const subject = `${isTest(merchant) ? '[Test] ' : ''}${name}: ${what}`
  const content = {
    lead: filled(words.lead, facts),
    rows,
    pictures: [],
    button: { text: 'Open the console', link: `${console}${path}` },
    why: `You get this at ${email} because you chose it in the console of Wheelhouse, at most once a day.`,
    wayOut: { text: 'Change what you are told', link: `${console}/settings?tab=alerts` },
  }
  const heading = isTest(merchant) ? `${name} (test mode)` : name
  const frame = { language: 'en', leadLanguage: 'en', direction: 'ltr', title: subject, heading }
  return { subject, fromName: name, ...layOutMail(content, frame) }
}

/** A mail that has not arrived leaves what it tells to the next day. */
export async function afterAlert(tx: Transaction, mail: DueMail, { state }: Outcome): Promise<void> {
  if (state === 'sent' || state === 'planned') return
  const { staffId, cause, subjects } = mail.data as AlertData
  const { merchantId } = mail
  await markOver(
    tx,
    subjects.map((subject) => ({ merchantId, staffId, cause, subject })),
  )
}
