import { type GrantsSpec, grantsWork } from './grants.ts'
import { type LinksSpec, linksWork } from './links.ts'
import { type PlaysSpec, playsWork } from './plays.ts'
import { makeRandom, emptyTally, type Tally, type Work } from './work.ts'

export type MixSpec = { kind: 'mix'; seed: number; parts: [GrantsSpec, LinksSpec, PlaysSpec] }

/** Of ten requests, five are grants, two are links and three are plays. */
const shares = [5, 2, 3]

export function mixWork(spec: MixSpec): Work {
  const [grants, links, plays] = spec.parts
  const parts = [grantsWork(grants), linksWork(links), playsWork(plays)]
  const choices = shares.flatMap((share, part) => Array.from({ length: share }, () => parts[part] as Work))
  const random = makeRandom(spec.seed)
  const at: Work[] = []

  return {
    async prepare(port) {
      for (const part of parts) await part.prepare?.(port)
    },
    begin(slots) {
      for (const part of parts) part.begin(slots)
    },
    next(slot) {
      const part = choices[random(choices.length)] as Work
      at[slot] = part
      return part.next(slot)
    },
    take: (slot, answer) => (at[slot] as Work).take(slot, answer),
    refused: (slot) => (at[slot] as Work).refused(slot),
    tally() {
      const total: Tally = { ...emptyTally }
      for (const part of parts) {
        const own = part.tally()
        for (const name of Object.keys(total) as (keyof Tally)[]) total[name] += own[name]
      }
      return total
    },
  }
}
