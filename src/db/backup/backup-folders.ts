import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { explainFileError } from '../../file-errors.ts'
import { makeFolders } from '../../make-folders.ts'
import { Mistake } from '../../mistake.ts'
import { type BackupOutline, readOutline } from './backup-manifest.ts'
import { syncFolder } from './durable-files.ts'

export type Backup = { folder: string; manifest: BackupOutline }

const finishedName = /^wheelhouse-\d{8}T\d{6}Z$/

/** A new folder of a backup. Until it is complete and checked, its name says that it is unfinished. */
export function makeUnfinished(
  into: string,
  databaseId: string,
  now: Date,
): { finished: string; unfinished: string } {
  const finished = join(into, `wheelhouse-${timestamp(now)}`)
  if (existsSync(finished)) throw new Mistake(`${finished} exists already. Try again in a second.`)
  const unfinished = `${finished}.unfinished-${databaseId}`
  mkdirSync(unfinished, { mode: 0o700 })
  return { finished, unfinished }
}

export function timestamp(time: Date): string {
  return time.toISOString().replaceAll(/[-:]|\.\d+/g, '')
}

/** Makes the folder for backups, if it does not exist. */
export function makeBackupDir(into: string): void {
  try {
    makeFolders(into, 0o700)
  } catch (error) {
    throw explainFileError(error, into)
  }
}

/** Removes what interrupted backups of this database have left. Call it only under the lock of backups. */
export function removeUnfinished(into: string, databaseId: string): string[] {
  const left = readdirSync(into)
    .filter((name) => name.startsWith('wheelhouse-') && name.endsWith(`.unfinished-${databaseId}`))
    .map((name) => join(into, name))
  for (const folder of left) rmSync(folder, { recursive: true, force: true })
  return left
}

/** The finished backups in a folder, the newest first. Damaged ones are left out. */
export function listBackups(into: string): Backup[] {
  if (!existsSync(into)) return []
  const names = readdirSync(into).filter((name) => finishedName.test(name))
  return names
    .toSorted()
    .toReversed()
    .flatMap((name) => readBackup(join(into, name)) ?? [])
}

function readBackup(folder: string): Backup | undefined {
  try {
    return { folder, manifest: readOutline(folder) }
  } catch (error) {
    if (error instanceof Mistake) return undefined
    throw error
  }
}

/** Removes all but the newest backups of one database, and returns those removed. */
export function removeOldBackups(into: string, databaseId: string, keep: number): string[] {
  const old = listBackups(into)
    .filter(({ manifest }) => manifest.databaseId === databaseId)
    .slice(keep)
    .map(({ folder }) => folder)
  for (const folder of old) {
    // Without its name first: a half-deleted backup must not look like a whole one.
    const unfinished = `${folder}.unfinished-${databaseId}`
    renameSync(folder, unfinished)
    syncFolder(into)
    rmSync(unfinished, { recursive: true, force: true })
  }
  return old
}
