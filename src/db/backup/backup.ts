import { renameSync, rmSync } from 'node:fs'
import pg from 'pg'
import { wheelhouseVersion } from '../../version.ts'
import { explainFileError } from '../../file-errors.ts'
import { Mistake } from '../../mistake.ts'
import type { DatabaseTarget } from '../../settings/database-url.ts'
import { isCluster } from '../cluster/shard-map.ts'
import { streamOf } from '../database.ts'
import { readBaseBackup, receiveBaseBackup } from './base-backup.ts'
import type { Lock } from './age/age-file.ts'
import { BackupFiles } from './backup-files.ts'
import { makeBackupDir, makeUnfinished, removeUnfinished } from './backup-folders.ts'
import {
  type BackupData,
  type BackupManifest,
  type OpenBackup,
  readManifest,
  writeManifest,
} from './backup-manifest.ts'
import { connect } from './connect.ts'
import { type FileSum, syncFolder } from './durable-files.ts'
import { beginSnapshot, describeContents, readRows, type Table } from './table-contents.ts'

/**
 * A base backup copies the files of the embedded PostgreSQL, and needs its superuser. A portable one copies the rows of
 * our tables: it needs no rights beyond our own, and fits every major version of PostgreSQL.
 */
export type BackupSource = { kind: 'base' | 'portable'; targets: readonly DatabaseTarget[] }

type BackupOptions = {
  into: string
  now: () => Date
  /** How PostgreSQL begins a base backup: at once, or over minutes to spare the disk. */
  checkpoint: 'fast' | 'spread'
  /** The keys or the passphrase for it. Undefined: it is not encrypted. */
  lock?: Lock | undefined
  signal?: AbortSignal
  /** Asked once no other process can take a backup. */
  isWanted?: () => boolean
}

/** A backup, and the remains of interrupted ones that were removed. */
type Taken = { folder: string; manifest: BackupManifest; leftOver: string[] }

/** Takes a backup beside a running server, checks it, and only then gives it its name. Undefined: it is not wanted. */
export async function takeBackup(source: BackupSource, options: BackupOptions): Promise<Taken | undefined> {
  makeBackupDir(options.into)
  // Before the snapshot: whatever was acknowledged by then is in the backup.
  const startedAt = options.now()
  const client = await connect(source.targets, source.kind === 'base' ? { replication: 'database' } : {})
  const stop = () => streamOf(client).destroy()
  options.signal?.addEventListener('abort', stop)
  try {
    if (source.kind === 'portable') {
      await refuseCluster(client)
      await beginSnapshot(client)
    }
    await lock(client, source)
    if (options.isWanted?.() === false) return undefined
    return await writeBackup(client, source, { ...options, startedAt })
  } finally {
    options.signal?.removeEventListener('abort', stop)
    await client.end()
  }
}

/** The rows of a cluster would be of different moments: its machines have no common snapshot. */
async function refuseCluster(client: pg.Client): Promise<void> {
  if (await isCluster(client))
    throw new Mistake(
      "A Citus cluster is backed up with PostgreSQL's own tools, all nodes together (docs/operations.md).",
    )
}

export class BackupRunning extends Mistake {}

/** One backup of a database at a time. The lock ends with the connection or the transaction, however they end. */
async function lock(client: pg.Client, { kind }: BackupSource): Promise<void> {
  const scope = kind === 'base' ? '' : 'xact_'
  const { rows } = await client.query<{ taken: boolean }>(
    `select pg_try_advisory_${scope}lock(7437005) as taken`,
  )
  if (rows[0]?.taken !== true) throw new BackupRunning('Another backup of this database is under way.')
}

async function writeBackup(
  client: pg.Client,
  source: BackupSource,
  options: BackupOptions & { startedAt: Date },
): Promise<Taken> {
  const { into, startedAt } = options
  const facts = await readFacts(client)
  const leftOver = removeUnfinished(into, facts.databaseId)
  const { unfinished, finished } = makeUnfinished(into, facts.databaseId, startedAt)
  try {
    const files =
      options.lock === undefined
        ? BackupFiles.plain(unfinished)
        : await BackupFiles.lock(unfinished, options.lock, startedAt)
    const filled = await fill(client, source, { files, checkpoint: options.checkpoint })
    const manifest: BackupManifest = {
      ...(files.keySum === undefined ? { format: 1 } : { format: 2, key: files.keySum }),
      ...facts,
      wheelhouse: wheelhouseVersion(),
      platform: `${process.platform}-${process.arch}`,
      startedAt: startedAt.toISOString(),
      endedAt: options.now().toISOString(),
      ...filled,
    }
    await writeManifest(files, manifest)
    await checkBackup({ files, manifest: await readManifest(files) })
    syncFolder(unfinished)
    renameSync(unfinished, finished)
    syncFolder(into)
    return { folder: finished, manifest, leftOver }
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw explain(error, into)
  }
}

/** A sentence for what the operator can fix: a full disk, a stopped server, or what PostgreSQL itself says. */
function explain(error: unknown, into: string): unknown {
  const explained = explainFileError(error, into)
  const fromDatabase = error instanceof pg.DatabaseError || String(error).includes('Connection terminated')
  if (explained !== error || !fromDatabase) return explained
  return new Mistake(`PostgreSQL ended the backup, and nothing is left of it: ${(error as Error).message}.`, {
    cause: error,
  })
}

type Facts = Pick<BackupManifest, 'databaseId' | 'schema' | 'postgresql' | 'merchants'>

async function fill(
  client: pg.Client,
  { kind }: BackupSource,
  { files, checkpoint }: { files: BackupFiles; checkpoint: 'fast' | 'spread' },
): Promise<BackupData> {
  if (kind === 'base') return { kind, files: await receiveBaseBackup(client, files, checkpoint) }
  const sums: Record<string, FileSum> = {}
  const contents = await describeContents(client)
  for (const table of contents.tables) {
    const file = tableFile(table)
    sums[file] = await files.writeCompressed(file, readRows(client, table))
  }
  return { kind, files: sums, contents }
}

export function tableFile({ name }: Table): string {
  return `${encodeURIComponent(name)}.copy.zst`
}

async function readFacts(client: pg.Client): Promise<Facts> {
  const [found] = (await client.query<{ found: boolean }>(findSchema)).rows
  if (found?.found !== true)
    throw new Mistake('The database is empty: start the server once, or run `wheelhouse migrate`.')
  const [facts] = (await client.query<Facts>(selectFacts)).rows
  if (facts === undefined) throw new Error('the database does not describe itself')
  return facts
}

const findSchema = `
select to_regclass('schema_migrations') is not null and to_regclass('merchants') is not null as found`

export const databaseIdSql = `
select left(md5(system_identifier || '/' || oid), 12) as "databaseId"
from pg_control_system(), pg_database
where datname = current_database()`

const selectFacts = `
select
  (${databaseIdSql}) as "databaseId",
  (select max(version) from schema_migrations) as schema,
  current_setting('server_version_num')::int / 10000 as postgresql,
  (select count(*)::int from merchants) as merchants`

/** Reads the whole backup and compares it with its checksums. */
export async function checkBackup({ files, manifest }: OpenBackup): Promise<void> {
  try {
    await files.checkKey()
    if (manifest.kind === 'base') {
      const { entries } = await readBaseBackup(files, manifest.files)
      for await (const { content } of entries) await drain(content)
    } else {
      for (const [file, sum] of Object.entries(manifest.files)) await drain(files.readCompressed(file, sum))
    }
  } catch (error) {
    throw explainFileError(error, files.folder)
  }
}

async function drain(content: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of content);
}
