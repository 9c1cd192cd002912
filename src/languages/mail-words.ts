/** The words of mails to players. Each folder beside this file is a language. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type english from './en/mail.json'
import { rightToLeft } from './right-to-left.ts'

type MailWords = typeof english

const folder = import.meta.dirname
const tags = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
)
const wordsOf = new Map<string, MailWords>(
  tags.map((tag) => [tag, JSON.parse(readFileSync(join(folder, tag, 'mail.json'), 'utf8'))]),
)

/** The tags of the languages that players are spoken to in. */
export const playerLanguages: readonly string[] = tags

/** In the wanted language, else in English. A region of a language gets the language. */
export function mailWords(wanted: string | null): {
  language: string
  direction: 'ltr' | 'rtl'
  words: MailWords
} {
  const base = (wanted ?? 'en').split('-')[0]?.toLowerCase() as string
  const language = wordsOf.has(base) ? base : 'en'
  const direction = rightToLeft.has(language) ? 'rtl' : 'ltr'
  return { language, direction, words: wordsOf.get(language) as MailWords }
}

/** Puts values in the places of a text: `{code}`. */
export function filled(text: string, values: Record<string, string>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

/** A prize that does not exist, to show how a message looks. */
export function samplePrize(wanted: string | null): string {
  const file = join(folder, mailWords(wanted).language, 'wheel-templates.json')
  return (JSON.parse(readFileSync(file, 'utf8')) as Record<'coffee.title', string>)['coffee.title']
}
