import { escapeHtml } from '../escape-html.ts'
import { filled, mailWords } from '../languages/mail-words.ts'
import { linesInHtml, mailPage } from '../mail-page.ts'
import type { Mail, Picture } from '../mail.ts'
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
  const ours = { ...known.words[kind], language: known.language }
  const text = textFor(layers, { language, fallback: known.language, values }) ?? ours
  const subject = oneLine(filled(text.subject, values))
  const { about, rows } = aboutOf(facts, known.words)
  if (day !== '') rows.push([known.words.lastDay, day])
  const code = 'prize' in facts ? facts.code : null
  const pictures = code === null ? [] : [{ id: 'qr', png: qrPicture(code) }]
  const told = {
    lead: filled(text.lead, values),
    rows,
    button: about.button,
    why: filled(about.why, values),
    unsubscribe:
      'prize' in facts ? undefined : { text: known.words.unsubscribe.action, link: facts.unsubscribe },
  }
  return {
    subject,
    fromName: merchant,
    pictures,
    text: asText(told, facts.link),
    html: asHtml(told, {
      pictures,
      language: known.language,
      direction: known.direction,
      title: subject,
      link: facts.link,
      merchant,
      leadLanguage: text.language,
    }),
  }
}

function aboutOf(facts: MessageFacts, { aboutPrizes, aboutSpins }: ReturnType<typeof mailWords>['words']) {
  if (!('prize' in facts))
    return { about: aboutSpins, rows: [[aboutSpins.spins, String(facts.spins)]] as Rows }
  const rows: Rows = [[aboutPrizes.prize, oneLine(facts.prize)]]
  if (facts.code !== null) rows.push([aboutPrizes.code, facts.code])
  return { about: aboutPrizes, rows }
}

type Rows = [string, string][]
type Told = {
  lead: string
  rows: Rows
  button: string
  why: string
  unsubscribe: { text: string; link: string } | undefined
}

function asText({ lead, rows, button, why, unsubscribe }: Told, link: string): string {
  const lines = rows.map(([name, value]) => `${name}: ${value}`).join('\n')
  const end = unsubscribe === undefined ? '' : `\n${unsubscribe.text}:\n${unsubscribe.link}\n`
  return `${lead}\n\n${lines}\n\n${button}:\n${link}\n\n${why}\n${end}`
}

function asHtml(
  { lead, rows, button, why, unsubscribe }: Told,
  {
    pictures,
    link,
    merchant,
    leadLanguage,
    ...page
  }: {
    pictures: readonly Picture[]
    language: string
    direction: string
    title: string
    link: string
    merchant: string
    leadLanguage: string
  },
): string {
  const cells = rows
    .map(
      ([name, value]) =>
        `<tr><td class="dim" style="padding:6px 0 0;font-size:14px;color:#5a5f6b">${escapeHtml(name)}</td></tr>` +
        // Codes are read from left to right everywhere.
        `<tr><td style="padding:0 0 6px;font-size:20px;font-weight:bold"><bdi>${escapeHtml(value)}</bdi></td></tr>`,
    )
    .join('')
  // The code is there as text, which is read aloud; the picture is for the scanner at the till.
  const scanned = pictures.map(
    ({ id }) =>
      `<p style="margin:12px 0"><img src="cid:${id}" alt="" width="132" height="132" style="border-radius:8px"></p>`,
  )
  const wayOut =
    unsubscribe === undefined
      ? ''
      : ` <a class="dim" href="${escapeHtml(unsubscribe.link)}" style="color:#5a5f6b">${escapeHtml(unsubscribe.text)}</a>`
  const own = leadLanguage === page.language ? '' : ` lang="${leadLanguage}" dir="auto"`
  return mailPage({
    ...page,
    parts: [
      `<p style="margin:0 0 16px;font-size:14px;font-weight:bold">${escapeHtml(merchant)}</p>`,
      `<p style="margin:0 0 16px;font-size:18px;line-height:1.45"${own}>${linesInHtml(lead)}</p>`,
      `<table role="presentation" width="100%" cellpadding="0" cellspacing="0">${cells}</table>`,
      ...scanned,
      `<p style="margin:20px 0"><a class="button" href="${escapeHtml(link)}" style="display:inline-block;padding:14px 24px;border-radius:8px;background:#2347b8;color:#ffffff;font-size:16px;font-weight:bold;text-decoration:none">${escapeHtml(button)}</a></p>`,
      `<p class="dim" style="margin:0;font-size:13px;line-height:1.5;color:#5a5f6b">${escapeHtml(why)}${wayOut}</p>`,
    ],
  })
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
