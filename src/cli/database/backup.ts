import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { loadConfig } from '../../config.ts'
import { makeIdentity, identityText, recipientText } from '../../db/backup/age/keys.ts'
import { backupLock, backupSource } from '../../db/backup/backup-source.ts'
import { takeBackup } from '../../db/backup/backup.ts'
import { noteBackup } from '../../db/work-positions.ts'
import { explainFileError } from '../../file-errors.ts'
import { Mistake } from '../../mistake.ts'
import { openExistingDatabase } from './existing-database.ts'
import { counting, type JsonOption, print } from '../output.ts'

export function addBackupCommands(program: Command): void {
  const backup = program
    .command('backup')
    .description('back up the database, and make keys for encrypted backups')

  backup
    .command('take', { isDefault: true })
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
            lock: backupLock(config),
          },
        )
        if (taken === undefined) throw new Mistake('No backup was taken.')
        await noteBackup(db, taken.manifest.startedAt)
        print(taken, options, describe(taken))
      } finally {
        await close()
      }
    })

  backup
    .command('key <file>')
    .description('make a key pair for encrypted backups; the private key goes to a new file')
    .option('--json', 'print JSON')
    .action((file: string, options: JsonOption) => {
      const identity = makeIdentity()
      writePrivate(file, identityText(identity, new Date()))
      const recipient = recipientText(identity.recipient)
      print({ recipient, file }, options, describeKey(recipient, file))
    })
}

function writePrivate(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    throw explainFileError(error, file)
  }
}

function describeKey(recipient: string, file: string): string {
  return [
    'Set this on every server; it is no secret:',
    `  BACKUP_RECIPIENTS=${recipient}`,
    `The private key is in ${file}. Keep it, and a copy, in safe places away from the servers and from the backups:`,
    'without it nobody can restore them. A restore needs it: BACKUP_IDENTITY_FILE names its file.',
  ].join('\n')
}

function describe({
  folder,
  manifest,
  leftOver,
}: NonNullable<Awaited<ReturnType<typeof takeBackup>>>): string {
  const bytes = Object.values(manifest.files).reduce((sum, file) => sum + file.bytes, 0)
  const isEncrypted = manifest.key !== undefined
  const kind = manifest.kind === 'base' ? 'base backup' : 'portable backup'
  return [
    ...leftOver.map((left) => `Removed ${left}, which an interrupted backup had left.`),
    `Backed up to ${folder} (${kind}, ${isEncrypted ? 'encrypted, ' : ''}${(bytes / 1024 ** 2).toFixed(1)} MiB, checked).`,
    `It has ${counting(manifest.merchants, 'merchant')}, and everything that was acknowledged before ${manifest.startedAt}.`,
    ...(isEncrypted
      ? ['Without the private key or the passphrase nobody can read it: keep a copy of that elsewhere.']
      : [
          'It is not encrypted, and has secrets, such as the keys that sign game links: protect it like a password, or',
          'set BACKUP_RECIPIENTS or BACKUP_PASSPHRASE_FILE.',
        ]),
    'It does not have your settings, such as SEAL_KEY: keep a copy of them elsewhere.',
  ].join('\n')
}
