import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { AggregatorRegistry } from '@prometheus-io/client'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { checkSchema } from '../../db/migrate.ts'
import { openDatabase } from '../../db/open-database.ts'
import { listenForMetrics } from '../../http/transport/metrics-server.ts'
import { workerRestartPauseMs } from '../../limits.ts'
import { makeLog } from '../../log.ts'
import { Mistake } from '../../mistake.ts'
import { listen, type Running, startApp } from './start-app.ts'

/**
 * Runs several processes that share the port. This process holds the database open, restarts a process that dies, sums
 * their metrics, and stops them.
 */
export async function startWorkers(config: Config, log: Logger): Promise<Running> {
  let hasStarted = false
  let isStopping = false
  const fork = (): Worker => {
    const worker = cluster.fork()
    worker.once('exit', (code, signal) => {
      if (isStopping || !hasStarted) return
      log.error({ worker: worker.process.pid, code, signal }, 'a worker process died; starting another')
      void sleep(workerRestartPauseMs).then(() => (isStopping ? undefined : fork()))
    })
    return worker
  }
  const registry = new AggregatorRegistry()
  const metricsServer =
    config.metricsAddress === undefined
      ? undefined
      : await listen('METRICS_ADDRESS', config.metricsAddress, (address) =>
          listenForMetrics(() => registry.clusterMetrics(), address),
        )
  await Promise.all(Array.from({ length: config.processes }, async () => listening(fork())))
  hasStarted = true

  return {
    stop: async (graceMs) => {
      isStopping = true
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
      const exits = workers.map(async (worker) => once(worker, 'exit'))
      for (const worker of workers) worker.send('stop')
      // A little longer than the grace period of the processes themselves: one that still hangs is killed.
      const cutOff = setTimeout(
        () => workers.forEach((worker) => worker.process.kill('SIGKILL')),
        config.stopDelaySeconds * 1000 + graceMs * 1.5,
      )
      await Promise.all(exits)
      clearTimeout(cutOff)
      metricsServer?.close()
      metricsServer?.closeAllConnections()
    },
  }
}

async function listening(worker: Worker): Promise<void> {
  const died = once(worker, 'exit').then(() => {
    throw new Mistake('A worker process did not start; see its output above.')
  })
  await Promise.race([once(worker, 'listening'), died])
}

/** Runs one of several processes, until the primary process stops it. */
export async function runWorker(config: Config): Promise<void> {
  // Ctrl-C reaches all processes of a terminal; the primary process decides when to stop.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  const log = makeLog(config.logLevel)
  const database = await openDatabase(config, { log, sharingAllowed: true })
  try {
    // The first connection finds out whether the database is a cluster, which the queues of the app depend on.
    await checkSchema(database.db)
    const running = await startApp({ ...config, metricsAddress: undefined }, log, database.db)
    AggregatorRegistry.setRegistries([running.ctx.metrics.registry])
    new AggregatorRegistry()
    await messageReceived('stop')
    await running.stop(config.stopGraceSeconds * 1000)
  } finally {
    await database.close()
    process.disconnect?.()
  }
}

async function messageReceived(expected: string): Promise<void> {
  for (;;) {
    const [message] = (await once(process, 'message')) as [unknown]
    if (message === expected) return
  }
}
