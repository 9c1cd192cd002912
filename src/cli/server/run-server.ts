import type { Logger } from 'pino'
import { type Config, misspeltSettings } from '../../config.ts'
import { migrate } from '../../db/migrate.ts'
import { type OpenDatabase, openDatabase } from '../../db/open-database.ts'
import { sameSignalMs } from '../../limits.ts'
import { makeLog } from '../../log.ts'
import { readBuild } from '../../version.ts'
import { type Demo, makeDemoMerchant } from '../merchants/demo-merchant.ts'
import { firstStart } from './first-start.ts'
import { startApp } from './start-app.ts'
import { prepareEmbedded } from '../database/upgrade.ts'
import { showSecrets, showWelcome } from './welcome.ts'
import { startWorkers } from './workers.ts'

/** Runs the server until a signal stops it. */
export async function runServer(config: Config): Promise<void> {
  const log = makeLog(config.logLevel)
  const signalled = nextSignal()
  log.info(readBuild(), 'starting')
  for (const warning of misspeltSettings()) log.warn(warning)
  await prepareEmbedded(config, log)
  const database = await openDatabase(config, { log, sharingAllowed: false })
  try {
    const applied = await migrate(database.db, { warn: (message) => log.warn(message) })
    if (applied.length > 0) log.info({ applied }, 'migrated the schema')
    await firstStart(database.db, new Date())
    const running =
      config.processes > 1 ? await startWorkers(config, log) : await startApp(config, log, database.db)
    try {
      await welcome(config, database, log)
      log.info({ signal: await signalled }, 'stopping')
    } finally {
      await running.stop(config.stopGraceSeconds * 1000)
    }
  } finally {
    await closeLast(database, log)
  }
}

/** Called once the server listens, so that a start that fails earlier creates no secrets that are never shown. */
async function welcome(config: Config, { db, embeddedHome }: OpenDatabase, log: Logger): Promise<void> {
  const show = (made: Demo) => showSecrets(config, made)
  const demo = config.demo ? await makeDemoMerchant(db, { now: new Date(), show }) : undefined
  // It has no secrets, so a full disk or a closed pipe is no reason to stop.
  await showWelcome({ config, demo, embeddedHome }).catch((error: unknown) =>
    log.warn({ error }, 'the welcome text could not be shown'),
  )
}

async function closeLast(database: OpenDatabase, log: Logger): Promise<void> {
  await database.close()
  log.info('stopped')
}

/**
 * The first signal stops the server gracefully; a later one kills it. Ctrl-C under npm sends two at once, one from the
 * terminal and one that npm passes on.
 */
async function nextSignal(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let killsAfter = Infinity
  const stop = (signal: string) => {
    const now = performance.now()
    if (now > killsAfter) process.kill(process.pid, 'SIGKILL')
    killsAfter = Math.min(killsAfter, now + sameSignalMs)
    resolve(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  return promise
}
