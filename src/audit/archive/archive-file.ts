import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  type FileSum,
  readCompressed,
  syncFolder,
  writeCompressed,
  writeFile,
} from '../../db/backup/durable-files.ts'
import { linesOf } from '../../lines.ts'
import { Mistake } from '../../mistake.ts'
import type { Seal } from '../seal-hash.ts'
import type { Archive } from './archives.ts'

/** A player's entries and plays in one seal, as PostgreSQL writes their rows as JSON. Empty columns are left out. */
export type ArchivedPart = {
  shard: number
  player_no: number
  seal_no: number
  entry_from: number
  entry_to: number
  play_from: number
  play_to: number
  /** As in `ledger_seal_parts`, in PostgreSQL's form of bytes. */
  digest: string
  /** Whether it is the player's first part in this file. */
  is_first: boolean
  /** What the player had carried forward before this file; in its first part only. */
  before?: {
    balance: number
    grant_no?: number
    granted_at?: string
  }
  entries?: ArchivedEntry[]
  plays?: ArchivedPlay[]
}

type ArchivedEntry = {
  entry_no: number
  amount: number
  balance_after: number
  created_at: string
  key_hash?: string
}

type ArchivedPlay = { play_no: number; won: boolean }

type FileName = Pick<Archive, 'merchantId' | 'archiveNo'>

/** A file that is written already under this name was never recorded: its command was interrupted. */
export async function writeArchiveFile(
  folder: string,
  name: FileName,
  lines: AsyncIterable<string>,
): Promise<FileSum> {
  const file = archivePath(folder, name)
  const unfinished = `${file}.unfinished`
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
  rmSync(unfinished, { force: true })
  const sum = await writeCompressed(chunks(lines), unfinished)
  renameSync(unfinished, file)
  syncFolder(join(file, '..'))
  return sum
}

/** What people and other programs need to know about the file. Wheelhouse itself reads it from the database. */
export async function writeManifest(
  folder: string,
  archive: Archive,
  about: { merchant: string; lastSeal: Seal },
): Promise<void> {
  const file = archivePath(folder, archive).replace(/ndjson\.zst$/, 'json')
  const { merchantId, archiveNo, firstSealNo, lastSealNo, entries, plays, spins, bytes, sha256, archivedAt } =
    archive
  const manifest = {
    format: 'wheelhouse-archive-1',
    merchant: about.merchant,
    merchantId,
    archiveNo,
    firstSealNo,
    lastSealNo,
    lastSealHash: about.lastSeal.hash,
    entries,
    plays,
    spins,
    bytes,
    sha256,
    archivedAt,
  }
  rmSync(file, { force: true })
  await writeFile(`${JSON.stringify(manifest, null, 2)}\n`, file)
  syncFolder(join(file, '..'))
}

/** The parts of a file. Fails at the end if the file is not as it was written. */
export async function* readArchiveFile(folder: string, archive: Archive): AsyncGenerator<ArchivedPart> {
  const file = archivePath(folder, archive)
  if (!existsSync(file)) throw new Mistake(`The file ${file} is missing.`)
  try {
    for await (const line of linesOf(readCompressed(file, archive))) yield JSON.parse(line) as ArchivedPart
  } catch (error) {
    throw new Mistake(`The file ${file} is not as it was written.`, { cause: error })
  }
}

export function archivePath(folder: string, { merchantId, archiveNo }: FileName): string {
  return join(folder, `merchant-${merchantId}`, `${String(archiveNo).padStart(6, '0')}.ndjson.zst`)
}

async function* chunks(lines: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const line of lines) yield Buffer.from(`${line}\n`)
}
