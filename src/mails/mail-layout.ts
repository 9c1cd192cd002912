import { escapeHtml } from '../escape-html.ts'
import { linesInHtml, mailPage } from '../mail-page.ts'
import type { Picture } from '../mail.ts'

export type MailRows = [name: string, value: string][]
type Link = { text: string; link: string }

/** What a mail says; the names and values of its rows are single lines. `why`: why the recipient gets it. */
type MailContent = {
  lead: string
  rows: MailRows
  pictures: readonly Picture[]
  button: Link
  why: string
  wayOut: Link | undefined
}
type Frame = {
  language: string
  /** The lead may be in another language than the rest. */
  leadLanguage: string
  direction: string
  title: string
  heading: string
}

/** A mail as text and HTML. Nothing in it is known by its colour alone. */
export function layOutMail(content: MailContent, frame: Frame): { text: string; html: string } {
  return { text: asText(content), html: asHtml(content, frame) }
}

function asText({ lead, rows, button, why, wayOut }: MailContent): string {
  const lines = rows.map(([name, value]) => `${name}: ${value}`).join('\n')
  const end = wayOut === undefined ? '' : `\n${wayOut.text}:\n${wayOut.link}\n`
  return `${lead}\n\n${lines}\n\n${button.text}:\n${button.link}\n\n${why}\n${end}`
}

function asHtml(
  { lead, rows, pictures, button, why, wayOut }: MailContent,
  { heading, leadLanguage, ...page }: Frame,
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
  const end =
    wayOut === undefined
      ? ''
      : ` <a class="dim" href="${escapeHtml(wayOut.link)}" style="color:#5a5f6b">${escapeHtml(wayOut.text)}</a>`
  const own = leadLanguage === page.language ? '' : ` lang="${leadLanguage}" dir="auto"`
  return mailPage({
    ...page,
    parts: [
      `<p style="margin:0 0 16px;font-size:14px;font-weight:bold">${escapeHtml(heading)}</p>`,
      `<p style="margin:0 0 16px;font-size:18px;line-height:1.45"${own}>${linesInHtml(lead)}</p>`,
      `<table role="presentation" width="100%" cellpadding="0" cellspacing="0">${cells}</table>`,
      ...scanned,
      `<p style="margin:20px 0"><a class="button" href="${escapeHtml(button.link)}" style="display:inline-block;padding:14px 24px;border-radius:8px;background:#2347b8;color:#ffffff;font-size:16px;font-weight:bold;text-decoration:none">${escapeHtml(button.text)}</a></p>`,
      `<p class="dim" style="margin:0;font-size:13px;line-height:1.5;color:#5a5f6b">${escapeHtml(why)}${end}</p>`,
    ],
  })
}
