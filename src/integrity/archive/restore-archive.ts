import type { Database } from '../../db/database.ts'
import { Mistake } from '../../mistake.ts'
import { readArchiveFile } from './archive-file.ts'
import { lockArchiving, withRights } from './archive-rights.ts'
import { putBack } from './archive-rows.ts'
import { type Archive, deleteArchive, readArchives } from './archives.ts'
import { checkArchive, inBatches } from './check-archive.ts'

/**
 * Puts the rows of a merchant's newest archive back into the database, in one transaction. The file stays; it is part
 * of the ledger no longer.
 */
export async function restoreArchive(
  db: Database,
  { folder, merchantId }: { folder: string; merchantId: number },
): Promise<Archive> {
  return db.longTransaction(async (tx) => {
    await lockArchiving(tx)
    const archive = (await readArchives(tx, merchantId)).at(-1)
    if (archive === undefined) throw new Mistake('The merchant has no archive.')
    if (archive.removedAt === null)
      throw new Mistake('The newest archive is not finished. Run `wheelhouse archive` again first.')
    const [problem] = await checkArchive(tx, folder, archive)
    if (problem !== undefined) throw new Mistake(`The newest archive ${problem}. Nothing was changed.`)
    await withRights(tx, async () => {
      for await (const parts of inBatches(readArchiveFile(folder, archive)))
        await putBack(tx, merchantId, parts)
      await deleteArchive(tx, archive)
    })
    return archive
  })
}
