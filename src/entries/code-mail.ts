import { filled, mailWords } from '../languages/mail-words.ts'
import type { Mail } from '../mail.ts'
import { nameInMail } from '../staff/staff-mails.ts'

/**
 * The mail with the code. Subject and first line begin with it, because that is what a telephone shows. Nothing in it
 * advertises, or it would itself need a consent.
 */
export function codeMail(
  to: string,
  { code, merchant, language }: { code: string; merchant: string; language: string },
): Mail {
  const words = mailWords(language).words.address_code
  const subject = filled(words.subject, { code, merchant: nameInMail(merchant) })
  return { to, subject, text: `${subject}\n\n${words.text}\n` }
}
