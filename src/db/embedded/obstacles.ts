import { type Cluster, logEnd } from './cluster.ts'
import { EmbeddedError } from './home.ts'
import { findPostmaster } from './postmaster.ts'
import { isStopped, processesOn } from './processes.ts'

/** PostgreSQL can't start until an obstacle is gone. The start can be retried. */
export class ObstacleError extends EmbeddedError {}

/** The reason why PostgreSQL can't start now, with the remedy, or undefined if no obstacle is known. */
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
