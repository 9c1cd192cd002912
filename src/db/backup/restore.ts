import { existsSync } from 'node:fs'
import { Mistake } from '../../mistake.ts'
import type { DatabaseTarget } from '../../settings/database-url.ts'
import { buildCluster } from '../embedded/build-cluster.ts'
import { clusterFolder, removeLeftovers, switchTo } from '../embedded/cluster-folders.ts'
import { type Cluster, createFiles, openShell } from '../embedded/cluster.ts'
import { findPostmaster } from '../embedded/postmaster.ts'
import type { OpenBackup } from './backup-manifest.ts'
import { tableFile } from './backup.ts'
import { readBaseBackup } from './base-backup.ts'
import { connect } from './connect.ts'
import { requireSpace } from './durable-files.ts'
import { extractEntries } from './extract-entries.ts'
import { loadContents } from './table-contents.ts'

type RestoreOptions<T> = Pick<Cluster, 'onTrouble'> & {
  dataDir: string
  /** Whether to put the backup in the place of data that exists. That data is kept. */
  isReplacing: boolean
  now: Date
  /** Checks the restored database, and describes it. Throws if it must not be used. */
  check: (target: DatabaseTarget) => Promise<T>
}

type Restored<T> = { folder: string; kept: string | undefined; leftOver: string[]; result: T }

/** Restores a backup into the embedded PostgreSQL: into a new folder, which is checked before it is used. */
export async function restoreEmbedded<T>(
  backup: OpenBackup,
  options: RestoreOptions<T>,
): Promise<Restored<T>> {
  const shell = openShell(options)
  const old = clusterFolder(shell.home)
  if (existsSync(old) && !options.isReplacing)
    throw new Mistake(
      `${options.dataDir} has data already. Set DATA_DIR to an empty folder, or add --replace: ` +
        'the data that is there now is then kept beside the restored data. Nothing was changed.',
    )
  refuseRunning(old)
  if (backup.manifest.kind === 'base') refuseOtherFiles(backup, shell.majorVersion)
  const leftOver = await removeLeftovers(shell.home)
  requireSpace(shell.home, await bytesNeeded(backup))
  const { folder, result } = await buildCluster(shell, {
    now: options.now,
    makeFiles: (unfinished) => makeFiles(backup, unfinished, shell),
    complete: async (embedded) => {
      await load(backup, [embedded.target])
      return options.check(embedded.target)
    },
  })
  refuseRunning(old)
  switchTo(shell.home, folder)
  return { folder, kept: existsSync(old) ? old : undefined, leftOver, result }
}

/** Restores a portable backup into an empty database of the operator's own PostgreSQL. */
export async function restoreInto(backup: OpenBackup, targets: readonly DatabaseTarget[]): Promise<void> {
  if (backup.manifest.kind === 'base')
    throw new Mistake(
      `${backup.files.folder} is a base backup of the embedded PostgreSQL, and DATABASE_URL is set. ` +
        'Restore it without DATABASE_URL, or use a backup that was taken with --portable.',
    )
  await load(backup, targets)
}

function refuseRunning(folder: string): void {
  const postmaster = findPostmaster(folder)
  if (postmaster === undefined) return
  throw new Mistake(
    `PostgreSQL runs on ${folder} (process ${postmaster.pid}). Stop its server first; ` +
      `if that was killed: kill -INT ${postmaster.pid}. Nothing was changed.`,
  )
}

/** The files of a base backup fit only the same major version on the same kind of machine. */
function refuseOtherFiles({ files, manifest }: OpenBackup, majorVersion: number): void {
  const platform = `${process.platform}-${process.arch}`
  if (manifest.postgresql === majorVersion && manifest.platform === platform) return
  throw new Mistake(
    `${files.folder} is a base backup of PostgreSQL ${manifest.postgresql} on ${manifest.platform}; here is PostgreSQL ` +
      `${majorVersion} on ${platform}. Restore it with Wheelhouse ${manifest.wheelhouse} on such a machine, ` +
      'or use a backup that was taken with --portable. Nothing was changed.',
  )
}

/** A portable backup is compressed, and its indexes are built anew. */
async function bytesNeeded({ files, manifest }: OpenBackup): Promise<number> {
  if (manifest.kind === 'base') return (await readBaseBackup(files, manifest.files)).unpackedBytes
  return 10 * Object.values(manifest.files).reduce((sum, { bytes }) => sum + bytes, 0)
}

async function makeFiles(
  { files, manifest }: OpenBackup,
  unfinished: string,
  shell: ReturnType<typeof openShell>,
): Promise<void> {
  if (manifest.kind === 'portable') await createFiles(unfinished, shell)
  else {
    const { entries } = await readBaseBackup(files, manifest.files)
    await extractEntries(entries, unfinished, shell.account)
  }
}

async function load({ files, manifest }: OpenBackup, targets: readonly DatabaseTarget[]): Promise<void> {
  if (manifest.kind === 'base') return
  const client = await connect(targets)
  try {
    await loadContents(client, manifest.contents, (table) => {
      const file = tableFile(table)
      const sum = manifest.files[file]
      if (sum === undefined) throw new Mistake(`${files.folder} has no rows of the table ${table.name}.`)
      return files.readCompressed(file, sum)
    })
  } finally {
    await client.end()
  }
}
