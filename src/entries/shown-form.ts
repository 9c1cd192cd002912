/** The form and the terms as a visitor sees them, in one language. The console's preview uses this too. */
import { entryAnswerLengthMax, entryNameLengthMax } from './entry-limits.ts'
import { askedAt, type EntryField, type EntryFieldTime, type EntryTerms, labelIn } from './form.ts'

export function shownFields(fields: readonly EntryField[], language = '', when: EntryFieldTime = 'entry') {
  return askedAt(fields, when).map((field) => shownField(field, language))
}

function shownField({ id, kind, labels, isRequired, options, purpose }: EntryField, language: string) {
  const lengthMax = lengthMaxOf(kind)
  return {
    id,
    kind,
    label: labelIn(labels, language),
    isRequired,
    ...(options === undefined
      ? {}
      : { options: options.map((one) => ({ id: one.id, label: labelIn(one.labels, language) })) }),
    ...(purpose === undefined ? {} : { purpose }),
    ...(lengthMax === undefined ? {} : { lengthMax }),
  }
}

/** The most characters of an answer, if there is such a limit. */
export function lengthMaxOf(kind: EntryField['kind']): number | undefined {
  if (kind === 'name') return entryNameLengthMax
  return kind === 'text' ? entryAnswerLengthMax : undefined
}

export function shownTerms({ texts, address, ...facts }: EntryTerms, language = '') {
  const text = Object.keys(texts).length === 0 ? null : labelIn(texts, language)
  const shown = Object.entries(texts).find(([, one]) => one === text)?.[0] ?? language
  return { ...facts, text, address, language: shown }
}
