import { entriesWork, type EntriesSpec, newcomersWork, type NewcomersSpec } from './entries.ts'
import { type GrantsSpec, grantsWork } from './grants.ts'
import { type LinksSpec, linksWork } from './links.ts'
import { type MixSpec, mixWork } from './mix.ts'
import { type OnePlayerSpec, onePlayerWork } from './one-player.ts'
import { type PlaysSpec, playsWork } from './plays.ts'
import type { Work } from './work.ts'

/** Describes a work in plain values, because it is sent to the driver's process. */
export type WorkSpec =
  | GrantsSpec
  | OnePlayerSpec
  | LinksSpec
  | PlaysSpec
  | MixSpec
  | EntriesSpec
  | NewcomersSpec

export function makeWork(spec: WorkSpec): Work {
  if (spec.kind === 'grants') return grantsWork(spec)
  if (spec.kind === 'one-player') return onePlayerWork(spec)
  if (spec.kind === 'links') return linksWork(spec)
  if (spec.kind === 'plays') return playsWork(spec)
  if (spec.kind === 'entries') return entriesWork(spec)
  if (spec.kind === 'newcomers') return newcomersWork(spec)
  return mixWork(spec)
}
