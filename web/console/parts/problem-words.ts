/** Refusals of the server in words for people who don't know its fields. */
import { Problem } from '../api.ts'
import { formatTime, hasText, t, type TextKey } from '../texts.ts'

/** The message of an error, as people read it. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Problem)) return error instanceof Error ? error.message : String(error)
  const [first, ...others] = error.errors
  if (error.code !== 'validation_failed' || first === undefined) return asPeopleWrite(error.message)
  const sentence = asSentence(`${placeOf(first.pointer)} ${plainDetail(first.detail)}`)
  return others.length === 0 ? sentence : `${sentence} ${t('problem.more', { count: others.length })}`
}

/** With local times, and people without `staff:` before their names. */
function asPeopleWrite(message: string): string {
  return message
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => formatTime(time))
    .replace(/\bby (?:staff|token):/, 'by ')
}

/** The last part of a pointer with the console's name of the field: `/codes/17` is "Line 18". */
function placeOf(pointer: string): string {
  const part = pointer.split('/').at(-1) ?? ''
  if (/^\d+$/.test(part)) return t('problem.line', { number: String(Number(part) + 1) })
  return hasText(`field.${part}`) ? t(`field.${part}` as TextKey) : t('problem.value')
}

const rules: [RegExp, (count: number) => string][] = [
  [/^must not have fewer than 1 characters/, () => t('problem.empty')],
  [/^must not have fewer than (\d+) characters/, (count) => t('problem.tooShort', { count })],
  [/^must not have more than (\d+) characters/, (count) => t('problem.tooLong', { count })],
  [/^must not have fewer than (\d+) items/, (count) => t('problem.tooFew', { count })],
  [/^must not have more than (\d+) items/, (count) => t('problem.tooMany', { count })],
  [/^must have required property/, () => t('problem.empty')],
  [/^must be >= (-?\d+)/, (count) => t('problem.min', { count })],
  [/^must be <= (-?\d+)/, (count) => t('problem.max', { count })],
  [/^must be (an )?integer/, () => t('problem.whole')],
  [/^must match format/, () => t('problem.format')],
  [/^must match pattern/, () => t('problem.pattern')],
  [/^must be (equal to )?(one of|constant)|^must match .*schema/, () => t('problem.choice')],
]

/** A detail of the server's validator in plain words. Other details are written for people already. */
export function plainDetail(detail: string): string {
  for (const [pattern, words] of rules) {
    const match = pattern.exec(detail)
    if (match !== null) return words(Number(match[1]))
  }
  return detail
}

export function asSentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(start) ? start : `${start}.`
}
