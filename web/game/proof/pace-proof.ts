/** What the gates of a play prove: at once by the published times, and after the run by its key and its list. */
import { endOf, type Pace } from '../../../src/fairness/pace.ts'
import { judgeGates, type PacedVersion } from '../../../src/fairness/verify-gates.ts'
import {
  checkGates,
  numbersOf,
  paceOfGate,
  type RevealedRun,
  verifyRun,
} from '../../../src/fairness/verify-run.ts'
import { isRefused, loadRun, type Play } from '../api.ts'
import { hashing } from './sha256.ts'

/**
 * `window`: the published times explain the fallback. `later`: it can be checked after the run. `trusted`: the shop
 * names another reason.
 */
export type PaceProof =
  | { state: 'none' | 'window' | 'trusted' | 'bad' | 'wrong' }
  | { state: 'later'; endsAt: string }
  | { state: 'proved'; released: number; awards: number }

export async function paceProofOf(play: Play, published: string): Promise<PaceProof> {
  const version = JSON.parse(published) as PacedVersion
  const verdict = judgeGates(play, version)
  if (verdict === 'wrong') return { state: 'bad' }
  const gates = play.proof.gates ?? []
  const gate = gates.at(-1)
  if (gate === undefined)
    return { state: verdict === 'proved' ? 'window' : verdict === 'trusted' ? 'trusted' : 'none' }
  const pace = paceOfGate(version, gate) as Pace
  const runs = await loadRuns(gates.map((one) => paceOfGate(version, one) as Pace))
  const found = checkGates(play, version, runs, hashing)
  const areSound = [...runs.values()].every((run) => isSound(run, version))
  if (found === 'wrong' || !areSound) return { state: 'wrong' }
  if (found === 'later') return { state: 'later', endsAt: new Date(endOf(pace.spans)).toISOString() }
  const run = runs.get(pace.commitment)
  const numbers = run && numbersOf(gate, play, run, hashing)
  if (verdict === 'trusted' || numbers === undefined) return { state: 'trusted' }
  const scale = gate.segment === null ? 100 : 1
  return { state: 'proved', released: numbers.released / scale, awards: numbers.awards / scale }
}

export function isSound(run: RevealedRun, { budget }: PacedVersion): boolean {
  return verifyRun(run, run.commitment === budget?.commitment, hashing).every(({ holds }) => holds)
}

/** The runs that have ended, by commitment. */
export async function loadRuns(paces: readonly Pace[]): Promise<Map<string, RevealedRun>> {
  const runs = await Promise.all(paces.map(loadWholeRun))
  return new Map(runs.flatMap((run) => (run === undefined ? [] : [[run.commitment, run] as const])))
}

/** The run with all of its entries. Undefined before its end, or if it can't be loaded. The published pace counts. */
async function loadWholeRun(pace: Pace): Promise<RevealedRun | undefined> {
  const first = await loadRun(pace.commitment, 0)
  if (isRefused(first) || first.key === null || first.head === null) return undefined
  const entries = [...first.entries]
  for (let { next } = first; next !== null;) {
    const page = await loadRun(pace.commitment, next)
    if (isRefused(page)) return undefined
    entries.push(...page.entries)
    next = page.next
  }
  return { ...pace, key: first.key, head: first.head, entries }
}
