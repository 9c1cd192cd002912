import { type Static, Type } from 'typebox'
import { MaybeTime } from './common.ts'

const Count = (description?: string) => Type.Integer(description === undefined ? {} : { description })
const settled = {
  claimed: Count(),
  redeemed: Count('Including redemptions that were taken back later.'),
  cancelled: Count(),
  expired: Count(),
  reversed: Count('Redemptions that were taken back.'),
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
