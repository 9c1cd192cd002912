/** The texts that merchants write for messages, and what they may name. Pure, and shared with the console. */
import { marketingKinds, prizeKinds } from '../mails/mail-kinds.ts'

/** The kinds of messages that a campaign can switch on. */
export const messageKinds = [...prizeKinds, ...marketingKinds] as const
export type MessageKind = (typeof messageKinds)[number]

/** What a text may name: the rest of a message is made by us, with the link to unsubscribe. */
export const placeholdersOf: Record<MessageKind, readonly string[]> = {
  won: ['merchant', 'prize', 'lastDay'],
  claim_ends: ['merchant', 'prize', 'lastDay'],
  // It is not known whether spins that wait expire.
  spins_waiting: ['merchant', 'spins'],
  spins_expire: ['merchant', 'spins', 'lastDay'],
}

const textParts = ['subject', 'lead'] as const
/** `lead`: the text above the prize or the spins. */
export type MessageText = Record<(typeof textParts)[number], string>
/** By language. */
export type MessageTexts = Record<string, MessageText>

export const textLengthMax = { subject: 150, lead: 1_000 } as const

/** Texts as they are stored: a subject is one line, and nothing has control characters. */
export function cleaned(texts: MessageTexts): MessageTexts {
  return Object.fromEntries(
    Object.entries(texts).map(([language, { subject, lead }]) => [
      language,
      { subject: oneLine(subject), lead: severalLines(lead) },
    ]),
  )
}

export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
}

function severalLines(text: string): string {
  const lines = text.replaceAll(/\r\n?|[\u2028\u2029]/g, '\n').replaceAll('\t', ' ')
  return lines.replaceAll(/[^\n\P{Cc}]/gu, '').trim()
}

/** What is wrong with a text, by its parts. */
export function textProblems(
  kind: MessageKind,
  text: MessageText,
): { part: keyof MessageText; detail: string }[] {
  return textParts.flatMap((part) => problemsIn(kind, text[part]).map((detail) => ({ part, detail })))
}

function problemsIn(kind: MessageKind, text: string): string[] {
  if (text.trim() === '') return ['must not be empty']
  const known = placeholdersOf[kind]
  const names = known.map((name) => `{${name}}`).join(', ')
  const unknown = namesIn(text).filter((name) => !known.includes(name))
  if (unknown.length > 0) return unknown.map((name) => `has {${name}}, but knows only ${names}`)
  const isBroken = /[{}]/.test(text.replaceAll(placeholder, ''))
  return isBroken ? [`has a brace that belongs to no placeholder; known are ${names}`] : []
}

/**
 * The text for a reader, and its language: in the reader's own, or else in `fallback`, that of the rest of the message.
 * The first layer counts first, and a text that names something that this message lacks is passed over.
 */
export function textFor(
  layers: readonly MessageTexts[],
  {
    language,
    fallback,
    values,
  }: { language: string | null; fallback: string; values: Record<string, string> },
): (MessageText & { language: string }) | undefined {
  const own = language === null ? fallback : canonical(language)
  const base = own.split('-')[0] as string
  for (const tags of [[own, base], [fallback]])
    for (const layer of layers)
      for (const tag of tags) {
        const [, text] = Object.entries(layer).find(([one]) => canonical(one) === tag) ?? []
        if (text !== undefined && hasAll(text, values)) return { ...text, language: tag }
      }
  return undefined
}

/** `DE` is `de`, and `pt-br` is `pt-BR`. Merchants' systems write them as they like. */
function canonical(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? tag
  } catch {
    // It has the form of a tag, but isn't one.
    return tag
  }
}

function hasAll({ subject, lead }: MessageText, values: Record<string, string>): boolean {
  return namesIn(`${subject}\n${lead}`).every((name) => values[name] !== undefined && values[name] !== '')
}

const placeholder = /\{([^{}]*)\}/g

function namesIn(text: string): string[] {
  return [...text.matchAll(placeholder)].map(([, name]) => name as string)
}
