import { escapeHtml } from '../escape-html.ts'
import { filled, mailWords } from '../languages/mail-words.ts'
import type { Mail } from '../mail.ts'
import { nameInMail } from '../staff/staff-mails.ts'
import type { MessageKind, MessageTexts } from './message-settings.ts'

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

/** A message as text and HTML. It is complete without pictures, and nothing in it is known by its colour alone. */
export function renderMessage(
  kind: MessageKind,
  { language, texts, facts }: { language: string | null; texts: MessageTexts; facts: MessageFacts },
): Required<Pick<Mail, 'subject' | 'text' | 'html' | 'fromName'>> {
  const known = mailWords(language)
  const own = texts[known.language] ?? texts[language ?? '']
  const { subject, lead } = own ?? known.words[kind]
  const merchant = nameInMail(facts.merchant)
  const day = facts.lastDay === null ? '' : dayText(facts.lastDay, known.language, facts.timeZone)
  const what = 'prize' in facts ? { prize: oneLine(facts.prize) } : { spins: String(facts.spins) }
  const values = { merchant, lastDay: day, ...what }
  const { about, rows } = aboutOf(facts, known.words)
  if (day !== '') rows.push([known.words.lastDay, day])
  const told = {
    lead: filled(lead, values),
    rows,
    button: about.button,
    why: filled(about.why, values),
    unsubscribe:
      'prize' in facts ? undefined : { text: known.words.unsubscribe.action, link: facts.unsubscribe },
  }
  return {
    subject: filled(subject, values),
    fromName: merchant,
    text: asText(told, facts.link),
    html: asHtml(told, { ...known, link: facts.link, title: filled(subject, values), merchant }),
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

/** Tables and inline styles, because mail programs know little else. Codes are read from left to right everywhere. */
function asHtml(
  { lead, rows, button, why, unsubscribe }: Told,
  {
    language,
    direction,
    link,
    title,
    merchant,
  }: { language: string; direction: string; link: string; title: string; merchant: string },
): string {
  const cells = rows
    .map(
      ([name, value]) =>
        `<tr><td class="dim" style="padding:6px 0 0;font-size:14px;color:#5a5f6b">${escapeHtml(name)}</td></tr>` +
        `<tr><td style="padding:0 0 6px;font-size:20px;font-weight:bold;word-break:break-word"><bdi>${escapeHtml(value)}</bdi></td></tr>`,
    )
    .join('')
  const wayOut =
    unsubscribe === undefined
      ? ''
      : ` <a class="dim" href="${escapeHtml(unsubscribe.link)}" style="color:#5a5f6b">${escapeHtml(unsubscribe.text)}</a>`
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>:root{color-scheme:light dark}
@media (prefers-color-scheme:dark){.page{background:#16181d!important}.card{background:#22252d!important;color:#f2f3f5!important}
.dim{color:#b4b9c4!important}.button{background:#9db7ff!important;color:#10131a!important}}</style></head>
<body class="page" style="margin:0;padding:16px;background:#eef0f4;font-family:system-ui,-apple-system,'Segoe UI',Arial,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#ffffff;color:#1b1e25;border-radius:12px">
<tr><td style="padding:24px" dir="${direction}">
<p style="margin:0 0 16px;font-size:14px;font-weight:bold">${escapeHtml(merchant)}</p>
<p style="margin:0 0 16px;font-size:18px;line-height:1.45">${escapeHtml(lead).replaceAll('\n', '<br>')}</p>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0">${cells}</table>
<p style="margin:20px 0"><a class="button" href="${escapeHtml(link)}" style="display:inline-block;padding:14px 24px;border-radius:8px;background:#2347b8;color:#ffffff;font-size:16px;font-weight:bold;text-decoration:none">${escapeHtml(button)}</a></p>
<p class="dim" style="margin:0;font-size:13px;line-height:1.5;color:#5a5f6b">${escapeHtml(why)}${wayOut}</p>
</td></tr></table></td></tr></table></body></html>
`
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

function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
}
