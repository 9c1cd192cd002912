import { resolve } from 'node:path'
import type { Command } from 'commander'
import { archivePath } from '../../integrity/archive/archive-file.ts'
import { archiveLedger } from '../../integrity/archive/archive-ledger.ts'
import { type Archive, readArchives, readSealsToArchive } from '../../integrity/archive/archives.ts'
import { readArchivedRows } from '../../integrity/archive/archived-rows.ts'
import { restoreArchive } from '../../integrity/archive/restore-archive.ts'
import type { Queryable } from '../../db/database.ts'
import { archiveAgeDaysMin } from '../../limits.ts'
import { findMerchant, listMerchants } from '../../merchants/merchants.ts'
import { Mistake } from '../../mistake.ts'
import { findPlayer } from '../../players/players.ts'
import { type JsonOption, print, table, withDatabase } from '../output.ts'

type ArchiveOptions = JsonOption & { before: string; merchant?: string; to?: string; dryRun?: boolean }

export function addArchiveCommands(program: Command): void {
  const archive = program
    .command('archive')
    .description(
      'move ledger entries and plays of closed periods into checked files, which the audit still reads',
    )
  archive
    .command('run', { isDefault: true })
    .description('archive everything that was sealed before a date; can be interrupted and run again')
    .requiredOption('--before <date>', `such as 2026-01-01; at least ${archiveAgeDaysMin} days ago`)
    .option('--merchant <merchant>', 'only this merchant')
    .option('--to <folder>', 'where the files go (default: ARCHIVE_DIR, or archive in DATA_DIR)')
    .option('--dry-run', 'show what would be archived, and change nothing')
    .option('--json', 'print JSON')
    .action(runArchive)
  archive
    .command('list')
    .description('list all archives')
    .option('--json', 'print JSON')
    .action(async (options: JsonOption) => {
      const archives = await withDatabase((db) => readArchives(db))
      print(archives, options, table(archives.map(rowOf), 'There are no archives.'))
    })
  archive
    .command('show <merchant> <player>')
    .description('print the archived entries and plays of a player, one JSON object per line')
    .action(async (slug: string, playerId: string) => {
      await withDatabase(async (db, config) => {
        const { merchantId } = await findMerchant(db, slug)
        const player = await findPlayer(db, { merchantId, playerId }, new Date())
        if (player === undefined) throw new Mistake(`${slug} has no player ${playerId}.`)
        for await (const row of readArchivedRows(db, { folder: config.archiveDir, merchantId, ...player }))
          process.stdout.write(`${JSON.stringify(row)}\n`)
      })
    })
  archive
    .command('restore <merchant>')
    .description("put the rows of a merchant's newest archive back into the database")
    .option('--from <folder>', 'where the files are (default: ARCHIVE_DIR, or archive in DATA_DIR)')
    .option('--json', 'print JSON')
    .action(async (slug: string, options: JsonOption & { from?: string }) => {
      const restored = await withDatabase(async (db, config) => {
        const { merchantId } = await findMerchant(db, slug)
        return restoreArchive(db, { folder: resolve(options.from ?? config.archiveDir), merchantId })
      })
      print(restored, options, `Put back ${describe(restored)}.`)
    })
}

async function runArchive(options: ArchiveOptions): Promise<void> {
  const before = dateOf(options.before)
  await withDatabase(async (db, config) => {
    const names = new Map((await listMerchants(db)).map(({ merchantId, slug }) => [merchantId, slug]))
    const merchantId =
      options.merchant === undefined ? undefined : (await findMerchant(db, options.merchant)).merchantId
    if (options.dryRun === true) return showPlan(db, { before, merchantId }, options)
    const folder = resolve(options.to ?? config.archiveDir)
    const archives = await archiveLedger(db, {
      folder,
      before,
      merchantId,
      now: () => new Date(),
      nameOf: (id) => names.get(id) ?? '',
      onStep: (step, archive) => {
        if (options.json !== true && step === 'written')
          process.stdout.write(`Wrote and checked ${archivePath(folder, archive)}. Removing its rows …\n`)
      },
    })
    const lines = archives.map(
      (archive) => `Archived ${describe(archive)} of ${names.get(archive.merchantId)}.`,
    )
    const advice = 'Back up the folder of the archives: it is part of the ledger, and the audit reads it.'
    print(archives, options, archives.length === 0 ? nothing(before) : [...lines, advice].join('\n'))
  })
}

async function showPlan(
  db: Queryable,
  { before, merchantId }: { before: Date; merchantId: number | undefined },
  options: JsonOption,
): Promise<void> {
  const plan = await readSealsToArchive(db, { before, rowsMax: Number.MAX_SAFE_INTEGER, merchantId })
  print(plan, options, table(plan, nothing(before)))
}

const nothing = (before: Date) => `Nothing to archive: no seal was made before ${before.toISOString()}.`

function describe({ entries, plays, firstSealNo, lastSealNo, bytes }: Archive): string {
  const size = `${(bytes / 1024 ** 2).toFixed(1)} MiB`
  return `${entries} entries and ${plays} plays (seals ${firstSealNo} to ${lastSealNo}, ${size})`
}

function rowOf({ sha256: _sha256, spins: _spins, ...archive }: Archive) {
  return archive
}

function dateOf(text: string): Date {
  const date = new Date(text)
  const newest = Date.now() - archiveAgeDaysMin * 86_400_000
  if (Number.isNaN(date.getTime())) throw new Mistake(`--before ${text} is no date. Write it as 2026-01-01.`)
  if (date.getTime() > newest)
    throw new Mistake(
      `--before must be at least ${archiveAgeDaysMin} days ago (${new Date(newest).toISOString().slice(0, 10)}): game links live for up to 30 days.`,
    )
  return date
}
