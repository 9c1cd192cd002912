import { hashing } from '../fairness/hashing.ts'
import { endOf, type Pace, releasedBy } from '../fairness/pace.ts'
import { verifyRun } from '../fairness/verify-run.ts'
import { pacePoints } from '../limits.ts'
import { Refusal } from '../refusals.ts'
import { type Given, type PaceRun, readGivenBy, readRuns } from './pace-runs.ts'
import { budgetId } from './check-paces.ts'
import { dayStart, nextDay } from '../wheel-document/schedule.ts'
import type { Wheel } from '../wheel-document/wheel-types.ts'
import { isRevealed } from './pace-gates.ts'
import { keyOfRun, paceOfRun, revealWholeRun, type RunSources } from './reveal-run.ts'

/**
 * How a run is going. Amounts of a budget are in cents. While the run lasts, what is released is secret: anyone who
 * knew that a unit is free would play just then. What is given is reported by whole days.
 */
export type PaceReport = {
  prizeId: string
  run: number
  version: number
  commitment: string
  units: number
  startsAt: Date
  endsAt: Date
  endedAt: Date | null
  /** Null until the run is over. */
  released: number | null
  /** Until when the counts go: the beginning of today, or null for a run that is over. */
  countedUntil: Date | null
  awards: number
  returned: number
  /** What was not given. */
  left: number
  /** When the present stretch of active time ends, if there is one. */
  spanEndsAt: Date | null
  /** At the beginnings of past days; once the run is over, at equal steps, and with what was released. */
  points: { at: Date; released: number | null; given: number }[]
}

/** The runs of a wheel, the newest of each prize first. */
export async function paceReports(sources: RunSources, wheel: Wheel): Promise<PaceReport[]> {
  const runs = await readRuns(sources.db, wheel)
  return Promise.all(runs.map((run) => reportOf(sources, run)))
}

async function reportOf(sources: RunSources, run: PaceRun): Promise<PaceReport> {
  const pace = await paceOfRun(sources, run)
  const { prizeId, run: number, version, commitment, endsAt, endedAt } = run
  const startsAt = new Date(pace.spans[0]?.[0] ?? 0)
  const counted = await countedOf(sources, run)
  const key = counted.countedUntil === null ? await keyOfRun(sources, run) : undefined
  const releasedAt = (at: Date) => (key === undefined ? null : releasedBy(pace, key, at.getTime(), hashing))
  const end = endedAt === null || endsAt < endedAt ? endsAt : endedAt
  const times =
    counted.countedUntil === null
      ? equalSteps(startsAt, end)
      : dayStarts(counted.zone, { from: startsAt, until: counted.countedUntil })
  const given = times.length === 0 ? [] : await readGivenBy(sources.db, run, times)
  return {
    prizeId,
    run: number,
    version,
    commitment,
    units: pace.units,
    startsAt,
    endsAt,
    endedAt,
    released: releasedAt(end),
    countedUntil: counted.countedUntil,
    awards: counted.awards,
    returned: counted.returned,
    left: pace.units - counted.awards + counted.returned,
    spanEndsAt: spanEnd(pace, sources.now),
    points: times.map((at, index) => ({
      at,
      released: releasedAt(at),
      given: (given[index]?.awards ?? 0) - (given[index]?.returned ?? 0),
    })),
  }
}

type Zone = { timeZone: string }

/** What a run has given, as far as it may be shown: everything after its end, until then only whole past days. */
export async function countedOf(
  { db, wheels, now }: Omit<RunSources, 'seedKeys'>,
  run: PaceRun,
): Promise<Given & { countedUntil: Date | null; zone: Zone }> {
  const { document: zone } = await wheels.version(run.wheelId, run.version)
  const { awards, returned } = run
  if (isRevealed(run, now)) return { awards, returned, countedUntil: null, zone }
  const countedUntil = dayStart(zone, now)
  const [given = { awards: 0, returned: 0 }] = await readGivenBy(db, run, [countedUntil])
  return { ...given, countedUntil, zone }
}

function equalSteps(from: Date, until: Date): Date[] {
  const [start, end] = [from.getTime(), until.getTime()]
  if (end <= start) return []
  return Array.from(
    { length: pacePoints + 1 },
    (_, index) => new Date(start + Math.floor(((end - start) * index) / pacePoints)),
  )
}

/** The beginnings of the days of a run that are over, thinned out if they are many. */
function dayStarts(zone: Zone, { from, until }: { from: Date; until: Date }): Date[] {
  const days: Date[] = []
  for (let day = dayStart(zone, from); day <= until; day = nextDay(zone, day)) days.push(day)
  if (days.length < 2) return []
  const step = Math.ceil(days.length / pacePoints)
  return days.filter((_, index) => (days.length - 1 - index) % step === 0)
}

function spanEnd({ spans }: Pace, now: Date): Date | null {
  const span = spans.find(([start, end]) => now.getTime() >= start && now.getTime() < end)
  return span === undefined ? null : new Date(span[1])
}

/** What rules such as the UK's CAP code 8.24 and 8.25 ask for, about one run. */
export async function paceCertificate(
  sources: RunSources,
  wheel: Wheel,
  { prizeId, run: number }: { prizeId: string; run: number | undefined },
) {
  const runs = (await readRuns(sources.db, wheel)).filter((one) => one.prizeId === prizeId)
  const run = runs.find((one) => number === undefined || one.run === number)
  if (run === undefined) throw new Refusal('run_not_found')
  const [pace, version] = [
    await paceOfRun(sources, run),
    await sources.wheels.version(run.wheelId, run.version),
  ]
  const revealed = isRevealed(run, sources.now) ? await revealWholeRun(sources, run.commitment) : undefined
  const isBudget = prizeId === budgetId
  const checks = revealed === undefined ? [] : verifyRun(revealed, isBudget, hashing)
  const { countedUntil, awards, returned } = await countedOf(sources, run)
  const label = version.document.segments.find(({ id }) => id === prizeId)?.label ?? null
  return {
    wheel: wheel.slug,
    prizeId,
    label,
    isBudget,
    run: run.run,
    state: revealed === undefined ? ('running' as const) : ('ended' as const),
    publishedAt: version.publishedAt.toISOString(),
    versionHash: version.sha256,
    startsAt: new Date(pace.spans[0]?.[0] ?? 0).toISOString(),
    endsAt: new Date(endOf(pace.spans)).toISOString(),
    endedAt: run.endedAt?.toISOString() ?? null,
    commitment: run.commitment,
    key: revealed?.key ?? null,
    head: revealed?.head ?? null,
    units: pace.units,
    released: revealed === undefined ? null : releasedAtEnd(run, pace, revealed.key),
    countedUntil: countedUntil?.toISOString() ?? null,
    awards,
    returned,
    left: pace.units - awards + returned,
    checks: checks.map(({ says, holds }) => ({ says, holds })),
  }
}

export type PaceCertificate = Awaited<ReturnType<typeof paceCertificate>>

/** A run that was ended early released only a part. */
function releasedAtEnd({ endsAt, endedAt }: PaceRun, pace: Pace, key: string): number {
  const end = endedAt === null || endsAt < endedAt ? endsAt : endedAt
  return releasedBy(pace, key, end.getTime(), hashing)
}
