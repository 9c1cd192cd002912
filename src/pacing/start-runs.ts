import { readNewestKey } from '../crypto/signing-keys.ts'
import type { Queryable } from '../db/database.ts'
import { runStart } from '../fairness/award-chain.ts'
import { hashing } from '../fairness/hashing.ts'
import { endOf, type Pace, paceCommitment, paceKey } from '../fairness/pace.ts'
import { endRuns, type Given, insertRuns, type PaceRun, readRuns } from './pace-runs.ts'
import { budgetId, hasPossibleTimes } from './check-paces.ts'
import { isSamePace, type ResolvedPace, spansOf } from './pace-spans.ts'
import { centsOf, type Paces } from '../wheel-document/published-text.ts'
import type { WheelDocument } from '../wheel-document/wheel-document.ts'
import type { Wheel, WheelVersion } from '../wheel-document/wheel-types.ts'

/** The paces of a published version. */
export function pacesOf(version: Pick<WheelVersion, 'document' | 'published'>): Paces {
  const known = remembered.get(version.document)
  if (known !== undefined) return known
  const { segments, budget } = isPaced(version.document)
    ? (JSON.parse(version.published) as { segments: { pace?: Pace }[]; budget?: Pace })
    : { segments: [] }
  const pairs = segments.flatMap(({ pace }, index): [string, Pace][] =>
    pace === undefined ? [] : [[version.document.segments[index]?.id ?? '', pace]],
  )
  const paces = { prizes: new Map(pairs), budget }
  remembered.set(version.document, paces)
  return paces
}

/** Versions never change, and their documents stay the same objects while they are cached. */
const remembered = new WeakMap<WheelDocument, Paces>()

/** Asked several times for every play, so the answer is kept. */
export function isPaced(document: WheelDocument): boolean {
  const known = paced.get(document)
  if (known !== undefined) return known
  const { segments, budget } = document
  const is = budget !== undefined || segments.some(({ pace }) => pace !== undefined)
  paced.set(document, is)
  return is
}

const paced = new WeakMap<WheelDocument, boolean>()

/** The same, by prize, with the budget under its own id. */
export function pacesByPrize(version: WheelVersion | undefined): Map<string, Pace> {
  if (version === undefined) return new Map()
  const { prizes, budget } = pacesOf(version)
  return new Map([...prizes, ...(budget === undefined ? [] : [[budgetId, budget] as const])])
}

/** Begins the runs of a version that is being published, and ends those that it does not carry on. */
export async function startRuns(
  tx: Queryable,
  wheel: Wheel,
  { before, version, now }: { before: WheelVersion | undefined; version: number; now: Date },
): Promise<Paces> {
  const earlier = pacesByPrize(before)
  if (!isPaced(wheel.draft) && earlier.size === 0) return noPaces
  const paces = resolve(wheel.draft)
  const carried = carriedOn(paces, earlier)
  const runs = await readRuns(tx, wheel)
  const dropped = [...earlier].filter(([id]) => !carried.has(id))
  const { merchantId, wheelId } = wheel
  await endRuns(
    tx,
    dropped.map(([prizeId, { run }]) => ({ merchantId, wheelId, prizeId, run })),
    now,
  )
  const key = await readNewestKey(tx, 'seeds')
  const begun: PaceRun[] = []
  const published = [...paces].map(([prizeId, pace]): [string, Pace] => {
    const same = carried.get(prizeId)
    if (same !== undefined) return [prizeId, same]
    const run = 1 + (runs.find((one) => one.prizeId === prizeId)?.run ?? 0)
    const name = { merchantId, wheelId, prizeId, run }
    const commitment = paceCommitment(paceKey(key.secret, name, hashing), hashing)
    const start = { ...runStart(commitment, hashing), entries: 0, createdAt: now, endedAt: null }
    const endsAt = new Date(endOf(pace.spans))
    begun.push({ ...name, ...start, version, seedKeyId: key.keyId, commitment, endsAt })
    return [prizeId, { run, commitment, ...pace }]
  })
  await insertRuns(tx, begun)
  const prizes = new Map(published)
  const budget = prizes.get(budgetId)
  prizes.delete(budgetId)
  return { prizes, budget }
}

/** What publishing a draft would mean for the runs of the previous version. The budget has an id of its own. */
type RunsOfDraft = {
  /** What the runs that go on have given, less what came back, by prize; the budget's in cents. */
  given: Map<string, number>
  /** The prizes whose runs would end before their time. */
  ended: string[]
}

/** How much of what a run has given counts. */
export type CountRun = (run: PaceRun) => Given | Promise<Given>

type DraftOptions = { before: WheelVersion | undefined; now: Date; countRun?: CountRun | undefined }

export async function readRunsOfDraft(
  db: Queryable,
  wheel: Pick<Wheel, 'wheelId' | 'merchantId' | 'draft'>,
  { before, now, countRun = (run) => run }: DraftOptions,
): Promise<RunsOfDraft> {
  const earlier = pacesByPrize(before)
  const paces = resolve(wheel.draft)
  const runs = paces.size + earlier.size === 0 ? [] : await readRuns(db, wheel)
  const carried = carriedOn(paces, earlier)
  const given = new Map<string, number>()
  for (const id of paces.keys()) {
    const run = runs.find(({ prizeId, run: number }) => prizeId === id && number === carried.get(id)?.run)
    const { awards, returned } = run === undefined ? { awards: 0, returned: 0 } : await countRun(run)
    given.set(id, awards - returned)
  }
  const ended = [...earlier].filter(([id, { spans }]) => !carried.has(id) && now.getTime() < endOf(spans))
  return { given, ended: ended.map(([id]) => id) }
}

/** The earlier paces that are still the same, so that their runs go on. */
function carriedOn(
  paces: ReadonlyMap<string, ResolvedPace>,
  earlier: ReadonlyMap<string, Pace>,
): Map<string, Pace> {
  const same = [...earlier].filter(([prizeId, pace]) => {
    const now = paces.get(prizeId)
    return now !== undefined && isSamePace(now, pace)
  })
  return new Map(same)
}

const noPaces: Paces = { prizes: new Map(), budget: undefined }

/** The paces of a document. Those with impossible times, which can't be published, are left out. */
function resolve(wheel: WheelDocument): Map<string, ResolvedPace> {
  const { segments, budget: wanted } = wheel
  const budget = wanted !== undefined && hasPossibleTimes(wheel, wanted) ? wanted : undefined
  const prizes = segments.flatMap(({ id, pace }): [string, ResolvedPace][] => {
    if (pace === undefined || !hasPossibleTimes(wheel, pace)) return []
    const { units, lastCallSeconds = 0 } = pace
    return [[id, { units, spans: spansOf(wheel, pace), lastCallMs: lastCallSeconds * 1000 }]]
  })
  const amount = budget && { units: centsOf(budget.amount), spans: spansOf(wheel, budget), lastCallMs: 0 }
  return new Map([...prizes, ...(amount === undefined ? [] : [[budgetId, amount] as const])])
}
