import { hash } from 'node:crypto'
import { type EntryField, type EntryTerms, type Labels, labelIn } from './form.ts'

/** Every text that a visitor may agree to has a hash; the texts themselves are kept by it. */
export function textHash(text: string): string {
  return hash('sha256', text)
}

/** The terms as one text, in a fixed order, with the closing time. Its hash names the version that a visitor saw. */
export function termsText(terms: EntryTerms, closesAt: Date | null): string {
  const { organiser, postalAddress, whoMayEnter, limitPerPerson, howToClaim, privacyAddress, address } = terms
  const texts = Object.entries(terms.texts).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const facts = { organiser, postalAddress, whoMayEnter, limitPerPerson, howToClaim, privacyAddress }
  return JSON.stringify({ ...facts, closesAt, address, texts: Object.fromEntries(texts) })
}

/** All texts of a version: its terms, and the words beside each box. */
export function textsOf(
  fields: readonly EntryField[],
  terms: EntryTerms,
  closesAt: Date | null,
): Map<string, string> {
  const consents = fields.filter(({ kind }) => kind === 'consent')
  const all = [termsText(terms, closesAt), ...consents.flatMap(({ labels }) => Object.values(labels))]
  return new Map(all.map((text) => [textHash(text), text]))
}

/** The hash of the words beside a box, as a visitor saw them. */
export function consentHash(labels: Labels, language: string): string {
  return textHash(labelIn(labels, language))
}
