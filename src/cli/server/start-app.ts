import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { type Context, makeContext } from '../../context.ts'
import type { Database } from '../../db/database.ts'
import { buildApp } from '../../http/app.ts'
import { listenForMetrics } from '../../http/transport/metrics-server.ts'
import { startTracing } from '../../tracing/start-tracing.ts'
import { Mistake } from '../../mistake.ts'

export type Running = { stop: (graceMs: number) => Promise<void> }

/** Starts the server in this process. */
export async function startApp(
  config: Config,
  log: Logger,
  db: Database,
): Promise<Running & { ctx: Context }> {
  const tracing = await startTracing(config.traces, log)
  const ctx = makeContext({ config, db, log, now: () => new Date(), tracing })
  const app = await buildApp(ctx)
  const metricsServer =
    config.metricsAddress === undefined
      ? undefined
      : await listen('METRICS_ADDRESS', config.metricsAddress, (address) =>
          listenForMetrics(() => ctx.metrics.registry.metrics(), address),
        )
  await listen('PORT', config, ({ host, port }) => app.listen({ host, port }))
  ctx.start()
  return { ctx, stop: (graceMs) => stop({ ctx, app, metricsServer }, graceMs) }
}

export async function listen<T>(
  setting: string,
  address: { host: string; port: number },
  open: (address: { host: string; port: number }) => Promise<T>,
): Promise<T> {
  try {
    return await open(address)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const isHost = setting === 'PORT' && ['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL'].includes(code)
    const fix = isHost ? 'Set HOST to an address of this machine.' : `Set ${setting} to another value.`
    throw new Mistake(`Can't listen on ${address.host}:${address.port} (${message}). ${fix}`, {
      cause: error,
    })
  }
}

/** Accepts no new connections, answers requests in flight within `graceMs`, and closes the context last. */
async function stop(
  { ctx, app, metricsServer }: { ctx: Context; app: FastifyInstance; metricsServer: Server | undefined },
  graceMs: number,
): Promise<void> {
  app.isStopping = true
  // Clients that connect while the port closes are cut off. A load balancer needs time to see that /readyz fails.
  await sleep(ctx.config.stopDelaySeconds * 1000)
  const cutOff = setTimeout(() => app.server.closeAllConnections(), graceMs)
  await app.close()
  clearTimeout(cutOff)
  await ctx.close()
  metricsServer?.close()
  metricsServer?.closeAllConnections()
}
