import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { type Cluster, logEnd } from './cluster.ts'
import { EmbeddedError } from './home.ts'
import { findPostmaster } from './postmaster.ts'

/** PostgreSQL can't start before somebody, or time, has removed an obstacle. Worth another try. */
export class ObstacleError extends EmbeddedError {}

/** Why PostgreSQL can't start here now, and what to do; undefined if nothing is known to be in its way. */
export function findObstacle(cluster: Cluster): ObstacleError | undefined {
  const { folder } = cluster
  const postmaster = findPostmaster(folder)
  if (postmaster !== undefined) {
    if (!isStopped(postmaster.pid)) return undefined
    return new ObstacleError(
      `PostgreSQL on ${folder} is stopped (process ${postmaster.pid}). Continue it: kill -CONT ${postmaster.pid}`,
    )
  }
  if (!logEnd(cluster, 3).some((line) => line.includes('pre-existing shared memory block'))) return undefined
  const left = processesOn(folder)
  const stopped = left.filter(isStopped)
  return new ObstacleError(
    `PostgreSQL was killed, but processes that it had started still run on ${folder}${list(left)}. ` +
      `It can't start again until they have ended. ` +
      (stopped.length > 0
        ? `Some are stopped. Continue them, so that they end: kill -CONT ${stopped.join(' ')}`
        : `If they do not end by themselves: kill ${left.length > 0 ? left.join(' ') : 'them'}`),
  )
}

function list(pids: readonly number[]): string {
  return pids.length > 0 ? ` (${pids.join(', ')})` : ''
}

/**
 * The processes of PostgreSQL that work in a cluster's folder, with or without a postmaster. They have changed their
 * titles, so they are known by their current folder. Only Linux shows that.
 */
export function processesOn(folder: string): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => currentFolder(pid) === folder && commandName(pid) === 'postgres')
}

function currentFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    // It has ended, or belongs to somebody else.
    return undefined
  }
}

function commandName(pid: number): string | undefined {
  return /\((.*)\)/.exec(stat(pid))?.[1]
}

function isStopped(pid: number): boolean {
  return /\) [Tt] /.test(stat(pid))
}

/** What Linux says about a process: its number, (name) and state. */
function stat(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    // It has ended, or this is no Linux.
    return ''
  }
}
