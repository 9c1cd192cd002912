import { auditWithSeals } from '../../integrity/audit.ts'
import type { Finding } from '../../integrity/lasting-findings.ts'
import { sealKeyOf } from '../../integrity/seal-hash.ts'
import type { Config } from '../../config.ts'
import { type Queryable, statement } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { connectDatabase } from '../../db/open-database.ts'
import { makeLog } from '../../log.ts'
import { listMerchants } from '../../merchants/merchants.ts'
import type { DatabaseTarget } from '../../settings/database-url.ts'
import { counting } from '../output.ts'

/** What a restored or upgraded database holds. */
export type Holdings = {
  merchants: number
  players: number
  entries: number
  newestEntryAt: Date | null
  findings: Finding[]
}

/** Migrates a database that is not in use yet, audits it, and describes what it holds. */
export async function checkDatabase(config: Config, targets: readonly DatabaseTarget[]): Promise<Holdings> {
  const db = connectDatabase(config, targets, makeLog('silent'))
  try {
    await migrate(db)
    const audit = await auditWithSeals(db, {
      // A backup may be checked where no key is at hand.
      keys: config.sealKeys.length === 0 ? undefined : config.sealKeys.map(sealKeyOf),
      kept: [],
      archiveDir: config.archiveDir,
    })
    return {
      merchants: (await listMerchants(db)).length,
      players: audit.players,
      entries: audit.entries,
      newestEntryAt: await db.longTransaction(readNewestEntry),
      findings: audit.findings,
    }
  } finally {
    await db.close()
  }
}

export function describeHoldings({ merchants, players, entries, newestEntryAt }: Holdings): string {
  const newest = newestEntryAt === null ? '' : `, the newest of ${newestEntryAt.toISOString()}`
  return `${counting(merchants, 'merchant')}, ${counting(players, 'player')}, ${counting(entries, 'ledger entry', 'ledger entries')}${newest}`
}

export function describeFindings(findings: readonly Finding[]): string {
  return findings.map(({ check, count }) => `FAILED: ${check}: ${count} rows`).join('\n')
}

async function readNewestEntry(tx: Queryable): Promise<Date | null> {
  const [row] = await tx.query(selectNewestEntry)
  return row?.newest ?? null
}

/** Test merchants have clocks of their own. */
const selectNewestEntry = statement<{ newest: Date | null }>(`
select max(created_at) as newest
from ledger_entries
where merchant_id in (
  select merchant_id
  from merchants
  where test_of is null
)`)
