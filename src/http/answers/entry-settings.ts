import { type Static, Type } from 'typebox'
import { entryChallengeRules, entryFieldKinds, entryFieldTimes, entryVerifies } from '../../entries/form.ts'
import {
  answersDaysMax,
  consentYearsMax,
  entryFieldsMax,
  entryLabelLengthMax,
  entryOptionsMax,
  entrySpinsMax,
  entryTermsLengthMax,
} from '../../entries/entry-limits.ts'
import { reasonLengthMax } from '../../limits.ts'
import { languagePattern, linesPattern } from '../../text-patterns.ts'
import { textPattern } from './patterns.ts'
import { type Page, PageOf } from './page.ts'
import { MaybeTime, nullable, Time } from './shapes.ts'

/** The entry of a campaign, as its merchant sets it up. */

const fieldIdPattern = '^[a-z][a-z0-9_]{0,39}$'
export const FieldId = Type.String({ pattern: fieldIdPattern, examples: ['email'] })

const ByLanguage = (lengthMax: number, pattern: string, description: string) =>
  Type.Record(
    Type.String({ pattern: languagePattern }),
    Type.String({ minLength: 1, maxLength: lengthMax, pattern }),
    { additionalProperties: false, description },
  )

const Labels = ByLanguage(entryLabelLengthMax, textPattern, 'By language (BCP 47).')

const Field = Type.Object({
  id: FieldId,
  kind: Type.Enum([...entryFieldKinds]),
  labels: Labels,
  isRequired: Type.Boolean({ description: 'Never of a consent to marketing.' }),
  when: Type.Enum([...entryFieldTimes], { description: 'The address is always asked at the entry.' }),
  options: Type.Optional(
    Type.Array(Type.Object({ id: FieldId, labels: Labels }), {
      minItems: 1,
      maxItems: entryOptionsMax,
      description: 'Of a choice.',
    }),
  ),
  purpose: Type.Optional(Type.Enum(['marketing', 'other'], { description: 'Of a consent.' })),
  minimumAge: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 120, description: 'Of `birth`: younger visitors are refused.' }),
  ),
})

const Line = (description: string) => Type.String({ maxLength: 500, pattern: linesPattern, description })

const Terms = Type.Object({
  organiser: Line('Who organises the promotion.'),
  postalAddress: Line('Where the organiser gets post.'),
  whoMayEnter: Line('Who may take part.'),
  limitPerPerson: Line('How often one person may take part.'),
  howToClaim: Line('How prizes are claimed, and until when.'),
  privacyAddress: Line('Where the privacy notes are.'),
  texts: ByLanguage(entryTermsLengthMax, linesPattern, 'The whole terms by language.'),
  address: nullable(
    Type.String({ maxLength: 2_000, pattern: '^https://[^\\s]+$', description: 'Where the terms are.' }),
  ),
})

const settings = {
  isOpen: Type.Boolean({
    description: 'Whether visitors can enter. Needs complete terms.',
    examples: [false],
  }),
  spins: Type.Integer({ minimum: 1, maximum: entrySpinsMax, description: 'What a visitor gets.' }),
  entriesMax: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'At most so many entries; null for no limit.',
    examples: [null],
  }),
  verify: Type.Enum([...entryVerifies], {
    description: '`code`: an address counts once a code sent to it was typed. Needs a mail server.',
    examples: ['none'],
  }),
  challenge: Type.Enum([...entryChallengeRules], {
    description: 'When the browser must solve a task that costs it some seconds.',
  }),
  refusesDisposable: Type.Boolean({ description: 'Whether throw-away addresses are refused.' }),
  answersDays: Type.Integer({
    minimum: 1,
    maximum: answersDaysMax,
    description: 'Answers are deleted so many days after the end of the campaign.',
  }),
  consentYears: Type.Integer({
    minimum: 1,
    maximum: consentYearsMax,
    description: 'The proof of a consent is kept so many years after its withdrawal.',
  }),
  fields: Type.Array(Field, {
    minItems: 1,
    maxItems: entryFieldsMax,
    description: 'In the order of the form.',
    examples: [
      [{ id: 'email', kind: 'email', labels: { en: 'Your e-mail' }, isRequired: true, when: 'entry' }],
    ],
  }),
  terms: Terms,
}

export const EntrySettingsBody = Type.Object({
  ...settings,
  terms: Type.Partial(Terms),
  reason: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: reasonLengthMax,
      pattern: textPattern,
      description: 'Why terms change after the first entry.',
    }),
  ),
})
export type EntrySettingsBody = Static<typeof EntrySettingsBody>

const ClosesAt = Type.Union(MaybeTime.anyOf, { description: 'When the campaign closes, by this version.' })

export const EntrySettingsAnswer = Type.Object(
  {
    ...settings,
    campaign: Type.String(),
    version: Type.Integer({ description: 'Of form and terms. Entries name the version that they saw.' }),
    termsHash: Type.String(),
    closesAt: ClosesAt,
    address: Type.String({ description: 'Where visitors enter.' }),
    entries: Type.Object(
      { entered: Type.Integer(), verified: Type.Integer() },
      { title: 'EntryCounts', description: 'So far.' },
    ),
    warnings: Type.Array(
      Type.Object({ code: Type.String(), detail: Type.String() }, { title: 'EntryWarning' }),
    ),
    revision: Type.Integer({ description: 'Also the ETag. Send it as If-Match with a change.' }),
    changedAt: Time,
  },
  { title: 'EntrySettings' },
)
export type EntrySettingsAnswer = Static<typeof EntrySettingsAnswer>

export const EntryVersion = Type.Object(
  {
    version: Type.Integer(),
    createdAt: Time,
    by: Type.String({ description: 'Who made it.' }),
    reason: nullable(
      Type.String({ description: 'Why it replaced the one before, if visitors had entered.' }),
    ),
    closesAt: ClosesAt,
    fields: settings.fields,
    terms: Terms,
    termsHash: Type.String(),
  },
  { title: 'EntryVersion' },
)

export const EntryVersionsAnswer = PageOf('versions', EntryVersion)
export type EntryVersionsAnswer = Page<'versions', Static<typeof EntryVersion>>
