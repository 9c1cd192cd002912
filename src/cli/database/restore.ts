import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type Config, loadConfig } from '../../config.ts'
import {
  type BackupManifest,
  openBackup,
  type OpenBackup,
  readOutline,
} from '../../db/backup/backup-manifest.ts'
import { checkBackup } from '../../db/backup/backup.ts'
import { restoreEmbedded, restoreInto } from '../../db/backup/restore.ts'
import { baselineVersion, newestVersion } from '../../db/migrations.ts'
import { connectDatabase } from '../../db/open-database.ts'
import { makeLog } from '../../log.ts'
import { Mistake } from '../../mistake.ts'
import type { DatabaseTarget } from '../../settings/database-url.ts'
import { withdrawFirstLink } from '../../staff/remove-account.ts'
import { checkDatabase, describeFindings, describeHoldings, type Holdings } from './check-database.ts'
import { commandCause, type JsonOption, print } from '../output.ts'

const exitCodeOfFindings = 2

const noPointInTime =
  'A backup is restored as of its own time. To restore any other point in time, use your own PostgreSQL and archive its ' +
  'write-ahead log (docs/backup.md). Nothing was changed.'

export function addRestoreCommand(program: Command): void {
  program
    .command('restore <backup>')
    .description(
      'restore a backup into an empty DATA_DIR or DATABASE_URL, after checking it, and audit the result',
    )
    .option('--replace', 'restore into a DATA_DIR with data; that data is kept beside it')
    .option('--check', 'only check the backup')
    .option('--until <time>', 'not possible: a backup has the state at its own time')
    .option('--json', 'print JSON')
    .action(
      async (from: string, options: JsonOption & { replace?: boolean; check?: boolean; until?: string }) => {
        if (options.until !== undefined) throw new Mistake(noPointInTime)
        const folder = resolve(from)
        refuseOtherSchemas(folder)
        const config = loadConfig()
        const backup = await openBackup(folder, config.backup)
        const { manifest } = backup
        if (options.check === true) {
          await checkBackup(backup)
          return print(manifest, options, `The backup is whole. ${describeBackup(manifest)}`)
        }
        if (options.replace === true && config.databaseTargets !== undefined)
          throw new Mistake(
            '--replace is for the embedded PostgreSQL, and DATABASE_URL is set. Create a new, empty database, and set ' +
              'DATABASE_URL to it. Nothing was changed.',
          )
        await checkBackup(backup)
        const restored = await restore(config, backup, options.replace === true)
        print({ ...restored, manifest }, options, describe(restored, manifest))
        if (restored.holdings.findings.length > 0) process.exitCode = exitCodeOfFindings
      },
    )
}

/** Before the files are checked, which may take long. */
function refuseOtherSchemas(folder: string): void {
  const { schema, wheelhouse } = readOutline(folder)
  const newest = newestVersion()
  if (schema > newest)
    throw new Mistake(
      `${folder} was taken by a newer Wheelhouse (${wheelhouse}): its schema is number ${schema}, and this version knows ` +
        `those up to ${newest}. Restore it with Wheelhouse ${wheelhouse} or newer. Nothing was changed.`,
    )
  if (schema < baselineVersion)
    throw new Mistake(
      `${folder} was taken by a Wheelhouse before 0.3.0 (schema version ${schema}), which this version can't restore. ` +
        'Restore it with Wheelhouse 0.3.0, and then start this version with the result. Nothing was changed.',
    )
}

type Restored = { into: string; kept: string | undefined; leftOver: string[]; holdings: RestoredHoldings }

async function restore(config: Config, backup: OpenBackup, isReplacing: boolean): Promise<Restored> {
  if (config.databaseTargets !== undefined) {
    await restoreInto(backup, config.databaseTargets)
    const holdings = await checkRestored(config, config.databaseTargets)
    return { into: 'the database of DATABASE_URL', kept: undefined, leftOver: [], holdings }
  }
  const { folder, result, ...rest } = await restoreEmbedded(backup, {
    dataDir: config.dataDir,
    isReplacing,
    now: new Date(),
    check: (target) => checkRestored(config, [target]),
    onTrouble: () => undefined,
  })
  return { into: folder, holdings: result, ...rest }
}

type RestoredHoldings = Holdings & { withdrewFirstLink: boolean }

/** The link of the first start may have been withdrawn after the backup, so it is withdrawn here. */
async function checkRestored(config: Config, targets: readonly DatabaseTarget[]): Promise<RestoredHoldings> {
  const holdings = await checkDatabase(config, targets)
  const db = connectDatabase(config, targets, makeLog('silent'))
  try {
    const withdrewFirstLink = await db.transaction((tx) => withdrawFirstLink(tx, commandCause()))
    return { ...holdings, withdrewFirstLink }
  } finally {
    await db.close()
  }
}

function describe({ into, kept, leftOver, holdings }: Restored, manifest: BackupManifest): string {
  const lines = [
    ...leftOver.map((left) => `Removed ${left}, which an interrupted run had left.`),
    `Restored into ${into}: ${describeHoldings(holdings)}.`,
    describeBackup(manifest),
    holdings.findings.length === 0 ? 'The audit found nothing wrong.' : describeFindings(holdings.findings),
  ]
  if (holdings.withdrewFirstLink)
    lines.push(
      'The link of the first start was still open, and is withdrawn. ' +
        'Invite an operator with: wheelhouse staff invite <email> --operator',
    )
  if (kept !== undefined)
    lines.push(
      `The data from before is kept in ${kept}. \`wheelhouse upgrade undo\` goes back to it, unless you restore again. ` +
        '`wheelhouse upgrade confirm` deletes all data that is not in use.',
    )
  return lines.join('\n')
}

function describeBackup({ kind, wheelhouse, startedAt, endedAt }: BackupManifest): string {
  const later = kind === 'base' ? `, and some of what followed until ${endedAt}` : ''
  return `The backup, taken by Wheelhouse ${wheelhouse}, has everything acknowledged before ${startedAt}${later}.`
}
