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
  const { subject, text } = words[language.split('-')[0] as string] ?? english
  const name = nameInMail(merchant)
  return { to, subject: subject(code, name), text: `${subject(code, name)}\n\n${text}\n` }
}

type Words = { subject: (code: string, merchant: string) => string; text: string }

const english: Words = {
  subject: (code, merchant) => `${code} is your code for ${merchant}`,
  text: 'Type it where you entered. It is valid for ten minutes.\n\nIf you did not ask for it, do nothing.',
}

const words: Record<string, Words> = {
  de: {
    subject: (code, merchant) => `${code} ist Ihr Code für ${merchant}`,
    text: 'Geben Sie ihn dort ein, wo Sie teilgenommen haben. Er gilt zehn Minuten.\n\nWenn Sie ihn nicht angefordert haben, müssen Sie nichts tun.',
  },
  fr: {
    subject: (code, merchant) => `${code} est votre code pour ${merchant}`,
    text: "Saisissez-le là où vous avez participé. Il est valable dix minutes.\n\nSi vous ne l'avez pas demandé, ne faites rien.",
  },
  es: {
    subject: (code, merchant) => `${code} es su código para ${merchant}`,
    text: 'Escríbalo donde participó. Es válido durante diez minutos.\n\nSi no lo ha pedido, no haga nada.',
  },
  it: {
    subject: (code, merchant) => `${code} è il suo codice per ${merchant}`,
    text: "Lo inserisca dove ha partecipato. È valido per dieci minuti.\n\nSe non l'ha chiesto, non deve fare nulla.",
  },
}
