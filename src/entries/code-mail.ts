import { escapeHtml } from '../escape-html.ts'
import { filled, mailWords } from '../languages/mail-words.ts'
import { linesInHtml, mailPage } from '../mail-page.ts'
import type { Mail } from '../mail.ts'
import { nameInMail } from '../staff/staff-mails.ts'

/**
 * The mail with the code. Subject and first line begin with it, because that is what a telephone shows. Nothing in it
 * advertises, or it would itself need a consent.
 */
export function codeMail(
  to: string,
  { code, merchant, language }: { code: string; merchant: string; language: string },
): Mail & { html: string } {
  const known = mailWords(language)
  const words = known.words.address_code
  const subject = filled(words.subject, { code, merchant: nameInMail(merchant) })
  const parts = [
    `<p style="margin:0 0 16px;font-size:22px;line-height:1.4;font-weight:bold">${escapeHtml(subject)}</p>`,
    `<p style="margin:0;font-size:16px;line-height:1.5">${linesInHtml(words.text)}</p>`,
  ]
  const html = mailPage({ language: known.language, direction: known.direction, title: subject, parts })
  return { to, subject, text: `${subject}\n\n${words.text}\n`, html }
}
