import { type Static, type TSchema, Type } from 'typebox'
import { documentFieldSchemas } from '../prize-kinds/prize-field-schemas.ts'
import { checkHoursDefault } from '../prize-kinds/hold-rule.ts'
import { prizeKindNames, prizeKinds } from '../prize-kinds/prize-kinds.ts'
import { slugPattern } from '../slug.ts'
import {
  anyLinePattern,
  clockPattern,
  colorPattern,
  languagePattern,
  linesPattern,
  momentPattern,
  timeZonePattern,
} from '../text-patterns.ts'
import { addresses, fontNames, soundNames } from './look-choices.ts'
import { themeNames } from './theme-names.ts'
import { TranslatedFrom } from './translated-from-schema.ts'

/**
 * A wheel as the merchant writes it: what is drawn, what can be won, and the limits. All of it is untrusted.
 * check-wheel.ts checks what a schema can't express.
 */

const Color = Type.String({
  pattern: colorPattern,
  description: 'Colour as #rrggbb.',
  examples: ['#e11d48'],
})
const Image = Type.String({
  maxLength: 48_000,
  pattern: '^data:image/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$',
  description: 'A small picture as a data URL: PNG, JPEG or WebP, at most 36 kB.',
})
const Sound = (maxLength: number, description: string) =>
  Type.String({ maxLength, pattern: '^data:audio/(mpeg|wav);base64,[A-Za-z0-9+/]+={0,2}$', description })
/** By pattern only: a draft may name one that no longer exists, but it can't be published. */
const NameOf = (names: readonly string[]) =>
  Type.String({ pattern: slugPattern, description: `One of ${names.join(', ')}.` })
/**
 * Text for people, without control characters, which would reach logs and terminals, and without characters that
 * PostgreSQL can't store.
 */
const Text = (options: { minLength?: number; maxLength: number; description?: string }) =>
  Type.String({ pattern: anyLinePattern, ...options })
const Time = Type.String({
  format: 'date-time',
  pattern: momentPattern,
  description: 'A moment, as RFC 3339.',
  examples: ['2026-12-01T00:00:00Z'],
})
const Clock = Type.String({ pattern: clockPattern, examples: ['09:00'] })
const Count = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })

const Prize = Type.Object(
  {
    kind: Type.Enum(prizeKindNames, {
      description: `${Object.values(prizeKinds)
        .map(({ means }) => means)
        .join('; ')}.`,
    }),
    ...documentFieldSchemas,
  },
  { title: 'SegmentPrize', additionalProperties: false },
)

const Title = Text({ minLength: 1, maxLength: 120, description: 'What was won, in a sentence.' })
const Instructions = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: linesPattern,
  description: 'What to do with it.',
})
const Label = Text({ minLength: 1, maxLength: 40, description: 'The text on the wheel.' })
const Translation = Type.Object(
  { label: Type.Optional(Label), title: Type.Optional(Title), instructions: Type.Optional(Instructions) },
  { title: 'SegmentTranslation', additionalProperties: false },
)
const byLanguage = <Schema extends TSchema>(schema: Schema) =>
  Type.Record(Type.String({ pattern: languagePattern }), schema, { additionalProperties: false })

const Days = Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
  minItems: 1,
  maxItems: 7,
  description: 'Monday is 1.',
})
const Hours = Type.Object({ from: Clock, to: Clock }, { additionalProperties: false })

/** When something becomes available. Within the periods, only the time in which the wheel is open counts. */
const schedule = {
  periods: Type.Array(
    Type.Object({ from: Time, until: Time }, { title: 'Period', additionalProperties: false }),
    { minItems: 1, maxItems: 60, description: 'When it runs. Periods must not overlap.' },
  ),
  days: Type.Optional(Days),
  hours: Type.Optional(Hours),
}
const Pace = Type.Object(
  {
    units: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'How many can be won in all periods together. Each is released at a random moment.',
    }),
    ...schedule,
    lastCallSeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 400 * 86_400,
        description: 'In this last part of the time, plays that draw the fallback get units that are left.',
      }),
    ),
  },
  { title: 'Pace', additionalProperties: false },
)
const Budget = Type.Object(
  {
    amount: Type.Number({
      minimum: 0.01,
      maximum: 10_000_000,
      description: 'What all prizes with a cost may cost in all periods together. It is released evenly.',
    }),
    ...schedule,
  },
  { title: 'Budget', additionalProperties: false },
)

const Hold = Type.Object(
  {
    newPlayerHours: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 8_760,
        description: 'If the player was created less than so many hours ago.',
      }),
    ),
    winsPerDay: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        description:
          'If the player has won more prizes than this within 24 hours, this one included. Spins do not count.',
      }),
    ),
    costPerDay: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1_000_000_000,
        description: "If the player's prizes of the last 24 hours, this one included, cost more than this.",
      }),
    ),
    checkHours: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 720,
        description: `How long the check may take, as players are told. ${checkHoursDefault} hours by default.`,
      }),
    ),
  },
  {
    title: 'HoldRule',
    additionalProperties: false,
    description:
      'When the prize is held until staff have checked it: if one of the conditions is true; without any, every time.',
  },
)

const Segment = Type.Object(
  {
    id: Type.String({
      pattern: slugPattern,
      description: 'The permanent id of the prize, in all versions. Stock and limits are counted by it.',
    }),
    label: Label,
    color: Color,
    icon: Type.Optional(Text({ minLength: 1, maxLength: 8, description: 'An emoji.' })),
    image: Type.Optional(Image),
    weight: Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'Its chance is weight over the sum of all weights.',
    }),
    prize: Prize,
    title: Type.Optional(Title),
    instructions: Type.Optional(Instructions),
    translations: Type.Optional(byLanguage(Translation)),
    stock: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'How many can be won in all.' }),
    ),
    stockPerDay: Type.Optional(Count),
    limitPerPlayer: Type.Optional(Count),
    winnableFrom: Type.Optional(Time),
    winnableUntil: Type.Optional(Time),
    pace: Type.Optional(Pace),
    claimWithinSeconds: Type.Optional(Type.Integer({ minimum: 60, maximum: 400 * 86_400 })),
    claimInWallet: Type.Optional(
      Type.Boolean({
        description: 'Whether players claim it themselves, in the wallet. A claimed prize does not expire.',
      }),
    ),
    hold: Type.Optional(Hold),
    cost: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1_000_000_000,
        description: 'The cost of one prize, for the simulation and the budget.',
      }),
    ),
  },
  { title: 'Segment', additionalProperties: false },
)

const OwnText = Type.Optional(Text({ maxLength: 200 }))
const Texts = Type.Object(
  { title: OwnText, subtitle: OwnText, button: OwnText, won: OwnText, noLuck: OwnText },
  { title: 'WheelTexts', additionalProperties: false },
)

export const WheelDocument = Type.Object(
  {
    name: Text({ minLength: 1, maxLength: 80 }),
    timeZone: Type.String({
      pattern: timeZonePattern,
      description: 'The time zone of days and hours.',
      examples: ['Europe/Berlin'],
    }),
    opensAt: Type.Optional(Time),
    closesAt: Type.Optional(Time),
    openDays: Type.Optional(Days),
    openHours: Type.Optional(Hours),
    budget: Type.Optional(Budget),
    fallback: Type.String({
      pattern: slugPattern,
      description: 'The id of the segment that is used when a drawn prize cannot be given.',
    }),
    segments: Type.Array(Segment, { minItems: 2, maxItems: 24 }),
    look: Type.Optional(
      Type.Object(
        {
          merchantName: Type.Optional(Text({ minLength: 1, maxLength: 60 })),
          logo: Type.Optional(Image),
          theme: Type.Optional(NameOf(themeNames)),
          font: Type.Optional(NameOf(fontNames)),
          sound: Type.Optional(NameOf(soundNames)),
          tickSound: Type.Optional(
            Sound(16_000, 'A short sound for each segment that passes: MP3 or WAV, at most 0.5 s and 12 kB.'),
          ),
          winSound: Type.Optional(Sound(48_000, 'A sound for a win: MP3 or WAV, at most 6 s and 36 kB.')),
          address: Type.Optional(
            Type.Enum(addresses, {
              description: 'How the texts of the game address the player, in languages that distinguish it.',
            }),
          ),
          picture: Type.Optional(Image),
          background: Type.Optional(Color),
          surface: Type.Optional(Color),
          accent: Type.Optional(Color),
          text: Type.Optional(Color),
          pointer: Type.Optional(Type.Enum(['top', 'right', 'bottom', 'left'])),
          direction: Type.Optional(Type.Enum(['clockwise', 'counterclockwise'])),
          widths: Type.Optional(
            Type.Enum(['equal', 'weight'], {
              description: 'Segments of equal width, or as wide as their chance.',
            }),
          ),
        },
        { title: 'WheelLook', additionalProperties: false },
      ),
    ),
    language: Type.Optional(
      Type.String({
        pattern: languagePattern,
        description: 'The language of labels, titles and instructions, and of texts for all other players.',
        examples: ['de'],
      }),
    ),
    texts: Type.Optional(byLanguage(Texts)),
    translatedFrom: Type.Optional(TranslatedFrom),
  },
  { $id: 'WheelDocument', additionalProperties: false },
)

export type WheelDocument = Static<typeof WheelDocument>
export type WheelSegment = Static<typeof Segment>
export type PaceSchedule = Omit<NonNullable<WheelSegment['pace']>, 'units' | 'lastCallSeconds'>

/** The wheel of a new merchant, so that the first link opens a game. Its prizes cost nothing. */
export const defaultWheel: WheelDocument = {
  name: 'Lucky wheel',
  timeZone: 'UTC',
  fallback: 'try-again',
  segments: [
    {
      id: 'one-spin',
      label: '1 spin',
      color: '#7c3aed',
      icon: '⭐',
      weight: 20,
      prize: { kind: 'spins', spins: 1 },
      title: 'One more spin',
    },
    { id: 'try-again', label: 'Try again', color: '#334155', weight: 30, prize: { kind: 'none' } },
    {
      id: 'two-spins',
      label: '2 spins',
      color: '#db2777',
      icon: '🎯',
      weight: 10,
      prize: { kind: 'spins', spins: 2 },
      title: 'Two more spins',
    },
    { id: 'so-close', label: 'So close', color: '#475569', weight: 15, prize: { kind: 'none' } },
    {
      id: 'three-spins',
      label: '3 spins',
      color: '#ea580c',
      icon: '🔥',
      weight: 5,
      prize: { kind: 'spins', spins: 3 },
      title: 'Three more spins',
    },
    { id: 'not-today', label: 'Not today', color: '#334155', weight: 12, prize: { kind: 'none' } },
    {
      id: 'ten-spins',
      label: '10 spins',
      color: '#ca8a04',
      icon: '💎',
      weight: 1,
      prize: { kind: 'spins', spins: 10 },
      title: 'The jackpot: ten spins',
    },
    { id: 'next-time', label: 'Next time', color: '#475569', weight: 7, prize: { kind: 'none' } },
  ],
}
