import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { DatabaseTarget } from '../settings/database-url.ts'
import { clientConfig, type ConnectionOptions } from './client-config.ts'
import { Database } from './database.ts'
import { EmbeddedPostgres } from './embedded/embedded-postgres.ts'
import { askHosts, type HostState } from './primary-host.ts'

export type OpenDatabase = {
  db: Database
  /** The folder of the embedded PostgreSQL, if it is used. */
  embeddedHome: string | undefined
  close: () => Promise<void>
}

/** Connects to the PostgreSQL of `DATABASE_URL`, or starts the embedded one. */
export async function openDatabase(
  config: Config,
  options: { log: Logger; sharingAllowed: boolean },
): Promise<OpenDatabase> {
  const { log } = options
  const embedded =
    config.databaseTargets === undefined
      ? await EmbeddedPostgres.start({
          dataDir: config.dataDir,
          sharingAllowed: options.sharingAllowed,
          onTrouble: (message, error) => log.error({ error }, message),
        })
      : undefined
  const targets = config.databaseTargets ?? [embedded?.target].filter((target) => target !== undefined)
  const db = connectDatabase(config, targets, log)
  const close = async () => {
    await db.close()
    await embedded?.stop()
  }
  return { db, embeddedHome: embedded?.home, close }
}

/** A pool of connections with the settings of `config`. */
export function connectDatabase(config: Config, targets: readonly DatabaseTarget[], log: Logger): Database {
  return new Database({
    targets,
    poolMax: config.databasePoolMax,
    ...connectionOptions(config),
    onConnectionError: (error) => log.warn({ error }, 'a database connection was lost'),
  })
}

function connectionOptions(config: Config): ConnectionOptions {
  return {
    pooler: config.databasePooler,
    statementTimeoutMs: config.databaseStatementTimeoutMs,
    lockTimeoutMs: config.databaseLockTimeoutMs,
    idleInTransactionTimeoutMs: config.databaseIdleInTransactionTimeoutMs,
    applicationName: 'wheelhouse',
  }
}

/** The state of each host in DATABASE_URL. */
export async function askHostsOf(config: Config): Promise<HostState[]> {
  return askHosts(config.databaseTargets ?? [], clientConfig(connectionOptions(config)))
}
