import type { Config } from '../../config.ts'
import { Mistake } from '../../mistake.ts'
import { clusterFolder } from '../embedded/cluster-folders.ts'
import { existingHome } from '../embedded/home.ts'
import { socketTarget } from '../embedded/ownership.ts'
import { findPostmaster } from '../embedded/postmaster.ts'
import type { Lock } from './age/age-file.ts'
import type { BackupSource } from './backup.ts'

/** Where backups are taken from: our own PostgreSQL, which must be running, or that of `DATABASE_URL`. */
export function backupSource(config: Config, kind: BackupSource['kind']): BackupSource {
  if (config.databaseTargets !== undefined) return { kind: 'portable', targets: config.databaseTargets }
  const home = existingHome(config.dataDir)
  const postmaster = home === undefined ? undefined : findPostmaster(clusterFolder(home))
  if (postmaster === undefined) throw new Mistake(`No PostgreSQL runs in ${config.dataDir}.`)
  // Only a superuser may copy the files.
  const user = kind === 'base' ? 'postgres' : 'wheelhouse'
  return { kind, targets: [socketTarget(postmaster, user, 'wheelhouse')] }
}

/** The keys or the passphrase for new backups. Undefined: they are not encrypted. */
export function backupLock({ backup: { recipients, passphrase } }: Config): Lock | undefined {
  if (recipients.length > 0) return { recipients }
  return passphrase === '' ? undefined : { passphrase }
}
