import { type Static, Type } from 'typebox'
import {
  freeSpinsAmountMax,
  freeSpinsBankMax,
  streakLengthMax,
  streakSpinsMax,
  streakStepsMax,
} from '../../free-spin-rule/free-spin-limits.ts'
import { MaybeTime, Time } from './shapes.ts'
import { clockPattern } from '../../text-patterns.ts'
import { periodPattern } from './patterns.ts'

const milestone = {
  length: Type.Integer({ minimum: 2, maximum: streakLengthMax, description: 'Periods in a row.' }),
  spins: Type.Integer({ minimum: 1, maximum: streakSpinsMax, description: 'Extra spins.' }),
}

export const FreeSpinRuleBody = Type.Object(
  {
    every: Type.String({
      pattern: periodPattern,
      description:
        '`day`, `week`, or a duration such as `PT4H`, from 15 minutes to 7 days. Days and weeks follow the calendar; durations count from 1970-01-01T00:00Z.',
      examples: ['day'],
    }),
    amount: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: freeSpinsAmountMax,
        description: 'Spins in each period; 1 by default.',
      }),
    ),
    at: Type.Optional(
      Type.String({
        pattern: clockPattern,
        description: 'When days and weeks begin, by the clock of the time zone; `00:00` by default.',
      }),
    ),
    weekday: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 7,
        description: 'The first day of weeks; 1 is Monday, the default.',
      }),
    ),
    zone: Type.Optional(
      Type.Enum(['wheel', 'player'], {
        description:
          "Whose days count: in the wheel's time zone (the default), or in the player's. The player's is that of the game link, or else of the browser.",
      }),
    ),
    bank: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: freeSpinsBankMax,
        description:
          'For how many periods free spins are kept; 1 by default. A player who comes back later gets those of at most this number of periods.',
      }),
    ),
    on: Type.Optional(
      Type.Enum(['visit', 'play'], {
        description: 'What collects them: opening the game (the default), or only playing.',
      }),
    ),
    streaks: Type.Optional(
      Type.Array(Type.Object(milestone), {
        maxItems: streakStepsMax,
        description: 'Extra spins for collecting in `length` periods in a row, with rising lengths.',
        examples: [[{ length: 7, spins: 3 }]],
      }),
    ),
    endsAt: Type.Optional(
      Type.Union(MaybeTime.anyOf, { description: 'There are none from then on; null for no end.' }),
    ),
  },
  { title: 'FreeSpinRuleInput', additionalProperties: false },
)

/** A player's free spins in a campaign. */
export const FreeSpinsAnswer = Type.Object(
  {
    every: Type.String({ description: 'The period of the rule: `day`, `week` or a duration.' }),
    available: Type.Integer({
      description: 'Free spins that can be collected now. They are not in `spinCount`.',
    }),
    until: Type.Union(MaybeTime.anyOf, { description: 'When the first of them are gone.' }),
    next: Type.Union(MaybeTime.anyOf, { description: 'When the next ones come; null for never.' }),
    nextSpins: Type.Integer({ description: 'How many come then, with the extra ones for the streak.' }),
    streak: Type.Object(
      {
        length: Type.Integer({ description: 'Periods in a row in which the player has collected.' }),
        best: Type.Integer({ description: 'The longest streak so far.' }),
        milestones: Type.Array(Type.Object(milestone, { title: 'StreakMilestone' }), {
          description: 'Extra spins for lengths.',
        }),
      },
      { title: 'Streak' },
    ),
  },
  { title: 'FreeSpins' },
)

export const FreeSpinPreview = Type.Object(
  {
    timeZone: Type.String({ description: 'The time zone whose days and weeks count.' }),
    days: Type.Array(
      Type.Object(
        {
          date: Type.String({ format: 'date' }),
          startsAt: Time,
          endsAt: Type.String({
            format: 'date-time',
            description: 'The day has 23 or 25 hours where clocks are changed.',
          }),
          isOpen: Type.Boolean({ description: 'Whether the campaign is open on it, at least for a while.' }),
        },
        { title: 'PreviewedDay' },
      ),
      { description: 'The days of the player, beginning with today.' },
    ),
    spins: Type.Array(
      Type.Object(
        {
          at: Time,
          spins: Type.Integer({ description: 'With the extra ones for the streak.' }),
          expiresAt: Time,
          streak: Type.Integer(),
        },
        { title: 'PreviewedFreeSpins' },
      ),
    ),
  },
  { title: 'FreeSpinPreview' },
)
export type FreeSpinPreview = Static<typeof FreeSpinPreview>

export const StreakCount = Type.Object(
  { streak: Type.Integer(), players: Type.Integer() },
  { title: 'StreakCount' },
)

export const StreaksAnswer = Type.Object(
  { streaks: Type.Array(StreakCount, { description: 'The shortest first.' }) },
  { title: 'Streaks' },
)
export type StreaksAnswer = Static<typeof StreaksAnswer>
