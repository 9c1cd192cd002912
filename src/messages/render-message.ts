import { filled, mailWords } from '../languages/mail-words.ts'
import type { Mail } from '../mail.ts'
import { layOutMail, type MailRows } from '../mails/mail-layout.ts'
import { qrPicture } from '../mails/qr-picture.ts'
import { nameInMail } from '../staff/staff-mails.ts'
import { type MessageKind, type MessageTexts, oneLine, textFor } from './message-texts.ts'

/** What a message says beside its texts. */
type SharedFacts = {
  merchant: string
  /** The moment at which it is over; null if there is none. */
  lastDay: Date | null
  timeZone: string
  link: string
}
type PrizeFacts = SharedFacts & {
  prize: string
  /** A code, or the number for the till. */
  code: string | null
  /** Whether it is still being checked. The merchant's own texts are for prizes that can be used. */
  isHeld?: boolean
}
type SpinFacts = SharedFacts & { spins: number; unsubscribe: string }
type MessageFacts = PrizeFacts | SpinFacts
export type RenderedMessage = Required<Pick<Mail, 'subject' | 'text' | 'html' | 'fromName' | 'pictures'>>

/**
 * A message as text and HTML. It is complete without pictures, and nothing in it is known by its colour alone.
 * `layers`: the texts of the campaign and of the merchant; ours are used if neither has one.
 */
export function renderMessage(
  kind: MessageKind,
  {
    language,
    layers,
    facts,
  }: { language: string | null; layers: readonly MessageTexts[]; facts: MessageFacts },
): RenderedMessage {
  const known = mailWords(language)
  const merchant = nameInMail(facts.merchant)
  const day = facts.lastDay === null ? '' : dayText(facts.lastDay, known.language, facts.timeZone)
  const what = 'prize' in facts ? { prize: oneLine(facts.prize) } : { spins: String(facts.spins) }
  const values = { merchant, lastDay: day, ...what }
  const isHeld = 'prize' in facts && facts.isHeld === true
  const ours = { ...known.words[isHeld ? 'held' : kind], language: known.language }
  const own = isHeld ? undefined : textFor(layers, { language, fallback: known.language, values })
  const text = own ?? ours
  const subject = oneLine(filled(text.subject, values))
  const { about, rows } = aboutOf(facts, known.words)
  if (day !== '') rows.push([known.words.lastDay, day])
  const code = 'prize' in facts ? facts.code : null
  const pictures = code === null ? [] : [{ id: 'qr', png: qrPicture(code) }]
  const told = {
    lead: filled(text.lead, values),
    rows,
    pictures,
    button: { text: about.button, link: facts.link },
    why: filled(about.why, values),
    wayOut: 'prize' in facts ? undefined : { text: known.words.unsubscribe.action, link: facts.unsubscribe },
  }
  const { language: page, direction } = known
  const frame = { language: page, direction, title: subject, heading: merchant, leadLanguage: text.language }
  return { subject, fromName: merchant, pictures, ...layOutMail(told, frame) }
}

function aboutOf(facts: MessageFacts, { aboutPrizes, aboutSpins }: ReturnType<typeof mailWords>['words']) {
  if (!('prize' in facts))
    return { about: aboutSpins, rows: [[aboutSpins.spins, String(facts.spins)]] as MailRows }
  const rows: MailRows = [[aboutPrizes.prize, oneLine(facts.prize)]]
  if (facts.code !== null) rows.push([aboutPrizes.code, facts.code])
  return { about: aboutPrizes, rows }
}

/** The last day on which something can be done; and the time, if it is over before that day ends. */
function dayText(over: Date, language: string, timeZone: string): string {
  const clock = new Intl.DateTimeFormat('en', { timeStyle: 'medium', hourCycle: 'h23', timeZone })
  const time = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const
  const isMidnight = clock.format(over) === '00:00:00'
  const day = { year: 'numeric', month: 'long', day: 'numeric', timeZone } as const
  const format = new Intl.DateTimeFormat(language, { ...day, ...(isMidnight ? {} : time) })
  return format.format(isMidnight ? over.getTime() - 1 : over)
}
