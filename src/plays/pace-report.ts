import type { SigningKeys } from '../crypto/signing-keys.ts'
import type { Queryable } from '../db/database.ts'
import { hashing } from '../fairness/hashing.ts'
import { endOf, type Pace, releasedBy } from '../fairness/pace.ts'
import { verifyRun } from '../fairness/verify-run.ts'
import { pacePoints } from '../limits.ts'
import { Refusal } from '../refusals.ts'
import { type PaceRun, readGivenBefore, readRuns } from '../stock/pace-runs.ts'
import { budgetId } from '../wheels/check-paces.ts'
import type { PublishedWheels } from '../wheels/published-wheels.ts'
import type { Wheel } from '../wheels/wheel-types.ts'
import { isRevealed } from './pace-gates.ts'
import { keyOfRun, paceOfRun, revealWholeRun } from './reveal-run.ts'

type Sources = { db: Queryable; seedKeys: SigningKeys; wheels: PublishedWheels; now: Date }

/** How a run is going. Amounts of a budget are in cents. */
export type PaceReport = {
  prizeId: string
  run: number
  version: number
  commitment: string
  units: number
  startsAt: Date
  endsAt: Date
  endedAt: Date | null
  released: number
  awards: number
  returned: number
  /** What can still be won: everything that was not given, unless the run has ended. */
  left: number
  /** When the present stretch of active time ends, if there is one. */
  spanEndsAt: Date | null
  /** Released and given over the time so far. Equal steps: the moments themselves stay secret. */
  points: { at: Date; released: number; given: number }[]
}

/** The runs of a wheel, the newest of each prize first. */
export async function paceReports(sources: Sources, wheel: Wheel): Promise<PaceReport[]> {
  const runs = await readRuns(sources.db, wheel)
  return Promise.all(runs.map((run) => reportOf(sources, run)))
}

async function reportOf(sources: Sources, run: PaceRun): Promise<PaceReport> {
  const { now } = sources
  const [pace, key] = [await paceOfRun(sources, run), await keyOfRun(sources, run)]
  const { prizeId, run: number, version, commitment, endsAt, endedAt, awards, returned } = run
  const startsAt = new Date(pace.spans[0]?.[0] ?? 0)
  const last = Math.min(now.getTime(), endsAt.getTime(), endedAt?.getTime() ?? Infinity)
  const times = stepsOf(startsAt.getTime(), last)
  const given = times.length === 0 ? [] : await readGivenBefore(sources.db, run, times)
  return {
    prizeId,
    run: number,
    version,
    commitment,
    units: pace.units,
    startsAt,
    endsAt,
    endedAt,
    released: releasedBy(pace, key, last, hashing),
    awards,
    returned,
    left: pace.units - awards + returned,
    spanEndsAt: spanEnd(pace, now),
    points: times.map((at, index) => ({
      at,
      released: releasedBy(pace, key, at.getTime(), hashing),
      given: given[index] ?? 0,
    })),
  }
}

function stepsOf(start: number, end: number): Date[] {
  if (end <= start) return []
  return Array.from(
    { length: pacePoints + 1 },
    (_, index) => new Date(start + Math.floor(((end - start) * index) / pacePoints)),
  )
}

function spanEnd({ spans }: Pace, now: Date): Date | null {
  const span = spans.find(([start, end]) => now.getTime() >= start && now.getTime() < end)
  return span === undefined ? null : new Date(span[1])
}

/** What rules such as the UK's CAP code 8.24 and 8.25 ask for, about one run. */
export async function paceCertificate(
  sources: Sources,
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
    awards: run.awards,
    returned: run.returned,
    left: pace.units - run.awards + run.returned,
    checks: checks.map(({ says, holds }) => ({ says, holds })),
  }
}

export type PaceCertificate = Awaited<ReturnType<typeof paceCertificate>>

/** A run that was ended early released only a part. */
function releasedAtEnd({ endsAt, endedAt }: PaceRun, pace: Pace, key: string): number {
  const end = endedAt === null || endsAt < endedAt ? endsAt : endedAt
  return releasedBy(pace, key, end.getTime(), hashing)
}
