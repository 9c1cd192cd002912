import type { FieldError } from '../refusals.ts'
import type { EntryField, EntrySettings, EntryTerms } from './form.ts'

/** What a schema can't say: whether fields fit together, and whether the entry can be opened. */
export function checkEntry(
  { isOpen, fields, terms }: Pick<EntrySettings, 'isOpen' | 'fields' | 'terms'>,
  { closesAt }: { closesAt: Date | null },
): FieldError[] {
  const errors = [...fields.flatMap(checkField), ...checkIds(fields)]
  if (!isOpen) return errors
  return [...errors, ...missingTerms(terms), ...(closesAt === null ? [noEnd] : [])]
}

/** The terms that every promotion needs. */
const needed = [
  'organiser',
  'postalAddress',
  'whoMayEnter',
  'limitPerPerson',
  'howToClaim',
  'privacyAddress',
] as const

const noEnd = {
  pointer: '/isOpen',
  detail: 'needs an end: give the campaign or its wheel a closing time, which the terms must name',
}

function missingTerms(terms: EntryTerms): FieldError[] {
  const missing = needed
    .filter((name) => terms[name].trim() === '')
    .map((name) => ({ pointer: `/terms/${name}`, detail: 'is needed before visitors can enter' }))
  const hasText = terms.address !== null || Object.keys(terms.texts).length > 0
  return hasText
    ? missing
    : [...missing, { pointer: '/terms/texts', detail: 'is needed, or an address where the terms are' }]
}

function checkIds(fields: readonly EntryField[]): FieldError[] {
  const emails = fields.filter(({ kind }) => kind === 'email')
  const ids = fields.map(({ id }) => id)
  const repeated = fields.flatMap(({ id }, index) =>
    ids.indexOf(id) === index ? [] : [{ pointer: `/fields/${index}/id`, detail: 'is used twice' }],
  )
  return emails.length === 1
    ? repeated
    : [...repeated, { pointer: '/fields', detail: 'must have exactly one field of the kind `email`' }]
}

function checkField(field: EntryField, index: number): FieldError[] {
  const { kind, isRequired, when, options, purpose, minimumAge, labels } = field
  const wrong = (name: string, detail: string) => [{ pointer: `/fields/${index}/${name}`, detail }]
  const optionIds = options?.map(({ id }) => id) ?? []
  return [
    ...(Object.keys(labels).length === 0 ? wrong('labels', 'needs at least one language') : []),
    ...(kind === 'email' && (when !== 'entry' || !isRequired)
      ? wrong('when', 'the address is always asked at the entry, and is required')
      : []),
    ...((kind === 'choice') === (options !== undefined)
      ? []
      : wrong('options', 'belongs to a choice, which needs it')),
    ...(new Set(optionIds).size === optionIds.length ? [] : wrong('options', 'has an id twice')),
    ...((kind === 'consent') === (purpose !== undefined)
      ? []
      : wrong('purpose', 'belongs to a consent, which needs it')),
    ...(minimumAge === undefined || kind === 'birth' ? [] : wrong('minimumAge', 'belongs to `birth`')),
    // A consent that is the price of a spin is not given freely (GDPR 7(4)).
    ...(purpose === 'marketing' && isRequired
      ? wrong('isRequired', 'a consent to marketing is never required')
      : []),
    // Nobody learns only after a win that they may not take part.
    ...(when === 'entry' || minimumAge === undefined
      ? []
      : wrong('minimumAge', 'belongs to a field that is asked at the entry')),
  ]
}
