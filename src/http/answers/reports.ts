import { type Static, Type } from 'typebox'
import { visitStages } from '../../reports/visit-days.ts'
import { MaybeTime, nullable } from './shapes.ts'

const Count = (description?: string) => Type.Integer(description === undefined ? {} : { description })
const settled = {
  claimed: Count(),
  redeemed: Count('Including redemptions that were taken back later.'),
  cancelled: Count(),
  expired: Count(),
  reversed: Count('Redemptions that were taken back.'),
  held: Count('Prizes that were held to be checked, whatever was decided later.'),
  refused: Count('Held prizes that were refused.'),
}

export const ReportDayAnswer = Type.Object(
  {
    day: Type.String({ format: 'date' }),
    plays: Count(),
    wins: Count('Plays that came to rest on a prize.'),
    cost: Type.Number({ description: 'The cost of the prizes, as far as the wheel states it.' }),
    grants: Count('Number of grants.'),
    spinsGranted: Count(),
    spinsSpent: Count(),
    spinsWon: Count(),
    spinsCorrected: Count('Spins added by corrections, minus spins removed.'),
    spinsExpired: Count(),
    spinsFree: Count(),
    newPlayers: Count(),
    ...settled,
  },
  { title: 'ReportDay' },
)
export type ReportDayAnswer = Static<typeof ReportDayAnswer>

export const ReportPrizeAnswer = Type.Object(
  {
    wheel: Type.String(),
    prizeId: Type.String(),
    kind: Type.String(),
    label: Type.String(),
    given: Count('How often the wheel came to rest there.'),
    drawn: Count('How often it was drawn, including when it could not be given.'),
    expected: Type.Number({ description: 'The expected number of draws, by the published weights.' }),
    deviation: Type.Number({
      description: 'The standard deviation of `expected`. 95 % of all results are within two of them.',
    }),
    cost: Type.Number(),
    ...settled,
  },
  { title: 'ReportPrize' },
)
export type ReportPrizeAnswer = Static<typeof ReportPrizeAnswer>

const about = {
  timeZone: Type.String(),
  from: Type.String({ format: 'date' }),
  to: Type.String({ format: 'date' }),
  countedUntil: Type.Union(MaybeTime.anyOf, {
    description: 'The report covers everything up to this time; usually about a minute ago.',
  }),
}

export const DaysReport = Type.Object({ ...about, days: Type.Array(ReportDayAnswer) })
export type DaysReport = Static<typeof DaysReport>

export const PrizesReport = Type.Object({ ...about, prizes: Type.Array(ReportPrizeAnswer) })
export type PrizesReport = Static<typeof PrizesReport>

export const playFigures = {
  plays: Count(),
  wins: Count('Plays that came to rest on a prize.'),
  fallbacks: Count('Plays that got the fallback, because the drawn prize could not be given.'),
  cost: Type.Number({ description: 'The cost of the prizes, as far as the wheel states it.' }),
  ...settled,
}
const figures = {
  visits: Count('Players who opened the game, each once for a day, campaign and wheel.'),
  ...playFigures,
}
const Figures = Type.Object(figures, { title: 'Performance' })
export const ComparedDay = Type.Object(
  { day: Type.String({ format: 'date' }), ...figures },
  { title: 'ComparedDay' },
)

const PerformanceDay = Type.Object(
  {
    ...ComparedDay.properties,
    compared: nullable(ComparedDay),
  },
  { title: 'PerformanceDay' },
)
export type PerformanceDay = Static<typeof PerformanceDay>

const comparedPeriod = nullable(
  Type.Object({ from: Type.String({ format: 'date' }), to: Type.String({ format: 'date' }) }),
)

export const PerformanceReport = Type.Object({
  ...about,
  compared: comparedPeriod,
  totals: Figures,
  comparedTotals: nullable(Figures),
  days: Type.Array(PerformanceDay),
})
export type PerformanceReport = Static<typeof PerformanceReport>

export const FunnelStage = Type.Object(
  {
    stage: Type.Enum(visitStages),
    visits: Count('Visits that came to this stage or beyond it.'),
    share: Type.Number({ description: 'The share of all visits, from 0 to 1.' }),
    comparedVisits: nullable(Type.Integer()),
    comparedShare: nullable(Type.Number()),
  },
  { title: 'FunnelStage' },
)

export const FunnelReport = Type.Object({
  ...about,
  compared: comparedPeriod,
  stages: Type.Array(FunnelStage),
})
export type FunnelReport = Static<typeof FunnelReport>

const later = {
  after: Count('Weeks after the first one; 0 for the first one itself.'),
  players: Count('Players of the cohort who played in that week.'),
  share: Type.Number({ description: 'From 0 to 1.' }),
}
/** A row of the report as a file. */
export const CohortWeek = Type.Object({ week: Type.String({ format: 'date' }), ...later })

const CohortAnswer = Type.Object(
  {
    week: Type.String({ format: 'date', description: 'The Monday of the week of their first play.' }),
    players: Count(),
    weeks: Type.Array(Type.Object(later)),
  },
  { title: 'Cohort' },
)

export const CohortsReport = Type.Object({ ...about, cohorts: Type.Array(CohortAnswer) })
export type CohortsReport = Static<typeof CohortsReport>
