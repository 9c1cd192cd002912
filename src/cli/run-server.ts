import { once } from 'node:events'
import type { Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { type Context, makeContext } from '../context.ts'
import type { Database } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { type OpenDatabase, openDatabase } from '../db/open-database.ts'
import { buildApp } from '../http/app.ts'
import { listenForMetrics } from '../http/metrics-server.ts'
import { makeLog } from '../log.ts'
import { Mistake } from '../mistake.ts'
import { firstStart } from './first-start.ts'
import { welcome } from './welcome.ts'

/** Runs the server until it is told to stop. */
export async function runServer(config: Config): Promise<void> {
  const log = makeLog(config.logLevel)
  const signalled = nextSignal()
  const database = await openDatabase(config, { log, guestAllowed: false })
  try {
    const applied = await migrate(database.db)
    if (applied.length > 0) log.info({ applied }, 'migrated the schema')
    const demoToken = await firstStart(database.db, { demo: config.demo, now: new Date() })
    const running = await start(config, log, database.db)
    process.stdout.write(welcome({ config, demoToken, embeddedHome: database.embeddedHome }))
    log.info({ signal: await signalled }, 'stopping')
    await stop(running, config.stopGraceSeconds * 1000)
  } finally {
    await closeLast(database, log)
  }
}

type Running = { ctx: Context; app: FastifyInstance; metricsServer: Server | undefined }

async function start(config: Config, log: Logger, db: Database): Promise<Running> {
  const ctx = makeContext({ config, db, log, now: () => new Date() })
  const app = await buildApp(ctx)
  const metricsServer =
    config.metricsAddress === undefined
      ? undefined
      : await listen('METRICS_ADDRESS', config.metricsAddress, (address) =>
          listenForMetrics(ctx.metrics, address),
        )
  await listen('PORT', config, ({ host, port }) => app.listen({ host, port }))
  ctx.start()
  return { ctx, app, metricsServer }
}

async function listen<T>(
  setting: string,
  address: { host: string; port: number },
  open: (address: { host: string; port: number }) => Promise<T>,
): Promise<T> {
  try {
    return await open(address)
  } catch (error) {
    throw new Mistake(
      `Can't listen on ${address.host}:${address.port} (${error instanceof Error ? error.message : String(error)}). Set ${setting} to another one.`,
      { cause: error },
    )
  }
}

/** No new connections; what is under way is answered, within the bound; the database goes last. */
async function stop({ ctx, app, metricsServer }: Running, graceMs: number): Promise<void> {
  app.isStopping = true
  const cutOff = setTimeout(() => app.server.closeAllConnections(), graceMs)
  await app.close()
  clearTimeout(cutOff)
  await ctx.close()
  metricsServer?.close()
  metricsServer?.closeAllConnections()
}

async function closeLast(database: OpenDatabase, log: Logger): Promise<void> {
  await database.close()
  log.info('stopped')
}

/** The first signal asks for an orderly end; a second one, for an end. */
async function nextSignal(): Promise<string> {
  const names = ['SIGINT', 'SIGTERM'] as const
  const name = await Promise.race(names.map(async (signal) => once(process, signal).then(() => signal)))
  for (const signal of names) process.once(signal, () => process.kill(process.pid, 'SIGKILL'))
  return name
}
