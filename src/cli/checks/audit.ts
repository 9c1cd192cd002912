import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { Queryable } from '../../db/database.ts'
import { auditWithSeals } from '../../integrity/audit.ts'
import { listMerchants } from '../../merchants/merchants.ts'
import { Mistake } from '../../mistake.ts'
import type { KeptSeal, SealCounts } from '../../integrity/check-seals.ts'
import { readNewestSeals } from '../../integrity/ledger-seals.ts'
import { sealKeyOf } from '../../integrity/seal-hash.ts'
import { counting, type JsonOption, print, withDatabase } from '../output.ts'

const exitCodeOfFindings = 2

export function addAuditCommand(program: Command): void {
  program
    .command('audit')
    .description(
      'recompute every balance from the ledger and report what does not match (then the exit code is 2)',
    )
    .option('--seals <file>', 'compare with seals kept outside the database (see: wheelhouse seals)')
    .option('--metrics-file <file>', 'write the result as metrics, for a textfile collector of Prometheus')
    .option('--json', 'print JSON')
    .action(async (options: JsonOption & { seals?: string; metricsFile?: string }) => {
      const lines = options.seals === undefined ? [] : readKeptSeals(options.seals)
      const report = await withDatabase(async (db, config) =>
        auditWithSeals(db, {
          keys: config.sealKeys.map(sealKeyOf),
          kept: await withIds(db, lines),
          archiveDir: config.archiveDir,
        }),
      )
      const archived = report.archivedEntries === 0 ? '' : `, and ${report.archivedEntries} in archives`
      const { players, entries } = report
      const counted = `${counting(players, 'player')}, ${counting(entries, 'entry', 'entries')}${archived}`
      const found = report.findings.map(
        ({ check, count, examples }) =>
          `FAILED: ${check}: ${counting(count, 'row')}, for example\n${examples.map((one) => `  ${JSON.stringify(one)}`).join('\n')}`,
      )
      const verdict =
        found.length === 0 ? `Clean: ${counted}.` : `${found.join('\n')}\nChecks failed: ${counted}.`
      const refused = `\n${counting(report.refusedPlays, 'play was', 'plays were')} refused after the seed was sent (event play.refused).`
      print(
        report,
        options,
        `${verdict}${sealsText(report.seals)}${report.refusedPlays === 0 ? '' : refused}`,
      )
      if (options.metricsFile !== undefined) writeMetrics(options.metricsFile, found.length)
      if (found.length > 0) process.exitCode = exitCodeOfFindings
    })

  program
    .command('seals')
    .description('print the newest seal of every merchant as JSON lines, to keep outside the database')
    .action(async () => {
      const lines = await withDatabase(async (db) => {
        const slugs = new Map((await listMerchants(db)).map(({ merchantId, slug }) => [merchantId, slug]))
        return (await readNewestSeals(db)).map(({ merchantId, sealNo, sealedAt, hash }) =>
          JSON.stringify({ merchant: slugs.get(merchantId), sealNo, sealedAt, hash }),
        )
      })
      process.stdout.write(lines.map((line) => `${line}\n`).join(''))
    })
}

/** Written beside the file and renamed, so that a collector never reads half of it. */
function writeMetrics(file: string, findings: number): void {
  const lines = [
    '# HELP wheelhouse_audit_failed_checks Checks that failed in the last audit.',
    '# TYPE wheelhouse_audit_failed_checks gauge',
    `wheelhouse_audit_failed_checks ${findings}`,
    '# HELP wheelhouse_audit_timestamp_seconds When the last audit ended.',
    '# TYPE wheelhouse_audit_timestamp_seconds gauge',
    `wheelhouse_audit_timestamp_seconds ${Math.floor(Date.now() / 1000)}`,
  ]
  writeFileSync(`${file}.tmp`, `${lines.join('\n')}\n`)
  renameSync(`${file}.tmp`, file)
}

function sealsText({ seals, keyed, entries }: SealCounts): string {
  if (seals === 0) return ''
  const unkeyed = seals - keyed
  return [
    `\nSealed: ${counting(entries, 'entry', 'entries')}, by ${counting(seals, 'seal')}.`,
    unkeyed > 0 ? ` ${unkeyed} have no key: anyone who can write to the database can forge them.` : '',
  ].join('')
}

type KeptLine = { merchant: string; sealNo: number; hash: string }

function readKeptSeals(file: string): KeptLine[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n')
    return lines.filter((line) => line.trim() !== '').map(readKeptLine)
  } catch (error) {
    throw new Mistake(`${file} can't be read: ${(error as Error).message}`, { cause: error })
  }
}

function readKeptLine(line: string): KeptLine {
  const { merchant, sealNo, hash } = JSON.parse(line) as Partial<KeptLine>
  if (typeof merchant !== 'string' || typeof sealNo !== 'number' || typeof hash !== 'string')
    throw new Error('every line must have a merchant, a sealNo and a hash, as `wheelhouse seals` prints them')
  return { merchant, sealNo, hash }
}

/** A deleted merchant gets an id that none has, so that its seals are reported as missing. */
async function withIds(db: Queryable, lines: readonly KeptLine[]): Promise<KeptSeal[]> {
  const ids = new Map((await listMerchants(db)).map(({ merchantId, slug }) => [slug, merchantId]))
  return lines.map(({ merchant, sealNo, hash }) => ({ merchantId: ids.get(merchant) ?? 0, sealNo, hash }))
}
