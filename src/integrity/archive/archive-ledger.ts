import type { Database } from '../../db/database.ts'
import { archivePartsRemovedMax, archiveRowsMax } from '../../limits.ts'
import { Mistake } from '../../mistake.ts'
import { untilDone } from '../../db/database.ts'
import { readSealsBetween } from '../ledger-seals.ts'
import { type ArchivedPart, readArchiveFile, writeArchiveFile, writeManifest } from './archive-file.ts'
import { readLines } from './archive-lines.ts'
import { removeParts } from './archive-rows.ts'
import {
  type Archive,
  insertArchive,
  noteRemoved,
  readArchives,
  readSealsToArchive,
  type SealRange,
} from './archives.ts'
import { checkArchive, inBatches } from './check-archive.ts'

type Archiving = {
  folder: string
  /** Rows that were sealed before this time are archived. */
  before: Date
  now: () => Date
  /** The name of a merchant, for the manifest. */
  nameOf: (merchantId: number) => string
  /** Only this merchant's. */
  merchantId?: number | undefined
  rowsMax?: number
  partsRemovedMax?: number
  onStep?: (step: 'written' | 'removed', archive: Archive) => void
}

/**
 * Moves the entries and plays of closed periods into files. For each file: write it, read it back and compare every row
 * with the seals, record it, and only then remove the rows. It can be interrupted at any point and called again: a file
 * that was not recorded is written again, and removal goes on where it stopped.
 */
export async function archiveLedger(db: Database, archiving: Archiving): Promise<Archive[]> {
  const { before, merchantId, rowsMax = archiveRowsMax } = archiving
  await refuseCluster(db)
  const finished: Archive[] = []
  for (const archive of await readArchives(db, merchantId))
    if (archive.removedAt === null) finished.push(await removeRows(db, archive, archiving))
  for (;;) {
    const ranges = await readSealsToArchive(db, { before, rowsMax, merchantId })
    if (ranges.length === 0) return finished
    for (const range of ranges) {
      const archive = await writeArchive(db, range, archiving)
      finished.push(await removeRows(db, archive, archiving))
    }
  }
}

async function refuseCluster(db: Database): Promise<void> {
  await db.session(async ({ isCluster }) => {
    if (isCluster === true)
      throw new Mistake('On a Citus cluster nothing is archived: add a worker instead (docs/scale.md).')
  })
}

/** Writes and checks the file, and records it. The rows stay. */
async function writeArchive(db: Database, range: SealRange, archiving: Archiving): Promise<Archive> {
  const { folder, now, nameOf, onStep } = archiving
  const archive = await db.longTransaction(async (tx) => {
    let spins = 0
    const counted = counting(readLines(tx, range), (amount) => (spins += amount))
    const sum = await writeArchiveFile(folder, range, counted)
    const written: Archive = { ...range, ...sum, spins, archivedAt: now(), removedAt: null }
    const problems = await checkArchive(tx, folder, written)
    if (problems.length > 0) throw refusal(written, problems)
    const [lastSeal] = await readSealsBetween(tx, { ...range, firstSealNo: range.lastSealNo })
    if (lastSeal === undefined) throw new Error('the last seal of an archive is missing')
    await writeManifest(folder, written, { merchant: nameOf(range.merchantId), lastSeal })
    await insertArchive(tx, written)
    return written
  })
  onStep?.('written', archive)
  return archive
}

/** Removes the rows of a recorded file, in small transactions, after the whole file was read and checked once more. */
async function removeRows(db: Database, archive: Archive, archiving: Archiving): Promise<Archive> {
  const { folder, now, onStep, partsRemovedMax = archivePartsRemovedMax } = archiving
  const problems = await db.longTransaction((tx) => checkArchive(tx, folder, archive))
  if (problems.length > 0) throw refusal(archive, problems)
  for await (const parts of inBatches(readArchiveFile(folder, archive), partsRemovedMax))
    await untilDone(() => removeParts(db, archive.merchantId, parts))
  const removedAt = now()
  await noteRemoved(db, archive, removedAt)
  onStep?.('removed', archive)
  return { ...archive, removedAt }
}

async function* counting(
  lines: AsyncIterable<string>,
  onSpins: (amount: number) => void,
): AsyncGenerator<string> {
  for await (const line of lines) {
    for (const { amount } of (JSON.parse(line) as ArchivedPart).entries) onSpins(amount)
    yield line
  }
}

function refusal({ merchantId, archiveNo }: Archive, problems: readonly string[]): Mistake {
  return new Mistake(
    `Archive ${archiveNo} of merchant ${merchantId} ${problems.join('; ')}. No further row was removed. ` +
      'Run `wheelhouse audit`.',
  )
}
