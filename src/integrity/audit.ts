import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, type Queryable, statement } from '../db/database.ts'
import { auditAgainMs } from '../limits.ts'
import { shardValues } from '../players/shard.ts'
import { readArchives } from './archive/archives.ts'
import { checkArchive } from './archive/check-archive.ts'
import { checkChains, type KeptSeal, sealChecks, type SealCounts } from './check-seals.ts'
import { freeSpinChecks } from './free-spin-checks.ts'
import { type Finding, lastingFindings } from './lasting-findings.ts'
import { ledgerChecks } from './ledger-checks.ts'
import { lotChecks } from './lot-checks.ts'
import { purseChecks } from './purse-checks.ts'
import { findWrongFreeSpins } from './recompute-free-spins.ts'
import type { SealKey } from './seal-hash.ts'
import { visitorChecks } from './visitor-checks.ts'

export type AuditReport = {
  players: number
  entries: number
  /** Entries that are in archives, and were checked there. */
  archivedEntries: number
  findings: Finding[]
}

const examplesMax = 10

/**
 * Recomputes the whole ledger and everything that depends on it, and reports what is wrong. It reads one snapshot, so
 * it can run beside a busy server. It trusts neither the balances nor the constraints.
 */
export async function auditLedger(db: Database): Promise<AuditReport> {
  const { seals: _, ...report } = await auditWithSeals(db, { keys: undefined, kept: [] })
  return report
}

/**
 * The same, including the seals, with their keys and the copies kept outside. The machines of a cluster have no common
 * snapshot, so what is being committed may look wrong there: only what is wrong a second time is reported.
 */
export async function auditWithSeals(db: Database, against: Outside): Promise<FullReport> {
  const report = await auditOnce(db, against)
  if (!db.isCluster || report.findings.length === 0) return report
  await sleep(auditAgainMs)
  const again = await auditOnce(db, against)
  return { ...again, findings: lastingFindings(report.findings, again.findings) }
}

type Outside = { keys: readonly SealKey[] | undefined; kept: readonly KeptSeal[]; archiveDir?: string }
type FullReport = AuditReport & { seals: SealCounts; refusedPlays: number }

async function auditOnce(db: Database, against: Outside): Promise<FullReport> {
  return db.longTransaction(async (tx) => {
    await tx.query(readOneSnapshot)
    const [counts] = await tx.query(countRows)
    const findings: Finding[] = []
    for (const [check, text] of Object.entries({
      ...ledgerChecks,
      ...purseChecks,
      ...lotChecks,
      ...freeSpinChecks,
      ...visitorChecks,
      ...sealChecks,
    })) {
      const values = text.includes('$1') ? [shardValues] : []
      const rows = await tx.query(statement<{ count: number; examples: unknown[] }>(sample(text)), values)
      const [found] = rows
      if (found !== undefined && found.count > 0) findings.push({ check, ...found })
    }
    const chains = await checkChains(tx, against)
    const lists = {
      "every merchant's seals are a chain without a gap": chains.findings,
      'free spins have the amount and the expiry of their rule': await findWrongFreeSpins(tx),
      'every archive is there, as it was sealed': await checkArchives(tx, against.archiveDir),
    }
    for (const [check, list] of Object.entries(lists))
      if (list.length > 0) findings.push({ check, count: list.length, examples: list.slice(0, examplesMax) })
    const [refused] = await tx.query(countRefused)
    return {
      players: counts?.players ?? 0,
      entries: counts?.entries ?? 0,
      archivedEntries: counts?.archivedEntries ?? 0,
      findings,
      seals: chains.counts,
      refusedPlays: refused?.count ?? 0,
    }
  })
}

/** Reads all archives as a whole. */
async function checkArchives(tx: Queryable, folder: string | undefined): Promise<object[]> {
  const problems: object[] = []
  for (const archive of await readArchives(tx)) {
    const { merchantId, archiveNo } = archive
    for (const problem of await checkArchive(tx, folder, archive))
      problems.push({ merchantId, archiveNo, problem })
  }
  return problems
}

const readOneSnapshot = statement('set transaction isolation level repeatable read, read only')

const countRows = statement<{ players: number; entries: number; archivedEntries: number }>(`
select
  (select count(*) from players) as players,
  (select count(*) from ledger_entries) as entries,
  (select coalesce(sum(entries), 0)::bigint from ledger_archives) as "archivedEntries"`)

/** Plays that were refused after their seed was sent, as far back as the event log goes. Their events are in lists. */
const countRefused = statement<{ count: number }>(`
select count(*) as count
from event_pages
cross join lateral json_array_elements(body::json) as event
where body like '[%"play.refused"%'
and event ->> 0 = 'play.refused'`)

function sample(text: string): string {
  return `
with found as materialized (${text})
select
  (select count(*) from found) as count,
  (select coalesce(json_agg(one), '[]') from (select * from found limit ${examplesMax}) as one) as examples`
}
