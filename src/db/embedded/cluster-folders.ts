import { existsSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { syncFolder } from '../backup/durable-files.ts'
import { EmbeddedError, isErrno } from './home.ts'
import { findPostmaster, isAlive, stopPostmaster } from './postmaster.ts'

/**
 * The folder of the cluster in use: `postgres`, or the one that the link `current` names. A restore and an upgrade
 * build a new folder beside the old one and then replace the link, which is atomic: there is no moment without a
 * cluster.
 */
export function clusterFolder(home: string): string {
  const linked = linkedFolder(home, 'current')
  if (linked !== undefined && !existsSync(linked))
    throw new EmbeddedError(
      `${join(home, 'current')} names ${linked}, which does not exist. Correct the link.`,
    )
  return linked ?? join(home, 'postgres')
}

/** The cluster that was in use before the last restore or upgrade, unless it was deleted. */
export function previousFolder(home: string): string | undefined {
  const linked = linkedFolder(home, 'previous')
  return linked !== undefined && existsSync(linked) ? linked : undefined
}

function linkedFolder(home: string, link: string): string | undefined {
  try {
    return join(home, basename(readlinkSync(join(home, link))))
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Uses another cluster from the next start on, and remembers the one that was in use. */
export function switchTo(home: string, folder: string): void {
  const old = clusterFolder(home)
  if (existsSync(old)) replaceLink(home, 'previous', old)
  replaceLink(home, 'current', folder)
  syncFolder(home)
}

function replaceLink(home: string, link: string, folder: string): void {
  const unfinished = join(home, `${link}.${process.pid}`)
  rmSync(unfinished, { force: true })
  symlinkSync(basename(folder), unfinished)
  renameSync(unfinished, join(home, link))
}

/** PostgreSQL's major version that made the cluster. */
export function majorVersionOf(folder: string): number {
  try {
    return Number(readFileSync(join(folder, 'PG_VERSION'), 'utf8'))
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
    throw new EmbeddedError(
      `${folder} has no file PG_VERSION, so it is no whole data folder of PostgreSQL. ` +
        'Restore a backup with `wheelhouse restore --replace` (docs/backup.md).',
      { cause: error },
    )
  }
}

const clusterName = /^postgres(?:-\d+-\w+)?$/
const unfinishedName = /^postgres(?:-\d+-\w+)?\.(?<pid>\d+)(?:\.new)?$/

/** Clusters that are no longer in use. */
function keptFolders(home: string): string[] {
  const current = clusterFolder(home)
  return readdirSync(home)
    .filter((name) => clusterName.test(name))
    .map((name) => join(home, name))
    .filter((folder) => folder !== current && existsSync(join(folder, 'PG_VERSION')))
}

/** Deletes clusters that are no longer in use, and returns which. */
export function removeKept(home: string): string[] {
  const kept = keptFolders(home)
  for (const folder of kept) {
    if (findPostmaster(folder) !== undefined)
      throw new EmbeddedError(`PostgreSQL still runs on ${folder}. Stop it first.`)
    rmSync(folder, { recursive: true, force: true })
  }
  rmSync(join(home, 'previous'), { force: true })
  return kept
}

/** Deletes unfinished clusters of killed processes, and stops a PostgreSQL that still runs on them. Returns which. */
export async function removeLeftovers(home: string): Promise<string[]> {
  const left = readdirSync(home).filter((name) => {
    const pid = Number(unfinishedName.exec(name)?.groups?.pid)
    return pid === process.pid || (pid > 0 && !isAlive(pid))
  })
  const folders = left.map((name) => join(home, name))
  for (const folder of folders) await removeUnfinishedCluster(folder)
  return folders
}

export async function removeUnfinishedCluster(folder: string): Promise<void> {
  const postmaster = findPostmaster(folder)
  if (postmaster !== undefined) await stopPostmaster(postmaster.pid, folder)
  rmSync(folder, { recursive: true, force: true })
}
