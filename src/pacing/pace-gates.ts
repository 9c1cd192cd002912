import assert from 'node:assert/strict'
import { advance, hashOfPlay } from '../fairness/award-chain.ts'
import type { FallbackReason } from '../fairness/fallback-reasons.ts'
import { hashing } from '../fairness/hashing.ts'
import { isActive, isLastCall, type Pace, paceKey, releasedBy } from '../fairness/pace.ts'
import { type Gate, type GateNumbers, isOpen } from '../fairness/verify-gates.ts'
import { runRevealDelayMs } from '../limits.ts'
import type { LockedRun, PaceEntry, RunKey } from './pace-runs.ts'
import { budgetId } from './check-paces.ts'
import { centsOf, isBudgeted } from '../wheel-document/published-text.ts'
import { isPaced, pacesOf } from './start-runs.ts'
import type { WheelSegment } from '../wheel-document/wheel-document.ts'
import type { WheelVersion } from '../wheel-document/wheel-types.ts'

/** A prize that a play may get. */
type Offer = { order: { merchantId: number; wheel: WheelVersion }; segment: WheelSegment }

/**
 * The prizes that a drawn play may get, in order, as offers of their own: the drawn one; or, if the fallback was drawn
 * in the last call of others, those first.
 */
export function offersOf<Drawn extends Offer>(drawn: Drawn, now: Date): Drawn[] {
  const { wheel } = drawn.order
  const { document } = wheel
  if (drawn.segment.id !== document.fallback || !isPaced(document)) return [drawn]
  const { prizes } = pacesOf(wheel)
  const called = document.segments.flatMap((segment): Drawn[] => {
    const pace = prizes.get(segment.id)
    return pace !== undefined && isLastCall(pace, now.getTime()) ? [{ ...drawn, segment }] : []
  })
  return [...called, drawn]
}

/** Whether a drawn play has to be settled in a transaction, under the lock of a run. */
export function meetsGates(drawn: Offer, now: Date): boolean {
  const { document } = drawn.order.wheel
  if (!isPaced(document)) return false
  return offersOf(drawn, now).some(
    ({ segment }) => segment.pace !== undefined || isBudgeted(document, segment),
  )
}

/** The runs that an offer locks. */
export function runKeysOf(offer: Offer, now: Date): RunKey[] {
  return gatesOn(offer, now).map(({ key }) => key)
}

type Passage = {
  reason: FallbackReason | undefined
  gates: (Gate & GateNumbers)[]
  /** What is taken from each run if the prize is given. */
  takes: readonly { run: LockedRun; units: number }[]
}

/** Whether an offer passes its gates: that of its prize, and that of the budget. */
export function passGates(offer: Offer, runs: ReadonlyMap<string, LockedRun>, now: Date): Passage {
  const { order, segment } = offer
  const takes: { run: LockedRun; units: number }[] = []
  const passage: Passage = { reason: undefined, gates: [], takes }
  if (!isPaced(order.wheel.document)) return passage
  const on = gatesOn(offer, now)
  const isMissing = (id: string) => !on.some(({ key }) => key.prizeId === id)
  if (segment.pace !== undefined && isMissing(segment.id)) return { ...passage, reason: 'not_winnable_now' }
  for (const { key, pace, units, index } of on) {
    const run = runs.get(runName(key))
    assert(run !== undefined, `the run ${runName(key)} is not there`)
    const released = releasedIn(run, { key, pace, at: now.getTime() })
    const { awards, returned, head } = run
    const gate = { segment: index, run: key.run, released, awards, returned, head }
    passage.gates.push(gate)
    if (!isOpen(gate, units)) return { ...passage, reason: index === null ? 'budget' : 'not_released' }
    if (isRevealed(run, now)) return { ...passage, reason: 'not_winnable_now' }
    takes.push({ run, units })
  }
  const isUnpaid = isBudgeted(order.wheel.document, segment) && isMissing(budgetId)
  return isUnpaid ? { ...passage, reason: 'budget' } : passage
}

/** Released units of a locked run. Computed once for all plays of a batch, which have one time. */
function releasedIn(run: LockedRun, { key, pace, at }: { key: RunKey; pace: Pace; at: number }): number {
  const known = releases.get(run)
  if (known?.at === at) return known.released
  const released = releasedBy(pace, paceKey(run.secret, key, hashing), at, hashing)
  releases.set(run, { at, released })
  return released
}

const releases = new WeakMap<LockedRun, { at: number; released: number }>()

/** Takes units from locked runs for a play, and returns the entries to write. */
export function takeUnits(takes: Passage['takes'], playId: string, now: Date): PaceEntry[] {
  return takes.map(({ run, units }) => enterRun(run, 'award', units, { playId, now }))
}

/** Adds an entry to a locked run. */
export function enterRun(
  run: LockedRun,
  kind: PaceEntry['kind'],
  units: number,
  { playId, now }: { playId: string; now: Date },
): PaceEntry {
  const unit = units + (kind === 'award' ? run.awards : run.returned)
  const entry = { kind, unit, at: now.getTime(), play: hashOfPlay(playId, hashing) }
  Object.assign(run, advance(run, entry, hashing))
  run.entries += 1
  const { merchantId, wheelId, prizeId, run: number } = run
  return { merchantId, wheelId, prizeId, run: number, entryNo: run.entries, ...entry }
}

/** How many units of a paced prize are left, after one was taken. */
export function unitsLeft(
  offer: Offer,
  { takes }: Pick<Passage, 'takes'>,
): { count: number; of: number } | undefined {
  const run = takes.find(({ run: { prizeId } }) => prizeId === offer.segment.id)?.run
  const of = offer.segment.pace?.units
  return run === undefined || of === undefined ? undefined : { count: of - run.awards + run.returned, of }
}

export function runName({ merchantId, wheelId, prizeId, run }: RunKey): string {
  return `${merchantId}:${wheelId}:${prizeId}:${run}`
}

/** Whether the key of a run is public, or could be. Then it gives nothing any more. */
export function isRevealed({ endsAt, endedAt }: Pick<LockedRun, 'endsAt' | 'endedAt'>, now: Date): boolean {
  const end = endedAt === null || endsAt < endedAt ? endsAt : endedAt
  return now.getTime() >= end.getTime() + runRevealDelayMs
}

type GateOn = { key: RunKey; pace: Pace; units: number; index: number | null }

/** The gates that are on the way of an offer: those whose time is active. */
function gatesOn({ order, segment }: Offer, now: Date): GateOn[] {
  const { merchantId, wheel } = order
  const { document, wheelId } = wheel
  if (!isPaced(document)) return []
  const { prizes, budget } = pacesOf(wheel)
  const own = prizes.get(segment.id)
  const gates: GateOn[] = []
  const add = (pace: Pace, prizeId: string, units: number, index: number | null) => {
    if (isActive(pace.spans, now.getTime()))
      gates.push({ key: { merchantId, wheelId, prizeId, run: pace.run }, pace, units, index })
  }
  if (own !== undefined) add(own, segment.id, 1, indexOf(document.segments, segment))
  if (budget !== undefined && isBudgeted(document, segment))
    add(budget, budgetId, centsOf(segment.cost ?? 0), null)
  return gates
}

function indexOf(segments: readonly WheelSegment[], { id }: WheelSegment): number {
  return segments.findIndex((one) => one.id === id)
}
