import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { explainFileError } from '../../file-errors.ts'
import { Mistake } from '../../mistake.ts'
import { isErrno } from '../embedded/home.ts'
import type { BaseFiles } from './base-backup.ts'
import { damaged, type FileSum, writeFile } from './durable-files.ts'
import type { Contents } from './table-contents.ts'

/** What a backup is, in its file `wheelhouse.json`. */
export type BackupManifest = {
  format: 1
  /** Of which database: backups of others in the same folder are left alone. */
  databaseId: string
  wheelhouse: string
  schema: number
  postgresql: number
  platform: string
  startedAt: string
  endedAt: string
  merchants: number
} & BackupData

export type BackupData =
  | { kind: 'base'; files: BaseFiles }
  | { kind: 'portable'; files: Record<string, FileSum>; contents: Contents }

const fileName = 'wheelhouse.json'

export async function writeManifest(folder: string, manifest: BackupManifest): Promise<void> {
  const text = JSON.stringify({ ...manifest, sha256: sumOf(manifest) }, null, 2)
  await writeFile(`${text}\n`, join(folder, fileName))
}

/** Reads what a backup is. A folder without the file is no finished backup. */
export function readManifest(folder: string): BackupManifest {
  const file = join(folder, fileName)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR'))
      throw new Mistake(`${folder} is no backup of Wheelhouse: it has no file ${fileName}.`, { cause: error })
    throw explainFileError(error, folder)
  }
  const { sha256, ...manifest } = parse(text, file)
  if (sha256 !== sumOf(manifest)) throw damaged(file)
  if (manifest.format !== 1)
    throw new Mistake(`${folder} was made by a newer Wheelhouse (${manifest.wheelhouse}). Use that one.`)
  return manifest
}

function parse(text: string, file: string): BackupManifest & { sha256: string } {
  try {
    return JSON.parse(text) as BackupManifest & { sha256: string }
  } catch (error) {
    throw damaged(file, error)
  }
}

function sumOf(manifest: BackupManifest): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
}
