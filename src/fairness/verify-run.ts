import { advance, hashOfPlay, type RunEntry, type RunState, runStart } from './award-chain.ts'
import type { Hashing } from './draw.ts'
import { isActive, type Pace, paceCommitment, releasedBy } from './pace.ts'
import { type Gate, type GatedPlay, type GateNumbers, judgeGates, type PacedVersion } from './verify-gates.ts'

/** A run after its end: the key, and everything that it gave. */
export type RevealedRun = Pace & { key: string; entries: readonly RunEntry[]; head: string }

type RunCheck = {
  name: 'key' | 'moments' | 'units' | 'chain' | 'times'
  says: string
  holds: boolean
}

/** The clocks of servers differ, and a play takes its time before it waits for the database. */
const disorderMaxMs = 60_000

/**
 * Checks a whole run. `isBudget`: its units are cents, and an award may take many. Without the published pace it proves
 * nothing: the caller compares the two.
 */
export function verifyRun(run: RevealedRun, isBudget: boolean, hashing: Hashing): RunCheck[] {
  const { states } = statesOf(run, hashing)
  const steps = run.entries.map((entry, index) => ({ entry, before: states[index] as RunState }))
  return [
    {
      name: 'key',
      says: 'the key of the run is the one that it committed to',
      holds: paceCommitment(run.key, hashing) === run.commitment,
    },
    {
      name: 'moments',
      says: 'no unit was given before its moment, or outside of the active time',
      holds: steps.every(({ entry, before }) => isDue(run, entry, before, hashing)),
    },
    {
      name: 'units',
      says: 'units were given in order, without a gap, and returned only after they were given',
      holds: steps.every(({ entry, before }) => isNext(entry, before, isBudget)),
    },
    {
      name: 'chain',
      says: 'the list of awards gives the last hash of the chain',
      holds: states.at(-1)?.head === run.head,
    },
    {
      name: 'times',
      says: 'awards are in the order of their times',
      holds: run.entries.every(({ at }, index) => at >= (run.entries[index - 1]?.at ?? at) - disorderMaxMs),
    },
  ]
}

/**
 * Checks the gates of a play against the runs that they belong to, and that the numbers at its time explain its result.
 * `later`: a run is not there, because it has not ended. The published pace counts, whatever the list says of itself.
 */
export function checkGates(
  play: GatedPlay & { playId: string },
  version: PacedVersion,
  runs: ReadonlyMap<string, RevealedRun>,
  hashing: Hashing,
): 'proved' | 'later' | 'wrong' {
  const { gates = [] } = play.proof
  const numbered = gates.map((gate, index): Gate | 'wrong' => {
    const pace = paceOfGate(version, gate)
    const run = pace && runs.get(pace.commitment)
    if (pace === undefined || run === undefined) return pace === undefined ? 'wrong' : gate
    const isAward = isAwardOf(play, version, gates, index)
    const own = { ...run, ...pace }
    if (!isGateOfRun(gate, { ...play, isAward }, own, hashing)) return 'wrong'
    return { ...gate, ...(numbersOf(gate, play, own, hashing) as GateNumbers) }
  })
  if (numbered.includes('wrong')) return 'wrong'
  const proof = { ...play.proof, ...(gates.length === 0 ? {} : { gates: numbered as Gate[] }) }
  if (judgeGates({ ...play, proof }, version) === 'wrong') return 'wrong'
  return gates.every((gate) => runs.has(paceOfGate(version, gate)?.commitment ?? '')) ? 'proved' : 'later'
}

/** What was released and given at a gate, by the run. Undefined if the chain of the run has no such head. */
export function numbersOf(
  { head }: Gate,
  { playedAt }: { playedAt: string },
  run: RevealedRun,
  hashing: Hashing,
): GateNumbers | undefined {
  const { states, places } = statesOf(run, hashing)
  const state = states[places.get(head) ?? -1]
  if (state === undefined) return undefined
  const { awards, returned } = state
  return { released: releasedBy(run, run.key, Date.parse(playedAt), hashing), awards, returned }
}

export function paceOfGate({ segments, budget }: PacedVersion, { segment }: Gate): Pace | undefined {
  return segment === null ? budget : segments[segment]?.pace
}

/** Whether the play took units at this gate: that of the prize that it got, or the last one, of the budget. */
export function isAwardOf(
  { segment, fallbackReason }: Pick<GatedPlay, 'segment' | 'fallbackReason'>,
  { fallback }: Pick<PacedVersion, 'fallback'>,
  gates: readonly Gate[],
  index: number,
): boolean {
  if (fallbackReason !== null || segment === fallback) return false
  const own = gates[index]?.segment
  return own === segment || (own === null && index === gates.length - 1)
}

/**
 * Whether a gate that a player was shown belongs to this run: it is at a place in its chain. The next entry is that of
 * the play, with its time, if it got the prize. Numbers, which only older proofs have, must be those of the run.
 */
export function isGateOfRun(
  gate: Gate,
  play: { playId: string; playedAt: string; isAward: boolean },
  run: RevealedRun,
  hashing: Hashing,
): boolean {
  const numbers = numbersOf(gate, play, run, hashing)
  if (numbers === undefined) return false
  const areRight = (Object.keys(numbers) as (keyof GateNumbers)[]).every(
    (name) => (gate[name] ?? numbers[name]) === numbers[name],
  )
  const next = run.entries[statesOf(run, hashing).places.get(gate.head) ?? -1]
  const isOwn = next?.play === hashOfPlay(play.playId, hashing) && next.at === Date.parse(play.playedAt)
  return areRight && (!play.isAward || isOwn)
}

type States = { states: RunState[]; places: Map<string, number> }

/** The state before each entry and after the last, and where each head is. Many plays are checked against one run. */
function statesOf({ commitment, entries }: RevealedRun, hashing: Hashing): States {
  const known = remembered.get(entries)
  if (known !== undefined) return known
  const states = [runStart(commitment, hashing)]
  for (const entry of entries) states.push(advance(states.at(-1) as RunState, entry, hashing))
  const made = { states, places: new Map(states.map(({ head }, index) => [head, index])) }
  remembered.set(entries, made)
  return made
}

const remembered = new WeakMap<readonly RunEntry[], States>()

function isDue(run: RevealedRun, { kind, unit, at }: RunEntry, before: RunState, hashing: Hashing): boolean {
  if (kind === 'return') return true
  return isActive(run.spans, at) && unit <= releasedBy(run, run.key, at, hashing) + before.returned
}

function isNext({ kind, unit }: RunEntry, before: RunState, isBudget: boolean): boolean {
  const total = kind === 'award' ? before.awards : before.returned
  const isInOrder = isBudget ? unit > total : unit === total + 1
  return isInOrder && (kind === 'award' || unit <= before.awards)
}
