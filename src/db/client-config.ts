import type pg from 'pg'
import { types } from './parameters.ts'

export type ConnectionOptions = {
  /** A pooler in transaction mode keeps nothing on a connection: no prepared statements, no settings. */
  pooler: boolean
  statementTimeoutMs: number
  lockTimeoutMs: number
  idleInTransactionTimeoutMs: number
  applicationName: string
}

/** The settings of every connection, without the host. */
export function clientConfig(options: ConnectionOptions): pg.ClientConfig {
  const config = {
    application_name: options.applicationName,
    types,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
    ...(options.pooler
      ? {}
      : {
          options: Object.entries(pinned)
            .map(([name, value]) => `-c ${name}=${value}`)
            .join(' '),
          statement_timeout: options.statementTimeoutMs,
          lock_timeout: options.lockTimeoutMs,
          idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs,
        }),
  }
  return config as pg.ClientConfig
}

/**
 * Our statements find rows by full keys, with arrays of any length, in tables that grow from nothing. A plan made on an
 * empty table reads the whole table later: 800 grants a second instead of many thousands. So plans are pinned: by
 * index, by nested loop, and generic. A plan that can't avoid a disabled step has a huge estimated cost, for which
 * PostgreSQL would compile it: seconds for a statement that takes a millisecond.
 */
const pinned = {
  jit: 'off',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
}
