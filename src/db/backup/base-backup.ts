import type pg from 'pg'
import { Mistake } from '../../mistake.ts'
import type { BackupFiles } from './backup-files.ts'
import { copyOut } from './copy-streams.ts'
import type { FileSum } from './durable-files.ts'
import { readTar, type TarEntry } from './read-tar.ts'
import { checkedEntries, readServerManifest } from './server-manifest.ts'

const archiveName = 'base.tar.zst'
const listName = 'backup_manifest'

export type BaseFiles = { [archiveName]: FileSum; [listName]: FileSum }

/**
 * Receives a base backup: the whole cluster with the write-ahead log that makes it consistent, and PostgreSQL's own
 * list of files with their checksums. This is what pg_basebackup does, which the embedded PostgreSQL does not include.
 */
export async function receiveBaseBackup(
  client: pg.Client,
  files: BackupFiles,
  checkpoint: 'fast' | 'spread',
): Promise<BaseFiles> {
  // Temporary: it ends with the connection. Until then PostgreSQL keeps the log that the backup needs.
  await client.query(
    `select pg_create_physical_replication_slot('wheelhouse_backup_' || pg_backend_pid(), true, true)`,
  )
  const options = `label 'wheelhouse', checkpoint '${checkpoint}', wal, manifest 'yes', manifest_checksums 'sha256'`
  const list: Buffer[] = []
  const messages = copyOut(client, `BASE_BACKUP (${options})`)
  const archive = await files.writeCompressed(archiveName, archiveOf(messages, list))
  return {
    [archiveName]: archive,
    [listName]: await files.write(listName, Buffer.concat(list)),
  }
}

/** PostgreSQL marks the messages: n begins an archive, d is data, m begins the list of files, p is progress. */
async function* archiveOf(messages: AsyncIterable<Buffer>, list: Buffer[]): AsyncGenerator<Buffer> {
  let archives = 0
  let isList = false
  for await (const message of messages) {
    const kind = String.fromCharCode(message[0] ?? 0)
    if (kind === 'm') isList = true
    if (kind === 'n' && ++archives > 1)
      throw new Mistake('The embedded PostgreSQL has tablespaces. A base backup can not have them.')
    if (kind !== 'd') continue
    if (isList) list.push(message.subarray(1))
    else yield message.subarray(1)
  }
}

/** The files of a base backup, each checked against PostgreSQL's list. Fails at the end if the archive is damaged. */
export async function readBaseBackup(
  files: BackupFiles,
  sums: BaseFiles,
): Promise<{ unpackedBytes: number; entries: AsyncIterable<TarEntry> }> {
  const list = readServerManifest(await files.readText(listName, sums[listName]), files.pathOf(listName))
  const entries = readTar(files.readCompressed(archiveName, sums[archiveName]))
  return { unpackedBytes: list.bytes, entries: checkedEntries(entries, list, files.pathOf(archiveName)) }
}
