import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { explainFileError } from '../../file-errors.ts'
import { Mistake } from '../../mistake.ts'
import { isErrno } from '../embedded/home.ts'
import { BackupFiles, type BackupKeys } from './backup-files.ts'
import type { BaseFiles } from './base-backup.ts'
import { damaged, type FileSum, writeFile } from './durable-files.ts'
import type { Contents } from './table-contents.ts'

/** What may be known of a backup without its key: the file `wheelhouse.json`. */
export type BackupOutline = {
  /** 2: the backup is encrypted, and only its outline can be read without a key. */
  format: 1 | 2
  /** Of which database: backups of others in the same folder are left alone. */
  databaseId: string
  wheelhouse: string
  schema: number
  postgresql: number
  platform: string
  startedAt: string
  endedAt: string
  kind: BackupData['kind']
  /** Of the file with the key of an encrypted backup. */
  key?: FileSum
}

/** All that a backup says about itself: the same file, or in an encrypted backup `wheelhouse.json.age`. */
export type BackupManifest = BackupOutline & { merchants: number } & BackupData

export type BackupData =
  | { kind: 'base'; files: BaseFiles }
  | { kind: 'portable'; files: Record<string, FileSum>; contents: Contents }

const fileName = 'wheelhouse.json'

export async function writeManifest(files: BackupFiles, manifest: BackupManifest): Promise<void> {
  await files.write(fileName, textOf(manifest))
  if (manifest.key !== undefined) await writeFile(textOf(outlineOf(manifest)), join(files.folder, fileName))
}

function textOf(described: BackupOutline): string {
  return `${JSON.stringify({ ...described, sha256: sumOf(described) }, null, 2)}\n`
}

function outlineOf(manifest: BackupManifest): BackupOutline {
  const { format, databaseId, wheelhouse, schema, postgresql, platform, startedAt, endedAt, kind, key } =
    manifest
  const outline = { format, databaseId, wheelhouse, schema, postgresql, platform, startedAt, endedAt, kind }
  return key === undefined ? outline : { ...outline, key }
}

/** A backup whose files can be read. */
export type OpenBackup = { files: BackupFiles; manifest: BackupManifest }

/** Opens a backup, with the operator's keys if it is encrypted. */
export async function openBackup(folder: string, keys: BackupKeys): Promise<OpenBackup> {
  const outline = readOutline(folder)
  try {
    const files =
      outline.key === undefined
        ? BackupFiles.plain(folder)
        : await BackupFiles.unlock(folder, outline.key, keys)
    return { files, manifest: await readManifest(files) }
  } catch (error) {
    throw explainFileError(error, folder)
  }
}

/** Reads all that the backup says about itself, and compares it with the outline, which anybody could have changed. */
export async function readManifest(files: BackupFiles): Promise<BackupManifest> {
  const manifest = parse<BackupManifest>(await files.readText(fileName), files.pathOf(fileName))
  if (!isDeepStrictEqual(outlineOf(manifest), outlineOf(readOutline(files.folder) as BackupManifest)))
    throw damaged(join(files.folder, fileName))
  return manifest
}

/** Reads what can be known without a key. A folder without the file is no finished backup. */
export function readOutline(folder: string): BackupOutline {
  const file = join(folder, fileName)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR'))
      throw new Mistake(`${folder} is no backup of Wheelhouse: it has no file ${fileName}.`, { cause: error })
    throw explainFileError(error, folder)
  }
  const outline = parse<BackupOutline>(text, file)
  if (![1, 2].includes(outline.format))
    throw new Mistake(`${folder} was made by a newer Wheelhouse (${outline.wheelhouse}). Use that one.`)
  return outline
}

function parse<T extends BackupOutline>(text: string, file: string): T {
  let parsed: T & { sha256: string }
  try {
    parsed = JSON.parse(text) as T & { sha256: string }
  } catch (error) {
    throw damaged(file, error)
  }
  const { sha256, ...described } = parsed
  if (sha256 !== sumOf(described)) throw damaged(file)
  return described as unknown as T
}

function sumOf(described: object): string {
  return createHash('sha256').update(JSON.stringify(described)).digest('hex')
}
