import type { ZxcvbnFactory, ZxcvbnResult } from '@zxcvbn-ts/core'
import { passwordCheckedLengthMax, passwordLengthMin } from '../limits.ts'

/** The owner of the new password. Attackers try words about the owner first. */
export type PasswordOwner = { email: string; name: string; merchants: readonly string[] }

/**
 * The number of guesses that a good program needs, as powers of ten: for the whole password, and for the rest without
 * the owner's words.
 */
const guessesLog10Min = { whole: 10, withoutOwnWords: 8 }

const advice = 'Choose four unrelated words, or let a password manager create a password.'

/** The reason why a password is too easy to guess, with advice; undefined if it is strong enough. */
export async function weaknessOf(password: string, owner: PasswordOwner): Promise<string | undefined> {
  if (password.length < passwordLengthMin)
    return `The password has fewer than ${passwordLengthMin} characters. ${advice}`
  const checker = await loadChecker()
  const words = ownWords(owner)
  const whole = checker.check(password, words)
  if (whole.guessesLog10 < guessesLog10Min.whole) return `${reasonFor(whole)} ${advice}`
  const rest = without(words, password)
  if (rest.length === password.length) return undefined
  const isMuch = checker.check(rest, words).guessesLog10 >= guessesLog10Min.withoutOwnWords
  return isMuch ? undefined : `${reasons.userInputs} ${advice}`
}

const reasons = {
  userInputs:
    'The password is mostly words that others know about you: your name, your address, the merchant or Wheelhouse.',
  dictionary: 'The password is one of the most common ones, or similar to one.',
  repeat: 'The password repeats the same characters.',
  order: 'The password follows the alphabet, the digits or the keyboard.',
  date: 'The password is mostly a date or a year.',
  other: 'The password is too easy to guess.',
}

/** The kind of pattern that makes up most of the password. */
function reasonFor({ sequence }: ZxcvbnResult): string {
  const known = sequence.filter(({ pattern }) => pattern !== 'bruteforce' && pattern !== 'separator')
  const [longest] = known.toSorted((one, other) => other.token.length - one.token.length)
  if (longest === undefined) return reasons.other
  if (longest.pattern === 'dictionary')
    return longest.dictionaryName === 'userInputs' ? reasons.userInputs : reasons.dictionary
  if (longest.pattern === 'repeat') return reasons.repeat
  if (longest.pattern === 'sequence' || longest.pattern === 'spatial') return reasons.order
  return longest.pattern === 'date' || longest.pattern === 'regex' ? reasons.date : reasons.other
}

/** Shorter words occur in too many others. */
function ownWords({ email, name, merchants }: PasswordOwner): string[] {
  const texts = [email, name, ...merchants, 'wheelhouse', 'spin the wheel']
  const words = texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
  return [...new Set(words.map((word) => word.toLowerCase()).filter((word) => word.length >= 3))]
}

function without(words: readonly string[], password: string): string {
  const longestFirst = words.toSorted((one, other) => other.length - one.length)
  return longestFirst.reduce((rest, word) => rest.replaceAll(word, ''), password.toLowerCase())
}

let checker: Promise<ZxcvbnFactory> | undefined

/** Loaded for the first new password: the lists of common ones take 50 MB. */
function loadChecker(): Promise<ZxcvbnFactory> {
  checker ??= makeChecker()
  return checker
}

async function makeChecker(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new Factory({ dictionary, graphs: adjacencyGraphs, maxLength: passwordCheckedLengthMax })
}
