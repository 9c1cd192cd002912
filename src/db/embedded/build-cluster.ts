import { explainFileError } from '../../file-errors.ts'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { newClusterStartTimeoutMs } from '../../limits.ts'
import { timestamp } from '../backup/backup-folders.ts'
import { syncFolder } from '../backup/durable-files.ts'
import { removeUnfinishedCluster } from './cluster-folders.ts'
import type { ClusterShell } from './cluster.ts'
import { EmbeddedPostgres } from './embedded-postgres.ts'

/**
 * Builds a cluster beside the one in use. Until it is complete and checked, it has the name of an unfinished one; an
 * interrupted run leaves the data in use untouched.
 */
export async function buildCluster<T>(
  shell: ClusterShell & { majorVersion: number },
  steps: {
    now: Date
    makeFiles: (folder: string) => Promise<void>
    /** Fills and checks the running cluster. */
    complete: (embedded: EmbeddedPostgres) => Promise<T>
  },
): Promise<{ folder: string; result: T }> {
  const { majorVersion, ...cluster } = shell
  const folder = join(cluster.home, `postgres-${majorVersion}-${timestamp(steps.now)}`)
  const unfinished = `${folder}.${process.pid}`
  try {
    await steps.makeFiles(unfinished)
    const embedded = await EmbeddedPostgres.run({
      ...cluster,
      folder: unfinished,
      // Recovery of a base backup may take long.
      startTimeoutMs: newClusterStartTimeoutMs,
    })
    const result = await completed(embedded, steps.complete)
    renameSync(unfinished, folder)
    syncFolder(cluster.home)
    return { folder, result }
  } catch (error) {
    await removeUnfinishedCluster(unfinished)
    throw explainFileError(error, cluster.home)
  }
}

async function completed<T>(
  embedded: EmbeddedPostgres,
  complete: (embedded: EmbeddedPostgres) => Promise<T>,
): Promise<T> {
  try {
    return await complete(embedded)
  } finally {
    // A clean stop writes everything to disk.
    await embedded.stop()
  }
}
