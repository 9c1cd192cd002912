import { type GrantsSpec, grantsWork } from './grants.ts'
import { type LinksSpec, linksWork } from './links.ts'
import { type OnePlayerSpec, onePlayerWork } from './one-player.ts'
import type { Work } from './work.ts'

/** What work is to be done, in plain values: it travels to the driver's process. */
export type WorkSpec = GrantsSpec | OnePlayerSpec | LinksSpec

export function makeWork(spec: WorkSpec): Work {
  if (spec.kind === 'grants') return grantsWork(spec)
  if (spec.kind === 'one-player') return onePlayerWork(spec)
  return linksWork(spec)
}
