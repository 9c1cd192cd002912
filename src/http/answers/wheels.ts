import { type Static, Type } from 'typebox'
import { fallbackReasons } from '../../fairness/fallback-reasons.ts'
import { isTimeZone, openingAt } from '../../wheel-document/schedule.ts'
import { outdatedTranslations } from '../../wheel-document/translated-from.ts'
import type { WheelDocument } from '../../wheel-document/wheel-document.ts'
import type { Wheel } from '../../wheel-document/wheel-types.ts'
import { FieldErrorSchema, MaybeTime, nullable } from './shapes.ts'
import { type Page, PageOf } from './page.ts'
import { ScheduledPublication, shownPublication } from './scheduled.ts'
import { DocumentRef } from './wheel-document.ts'

export const WheelSummary = Type.Object(
  {
    wheel: Type.String(),
    name: Type.String(),
    draftRevision: Type.Integer({ description: 'Also the ETag. Send it as If-Match with a change.' }),
    publishedVersion: Type.Union([Type.Integer(), Type.Null()]),
    pausedAt: MaybeTime,
    state: Type.Enum(['draft', 'paused', 'scheduled', 'open', 'closed'], {
      description:
        'Of the published version: `scheduled` opens at `opensAt`, `closed` does not open again. `draft`: never published.',
    }),
    opensAt: Type.Union(MaybeTime.anyOf, { description: 'When a scheduled wheel opens next.' }),
    timeZone: Type.String({ description: 'Of the published version, or else of the draft.' }),
    isOpenedByLinks: Type.Boolean({
      description: 'Whether game links open this wheel: those of `main`, or of another campaign.',
    }),
    outdatedTranslations: Type.Array(Type.String(), {
      description: 'The languages in which translations of the draft are outdated.',
      examples: [['de']],
    }),
    scheduledPublication: Type.Union(nullable(ScheduledPublication).anyOf, {
      description: 'The publication that is scheduled, or that failed.',
    }),
  },
  { title: 'WheelSummary' },
)
export type WheelSummary = Static<typeof WheelSummary>

export const WheelsAnswer = PageOf('wheels', WheelSummary)
export type WheelsAnswer = Page<'wheels', WheelSummary>

export const WheelAnswer = Type.Object(
  {
    ...WheelSummary.properties,
    draftSavedBy: Type.Union([Type.String(), Type.Null()], {
      description: 'Who saved the draft last; null if nobody has since the last publication.',
      examples: ['staff:anna@example.com'],
    }),
    draftSavedAt: Type.Union(MaybeTime.anyOf, { description: 'When the draft was saved last.' }),
    draft: DocumentRef,
  },
  { title: 'Wheel' },
)
export type WheelAnswer = Static<typeof WheelAnswer>

const Simulation = Type.Object(
  {
    playsPerDay: Type.Integer(),
    costPerPlay: Type.Number(),
    costPerDay: Type.Number(),
    prizes: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          label: Type.String(),
          chance: Type.Number({ description: 'From 0 to 1.' }),
          winsPerDay: Type.Number(),
          costPerDay: Type.Number(),
          stockLastsDays: nullable(
            Type.Number({ description: 'Days until the stock is empty; null for never.' }),
          ),
        },
        { title: 'SimulatedPrize' },
      ),
    ),
  },
  { title: 'Simulation' },
)

const Range = Type.Object(
  { expected: Type.Number(), low: Type.Number(), high: Type.Number() },
  {
    title: 'ForecastRange',
    description: 'The mean of all runs. Nine of ten runs are between `low` and `high`.',
  },
)
const MaybeDay = nullable(Type.String({ format: 'date' }))

const PrizeStockForecast = Type.Object(
  {
    atStart: Type.Integer({
      description: 'What is left at the start; of a paced prize, before today, until its run is over.',
    }),
    left: Type.Object(Range.properties, { description: 'What is left at the end.' }),
    byDay: Type.Array(Range, { description: 'What is left in the evening of each day.' }),
    runsOut: Type.Object({
      share: Type.Number({ description: 'The share of runs in which it runs out, from 0 to 1.' }),
      expected: MaybeDay,
      earliest: MaybeDay,
      latest: MaybeDay,
    }),
  },
  { title: 'PrizeStockForecast' },
)

const PrizeForecast = Type.Object(
  {
    id: Type.String(),
    label: Type.String(),
    given: Type.Object(Range.properties, {
      description: 'How often the wheel stops there, fallbacks included. All prizes together are all plays.',
    }),
    fallbacks: Type.Number({ description: 'How often it is drawn and can not be given.' }),
    reasons: Type.Array(Type.Object({ reason: Type.Enum([...fallbackReasons]), count: Type.Number() }), {
      description: 'Why it can not be given, the most frequent reason first.',
    }),
    cost: Range,
    stock: nullable(PrizeStockForecast),
  },
  { title: 'PrizeForecast' },
)

const Forecast = Type.Object(
  {
    runs: Type.Integer({ description: 'How often the days were simulated.' }),
    plays: Type.Integer({ description: 'The plays of one run.' }),
    cost: Range,
    days: Type.Array(
      Type.Object({ day: Type.String({ format: 'date' }), plays: Type.Integer(), cost: Type.Number() }),
    ),
    prizes: Type.Array(PrizeForecast),
  },
  { title: 'Forecast' },
)
export type ForecastAnswer = Static<typeof Forecast>

export const SimulationAnswer = Type.Object({
  errors: Type.Array(FieldErrorSchema),
  simulation: Simulation,
  opening: Type.Object(
    { isOpen: Type.Boolean(), opensAt: MaybeTime, closesAt: MaybeTime },
    { description: 'Whether the draft would be open now, when it opens next, and when it closes for good.' },
  ),
  endedRuns: Type.Array(Type.String(), {
    description:
      'The paced prizes whose runs the publication of this draft would end before their time; `*` is the budget.',
  }),
  forecast: nullable(Forecast),
})
export type SimulationAnswer = Static<typeof SimulationAnswer>

export function shownWheel(wheel: Wheel, now: Date): WheelAnswer {
  return {
    wheel: wheel.slug,
    name: wheel.draft.name,
    draftRevision: wheel.draftRevision,
    publishedVersion: wheel.publishedVersion,
    pausedAt: wheel.pausedAt?.toISOString() ?? null,
    ...stateOf(wheel, now),
    timeZone: (wheel.schedule ?? wheel.draft).timeZone,
    isOpenedByLinks: wheel.isOpenedByLinks,
    outdatedTranslations: [...new Set(outdatedTranslations(wheel.draft).map(({ language }) => language))],
    scheduledPublication: wheel.scheduled === null ? null : shownPublication(wheel.scheduled),
    draftSavedBy: wheel.draftEditors.at(-1) ?? null,
    draftSavedAt: wheel.draftSavedAt?.toISOString() ?? null,
    draft: wheel.draft,
  }
}

/** The opening of a draft, as of now. */
export function shownOpening(draft: WheelDocument, now: Date): SimulationAnswer['opening'] {
  // Publishing refuses an unknown time zone; a draft may have one.
  if (!isTimeZone(draft.timeZone)) return { isOpen: true, opensAt: null, closesAt: null }
  const { isOpen, opensAt, closesAt } = openingAt(draft, now)
  return {
    isOpen,
    opensAt: opensAt?.toISOString() ?? null,
    closesAt: closesAt?.toISOString() ?? null,
  }
}

function stateOf(wheel: Wheel, now: Date): Pick<WheelAnswer, 'state' | 'opensAt'> {
  if (wheel.schedule === null) return { state: 'draft', opensAt: null }
  if (wheel.pausedAt !== null) return { state: 'paused', opensAt: null }
  const { isOpen, opensAt } = openingAt(wheel.schedule, now)
  if (isOpen) return { state: 'open', opensAt: null }
  return { state: opensAt === null ? 'closed' : 'scheduled', opensAt: opensAt?.toISOString() ?? null }
}
