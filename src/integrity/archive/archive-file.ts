import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import {
  type FileSum,
  readCompressed,
  syncFolder,
  writeCompressed,
  writeFile,
} from '../../db/backup/durable-files.ts'
import type { FallbackReason } from '../../fairness/fallback-reasons.ts'
import { linesOf } from '../../lines.ts'
import { makeFolders } from '../../make-folders.ts'
import { Mistake } from '../../mistake.ts'
import type { PlayRow } from '../../plays/plays.ts'
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
  /** What the player had carried forward before this file, in its first part; null in the others. */
  before: Carried | null
  entries: ArchivedEntry[]
  plays: ArchivedPlay[]
}

export type ArchivedEntry = {
  entry_no: number
  amount: number
  /** Left out for purse 0. */
  purse_id?: number
  expires_at?: string
  /** The lots that it took spins from, each followed by how many. */
  lots?: number[]
}

/** A play as its row was. `forced` marks the plays of test merchants whose outcome was forced. */
export type ArchivedPlay = {
  shard: number
  player_no: number
  merchant_id: number
  play_no: number
  play_id: string
  player_seed: string
  seed_key_id: string
  wheel_id: number
  wheel_version: number
  drawn: number
  segment: number
  won: boolean
  fallback_reason?: FallbackReason
  gates?: PlayRow['gates']
  forced?: boolean
  campaign_id?: number
  code?: string
  claim_before?: string
  created_at: string
}

/** What a player carries forward past its archived entries. Times are as PostgreSQL writes them in JSON. */
export type Carried = {
  balance: number
  /** The balances of other purses than 0, by their numbers. */
  purses: Record<string, number>
  /** What is left of lots whose grants are archived, or not marked as grants that expire. */
  lots: CarriedLot[]
}

type CarriedLot = {
  lot_no: number
  purse_id: number
  /** Null for a lot that was made of a whole balance. */
  amount: number | null
  spins: number
  expires_at: string
}

type FileName = Pick<Archive, 'merchantId' | 'archiveNo'>

/** A file that is written already under this name was never recorded: its command was interrupted. */
export async function writeArchiveFile(
  folder: string,
  name: FileName,
  lines: AsyncIterable<string>,
): Promise<FileSum> {
  const file = archivePath(folder, name)
  const unfinished = `${file}.unfinished`
  makeFolders(dirname(resolve(file)), 0o700)
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
