import type { Queryable } from '../db/database.ts'
import type { RunEntry } from '../fairness/award-chain.ts'
import { hashing } from '../fairness/hashing.ts'
import { type Pace, paceKey } from '../fairness/pace.ts'
import type { ExportedRun } from '../fairness/verify-export.ts'
import { Refusal } from '../refusals.ts'
import { findRun, type PaceRun, readRunEntries, readRunsOfMerchant } from './pace-runs.ts'
import { runEntriesPerPage } from '../limits.ts'
import type { SigningKeys } from '../crypto/signing-keys.ts'
import { budgetId } from './check-paces.ts'
import { pacesByPrize } from './start-runs.ts'
import type { WheelVersion } from '../wheel-document/wheel-types.ts'
import { isRevealed } from './pace-gates.ts'

/** The published versions of wheels. */
type WheelVersions = { version(wheelId: number, version: number): Promise<WheelVersion> }

export type RunSources = { db: Queryable; seedKeys: SigningKeys; wheels: WheelVersions; now: Date }

/** What is public of a run. Before its end, key and head are null, and there are no entries. */
type PublicRun = Pace & {
  endsAt: string
  endedAt: string | null
  key: string | null
  head: string | null
  entries: RunEntry[]
  /** The number of the last entry, if there are more. */
  next: number | null
}

/** Reveals a run that has ended, one page of its entries at a time. */
export async function revealRun(sources: RunSources, commitment: string, after: number): Promise<PublicRun> {
  const { db, now } = sources
  const run = await findRun(db, commitment)
  if (run === undefined) throw new Refusal('run_not_found')
  const isOver = isRevealed(run, now)
  const limit = runEntriesPerPage
  const entries = isOver ? await readRunEntries(db, run, { after, limit }) : []
  return {
    ...(await paceOfRun(sources, run)),
    endsAt: run.endsAt.toISOString(),
    endedAt: run.endedAt?.toISOString() ?? null,
    key: isOver ? await keyOfRun(sources, run) : null,
    head: isOver ? run.head : null,
    entries: entries.map(({ kind, unit, at, play }) => ({ kind, unit, at, play })),
    next: entries.length === limit ? (entries.at(-1)?.entryNo ?? null) : null,
  }
}

/** A merchant's runs that have ended, for an export. */
export async function endedRuns(sources: RunSources, merchantId: number): Promise<ExportedRun[]> {
  const runs = await readRunsOfMerchant(sources.db, merchantId)
  const revealed = []
  for (const { commitment, prizeId } of runs) {
    const run = await revealWholeRun(sources, commitment)
    if (run !== undefined) revealed.push({ ...run, isBudget: prizeId === budgetId })
  }
  return revealed
}

/** The whole run. Undefined before its end. */
export async function revealWholeRun(sources: RunSources, commitment: string) {
  let shown = await revealRun(sources, commitment, 0)
  const { entries } = shown
  while (shown.next !== null) {
    shown = await revealRun(sources, commitment, shown.next)
    entries.push(...shown.entries)
  }
  const { next: _next, key, head, ...run } = shown
  return key === null || head === null ? undefined : { ...run, key, head, entries }
}

/** The pace as it was published with the version that began the run. */
export async function paceOfRun({ wheels }: Pick<RunSources, 'wheels'>, run: PaceRun): Promise<Pace> {
  const pace = pacesByPrize(await wheels.version(run.wheelId, run.version)).get(run.prizeId)
  if (pace === undefined) throw new Error(`version ${run.version} of wheel ${run.wheelId} has no such run`)
  return pace
}

export async function keyOfRun({ seedKeys }: Pick<RunSources, 'seedKeys'>, run: PaceRun): Promise<string> {
  const key = await seedKeys.everById(run.seedKeyId)
  if (key === undefined) throw new Error(`the key ${run.seedKeyId} of a run is gone`)
  return paceKey(key.secret, run, hashing)
}
