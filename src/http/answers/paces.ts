import { type Static, Type } from 'typebox'
import type { PaceReport } from '../../pacing/pace-report.ts'
import { nullable, Time } from './shapes.ts'

const Count = (description: string) => Type.Integer({ description })

const Counted = Type.String({
  format: 'date-time',
  description:
    'While the run lasts, only whole days are counted: until the beginning of today, in the time zone of the wheel. Null once everything is counted, a minute after the end.',
})

const PaceAnswer = Type.Object(
  {
    prizeId: Type.String({
      description: 'The id of the prize; `*` for the budget, whose amounts are in cents.',
    }),
    run: Type.Integer({ minimum: 1 }),
    version: Type.Integer({ description: 'The version of the wheel that began the run.' }),
    commitment: Type.String(),
    units: Count('How many are released in all.'),
    startsAt: Time,
    endsAt: Time,
    endedAt: nullable(Time),
    released: nullable(
      Count('How many were released. Null until a minute after the end: it is secret while the run lasts.'),
    ),
    countedUntil: nullable(Counted),
    awards: Count('How many were given, those that came back included.'),
    returned: Count('How many came back.'),
    left: Count('How many were not given.'),
    spanEndsAt: nullable(Time),
    points: Type.Array(
      Type.Object(
        { at: Time, released: nullable(Type.Integer()), given: Type.Integer() },
        { title: 'PacePoint' },
      ),
      {
        description:
          'While the run lasts: what was given by the beginnings of past days. Afterwards: what was released and given, at equal steps of its time.',
      },
    ),
  },
  { title: 'PaceReport' },
)

export type PaceAnswer = Static<typeof PaceAnswer>

export const PacesAnswer = Type.Object({ paces: Type.Array(PaceAnswer) }, { title: 'PaceReports' })
export type PacesAnswer = Static<typeof PacesAnswer>

export function shownPace(report: PaceReport) {
  const time = (at: Date | null) => at?.toISOString() ?? null
  return {
    ...report,
    startsAt: report.startsAt.toISOString(),
    endsAt: report.endsAt.toISOString(),
    endedAt: time(report.endedAt),
    spanEndsAt: time(report.spanEndsAt),
    countedUntil: time(report.countedUntil),
    points: report.points.map(({ at, ...point }) => ({ at: at.toISOString(), ...point })),
  }
}

export const CertificateAnswer = Type.Object(
  {
    merchant: Type.String(),
    merchantName: Type.String(),
    wheel: Type.String(),
    prizeId: Type.String(),
    label: nullable(Type.String()),
    isBudget: Type.Boolean({ description: 'Whether the numbers are cents of the budget.' }),
    run: Type.Integer(),
    state: Type.Enum(['running', 'ended']),
    publishedAt: Time,
    versionHash: Type.String(),
    startsAt: Time,
    endsAt: Time,
    endedAt: nullable(Time),
    commitment: Type.String(),
    key: nullable(Type.String()),
    head: nullable(Type.String()),
    units: Type.Integer(),
    released: nullable(Type.Integer()),
    countedUntil: nullable(Counted),
    awards: Type.Integer(),
    returned: Type.Integer(),
    left: Type.Integer(),
    checks: Type.Array(Type.Object({ says: Type.String(), holds: Type.Boolean() }, { title: 'RunCheck' }), {
      description: 'The checks of the run, after its end.',
    }),
    statedAt: Time,
    seal: nullable(
      Type.Object(
        { number: Type.Integer(), sealedAt: Time, hash: Type.String() },
        {
          title: 'StatedSeal',
          description: 'The newest seal of the merchant’s ledger. It covers all before it.',
        },
      ),
    ),
    sentences: Type.Array(Type.String(), { description: 'The statement in words.' }),
    commands: Type.Array(Type.String(), { description: 'Commands that verify the statement.' }),
  },
  { title: 'PaceCertificate' },
)
export type CertificateAnswer = Static<typeof CertificateAnswer>
