import type { Hashing } from './draw.ts'

/**
 * What a run gave and got back, in order. `unit` is the running total of its kind: the third award has unit 3. In the
 * run of a budget it counts cents. `play` is SHA-256 of the play's id.
 */
export type RunEntry = { kind: 'award' | 'return'; unit: number; at: number; play: string }

/** What a run has given and got back so far. `head` is the hash over all of its entries. */
export type RunState = { awards: number; returned: number; head: string }

export function runStart(commitment: string, hashing: Hashing): RunState {
  return { awards: 0, returned: 0, head: hashing.sha256(`wheelhouse run 1\n${commitment}`) }
}

/** The state after an entry. */
export function advance({ awards, returned, head }: RunState, entry: RunEntry, hashing: Hashing): RunState {
  const { kind, unit, at, play } = entry
  return {
    awards: kind === 'award' ? unit : awards,
    returned: kind === 'return' ? unit : returned,
    head: hashing.sha256(`wheelhouse entry 1\n${head}\n${kind}\n${unit}\n${at}\n${play}`),
  }
}

export function hashOfPlay(playId: string, hashing: Hashing): string {
  return hashing.sha256(playId)
}
