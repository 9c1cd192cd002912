import { once } from 'node:events'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { type OpenDatabase, openDatabase } from '../db/open-database.ts'
import { makeLog } from '../log.ts'
import { firstStart } from './first-start.ts'
import { startApp } from './start-app.ts'
import { welcome } from './welcome.ts'
import { startWorkers } from './workers.ts'

/** Runs the server until it is told to stop. */
export async function runServer(config: Config): Promise<void> {
  const log = makeLog(config.logLevel)
  const signalled = nextSignal()
  const database = await openDatabase(config, { log, guestAllowed: false })
  try {
    const applied = await migrate(database.db)
    if (applied.length > 0) log.info({ applied }, 'migrated the schema')
    const demo = await firstStart(database.db, { demo: config.demo, now: new Date() })
    const running =
      config.processes > 1 ? await startWorkers(config, log) : await startApp(config, log, database.db)
    process.stdout.write(welcome({ config, demo, embeddedHome: database.embeddedHome }))
    log.info({ signal: await signalled }, 'stopping')
    await running.stop(config.stopGraceSeconds * 1000)
  } finally {
    await closeLast(database, log)
  }
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
