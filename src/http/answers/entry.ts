import { type Static, Type } from 'typebox'
import { entryCodeLength, entryFieldsMax, entryTokenLengthMax } from '../../entries/entry-limits.ts'
import { entryStates } from '../../entries/find-entry.ts'
import { type EntryAnswer, entryFieldKinds } from '../../entries/form.ts'
import { slugPattern } from '../../slug.ts'
import { languagePattern } from '../../text-patterns.ts'
import { GameWheel, Texts } from './game-session.ts'
import { hashPattern } from './patterns.ts'
import { nullable, Time } from './shapes.ts'

/** The public entry of a campaign: what the page of visitors sends and gets. */

export const EntryAddress = Type.Object({
  merchant: Type.String({
    pattern: slugPattern,
    description: 'The id of the merchant.',
    examples: ['acme'],
  }),
  campaign: Type.String({
    pattern: slugPattern,
    description: 'The id of the campaign.',
    examples: ['summer'],
  }),
})

export const Language = Type.String({
  pattern: languagePattern,
  description: 'A language (BCP 47).',
  examples: ['de'],
})

export const EntryQuery = Type.Object({ language: Type.Optional(Language) })

export const ShownField = Type.Object(
  {
    id: Type.String({ description: 'The key of its answer.' }),
    kind: Type.Enum([...entryFieldKinds]),
    label: Type.String(),
    isRequired: Type.Boolean(),
    options: Type.Optional(
      Type.Array(Type.Object({ id: Type.String(), label: Type.String() }, { title: 'EntryOption' })),
    ),
    purpose: Type.Optional(Type.Enum(['marketing', 'other'], { description: 'Of a consent.' })),
    lengthMax: Type.Optional(Type.Integer({ description: 'The most characters of an answer.' })),
  },
  { title: 'ShownEntryField' },
)

export const EntryShown = Type.Object(
  {
    state: Type.Enum([...entryStates], {
      description:
        '`scheduled`: not open yet. `closed`: outside the hours of the wheel. `ended`: over. `full`: no entry is left.',
    }),
    opensAt: nullable(Time),
    closesAt: nullable(Time),
    now: Time,
    merchant: Type.Object({ name: Type.String() }),
    campaign: Type.Object({ campaign: Type.String(), name: Type.String(), texts: Texts }),
    isTest: Type.Boolean(),
    wheel: Type.Pick(GameWheel, ['hash', 'published', 'unavailable'], { title: 'EntryWheel' }),
    form: Type.Object(
      {
        version: Type.Integer({ description: 'Send it back with the answers.' }),
        fields: Type.Array(ShownField, { description: 'Those that are asked at the entry, in order.' }),
      },
      { title: 'EntryForm' },
    ),
    terms: Type.Object(
      {
        hash: Type.String({ description: 'Names the text that is shown. Send it back with the answers.' }),
        text: nullable(Type.String()),
        address: nullable(Type.String()),
        language: Type.String({ description: 'Of the text.' }),
        organiser: Type.String(),
        postalAddress: Type.String(),
        whoMayEnter: Type.String(),
        limitPerPerson: Type.String(),
        howToClaim: Type.String(),
        privacyAddress: Type.String(),
      },
      { title: 'ShownEntryTerms' },
    ),
    verify: Type.Enum(['code', 'none']),
    spins: Type.Integer({ description: 'What an entry brings.' }),
    challenge: Type.Enum(['required', 'none']),
    parentOrigins: Type.Array(Type.String(), {
      description: 'The origins that may show the page in a frame.',
    }),
  },
  { title: 'EntryShown' },
)
export type EntryShown = Static<typeof EntryShown>

/** As ALTCHA (version 2) makes it. */
export const EntryChallenge = Type.Object(
  {
    parameters: Type.Object({}, { additionalProperties: true }),
    signature: Type.Optional(Type.String()),
  },
  { title: 'EntryChallenge' },
)
export type EntryChallenge = Static<typeof EntryChallenge>

const Token = (description: string) =>
  Type.String({ minLength: 1, maxLength: entryTokenLengthMax, description })

const Answer = Type.Unsafe<EntryAnswer>({
  description: 'A text, the id of an option, whether a box was ticked, or `{ year, month }`.',
})

export const Answers = Type.Unsafe<Record<string, EntryAnswer>>({
  type: 'object',
  additionalProperties: Answer,
  maxProperties: entryFieldsMax,
  description: 'By the ids of the fields.',
  examples: [{ email: 'ann@shop.example', news: false }],
})

export const EntryBody = Type.Object({
  formVersion: Type.Integer({ minimum: 1 }),
  language: Language,
  answers: Answers,
  terms: Type.String({ pattern: hashPattern, description: '`terms.hash` of the form.' }),
  challenge: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'The solution of a challenge, as ALTCHA encodes it.',
    }),
  ),
  pass: Type.Optional(Token('`pass` of an earlier entry from this browser.')),
  timeZone: Type.Optional(Type.String({ maxLength: 64, description: "The browser's, for free spins." })),
})
export type EntryBody = Static<typeof EntryBody>

export const Entered = Type.Object(
  {
    outcome: Type.Literal('entered'),
    token: Type.String({ description: 'A game token: open a game session with it.' }),
    expiresAt: Type.String({ format: 'date-time', description: 'When the token ends.' }),
    pass: Type.String({ description: 'Says that this browser entered. Keep it in `localStorage`.' }),
  },
  { title: 'Entered' },
)
export type Entered = Static<typeof Entered>

const codeState = {
  resendAt: Type.String({ format: 'date-time', description: 'From then on, another code can be sent.' }),
  expiresAt: Type.String({ format: 'date-time', description: 'Until then the code is accepted.' }),
  attemptsLeft: Type.Integer(),
}

const CodeSent = Type.Object(
  {
    outcome: Type.Literal('code_sent'),
    session: Type.String({ description: 'Keep it until the code was typed.' }),
    ...codeState,
  },
  { title: 'EntryCodeSent' },
)

export const CodeAgain = Type.Object(codeState, { title: 'EntryCodeState' })
export type CodeAgain = Static<typeof CodeAgain>

export const EntryOutcome = Type.Union([Entered, CodeSent], { title: 'EntryOutcome' })
export type EntryOutcome = Static<typeof EntryOutcome>

export const EntrySessionBody = Type.Object({ session: Token('The session of the entry.') })
export const EntryProofBody = Type.Object({
  session: Token('The session of the entry.'),
  code: Type.String({ pattern: `^[0-9]{${entryCodeLength}}$`, description: 'The digits in the mail.' }),
})
export const EntryReturnBody = Type.Object({ pass: Token('The pass of this browser.') })
