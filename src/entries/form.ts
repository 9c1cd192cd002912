/** The entry of a campaign as its merchant set it up: what visitors are asked, and under which terms. */
export type EntrySettings = {
  isOpen: boolean
  /** What a visitor gets, once per campaign. */
  spins: number
  /** Null: as many as come. */
  entriesMax: number | null
  verify: EntryVerify
  challenge: EntryChallengeRule
  refusesDisposable: boolean
  /** How long after the end of the campaign the answers are kept. */
  answersDays: number
  /** How long after its withdrawal the proof of a consent is kept. */
  consentYears: number
  fields: EntryField[]
  terms: EntryTerms
}

const ruleNames = [
  'isOpen',
  'spins',
  'entriesMax',
  'verify',
  'challenge',
  'refusesDisposable',
  'answersDays',
  'consentYears',
] as const
export const entrySettingNames = [...ruleNames, 'fields', 'terms'] as const

/** The settings without form and terms, which have versions. */
export function rulesOf(settings: EntrySettings): Pick<EntrySettings, (typeof ruleNames)[number]> {
  return Object.fromEntries(ruleNames.map((name) => [name, settings[name]])) as ReturnType<typeof rulesOf>
}

export const entryVerifies = ['code', 'none'] as const
type EntryVerify = (typeof entryVerifies)[number]

export const entryChallengeRules = ['suspicious', 'always', 'never'] as const
type EntryChallengeRule = (typeof entryChallengeRules)[number]

export const entryFieldKinds = ['email', 'name', 'phone', 'birth', 'choice', 'text', 'consent'] as const
type EntryFieldKind = (typeof entryFieldKinds)[number]

export const entryFieldTimes = ['entry', 'afterWin', 'toClaim'] as const
export type EntryFieldTime = (typeof entryFieldTimes)[number]

/** How the ids of visitors begin. */
export const visitorIdPrefix = 'visitor-'

/** By language (BCP 47). */
export type Labels = Record<string, string>

export type EntryField = {
  id: string
  kind: EntryFieldKind
  labels: Labels
  isRequired: boolean
  when: EntryFieldTime
  /** Of a choice. */
  options?: { id: string; labels: Labels }[]
  /** Of a consent. */
  purpose?: 'marketing' | 'other'
  /** Of a month of birth. */
  minimumAge?: number
}

/** The fields that are asked at a time, in order. */
export function askedAt(fields: readonly EntryField[], when: EntryFieldTime): EntryField[] {
  return fields.filter((field) => field.when === when)
}

/** Empty texts are missing: they are needed before the entry can be opened. */
export type EntryTerms = {
  organiser: string
  postalAddress: string
  whoMayEnter: string
  limitPerPerson: string
  howToClaim: string
  privacyAddress: string
  /** The whole terms by language, or else an address where they are. */
  texts: Labels
  address: string | null
}

/** An answer of a visitor to one field. */
export type EntryAnswer = string | boolean | { year: number; month: number }

/** The label in a language, or in one that it resembles, or in English, or else the first. */
export function labelIn(labels: Labels, language: string): string {
  const base = language.split('-')[0] as string
  const similar = Object.keys(labels).find((one) => one === base || one.startsWith(`${base}-`))
  return labels[language] ?? labels[similar ?? ''] ?? labels.en ?? Object.values(labels)[0] ?? ''
}
