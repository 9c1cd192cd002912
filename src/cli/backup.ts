import { resolve } from 'node:path'
import type { Command } from 'commander'
import { loadConfig } from '../config.ts'
import { backupSource } from '../db/backup/backup-source.ts'
import { takeBackup } from '../db/backup/backup.ts'
import { noteBackup } from '../db/work-positions.ts'
import { Mistake } from '../mistake.ts'
import { openExistingDatabase } from './existing-database.ts'
import { counting, type JsonOption, print } from './output.ts'

export function addBackupCommand(program: Command): void {
  program
    .command('backup')
    .description('back up the database beside a running server, and check the backup')
    .option('--to <folder>', 'where to put it (default: BACKUP_DIR, or backups in DATA_DIR)')
    .option(
      '--portable',
      'copy rows instead of files: for another kind of machine or PostgreSQL (DATABASE_URL: always)',
    )
    .option('--json', 'print JSON')
    .action(async (options: JsonOption & { to?: string; portable?: boolean }) => {
      const config = loadConfig()
      const { db, close } = await openExistingDatabase(config)
      try {
        const taken = await takeBackup(
          backupSource(config, options.portable === true ? 'portable' : 'base'),
          {
            into: options.to === undefined ? config.backup.dir : resolve(options.to),
            now: () => new Date(),
            checkpoint: 'fast',
          },
        )
        if (taken === undefined) throw new Mistake('No backup was taken.')
        await noteBackup(db, taken.manifest.startedAt)
        print(taken, options, describe(taken))
      } finally {
        await close()
      }
    })
}

function describe({
  folder,
  manifest,
  leftOver,
}: NonNullable<Awaited<ReturnType<typeof takeBackup>>>): string {
  const bytes = Object.values(manifest.files).reduce((sum, file) => sum + file.bytes, 0)
  const kind = manifest.kind === 'base' ? 'base backup' : 'portable backup'
  return [
    ...leftOver.map((left) => `Removed ${left}, which an interrupted backup had left.`),
    `Backed up to ${folder} (${kind}, ${(bytes / 1024 ** 2).toFixed(1)} MiB, checked).`,
    `It has ${counting(manifest.merchants, 'merchant')}, and everything that was acknowledged before ${manifest.startedAt}.`,
    'It has secrets, such as the keys that sign game links: protect it like a password. It does not have your',
    'settings, such as SEAL_KEY: keep a copy of them elsewhere.',
  ].join('\n')
}
