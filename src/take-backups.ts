import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { backupLock, backupSource } from './db/backup/backup-source.ts'
import { BackupWorker } from './db/backup/backup-worker.ts'
import type { Database } from './db/database.ts'
import type { Metrics } from './metrics.ts'

/** The parts of the context that backups on schedule need. */
type Needs = { config: Config; db: Database; log: Logger; now: () => Date; metrics: Metrics }

export function takeBackups({ config, db, log, now, metrics }: Needs): BackupWorker {
  const { dir, everyHours, keep } = config.backup
  return new BackupWorker({
    db,
    into: dir,
    everyHours,
    keep,
    // The operator's own PostgreSQL may be backed up by other tools.
    isWatching: config.databaseTargets === undefined,
    source: () => backupSource(config, 'base'),
    lock: backupLock(config),
    now,
    onBackup: ({ folder }, removed) => {
      metrics.backups.inc({ outcome: 'done' })
      log.info({ folder, ...removed }, 'took a backup')
    },
    onTrouble: (error) => {
      metrics.backups.inc({ outcome: 'failed' })
      log.error({ error }, 'the backup on schedule failed')
    },
    onNewest: (startedAt) => metrics.newestBackup(startedAt),
  })
}
