import pg from 'pg'
import { databaseDeadlines } from '../../limits.ts'
import type { DatabaseTarget } from '../../settings/database-url.ts'
import type { Postmaster } from './postmaster.ts'

// Advisory locks in the embedded PostgreSQL decide which process owns it and which ones share it. No other application
// uses it, so any numbers will do.
const ownershipLock = 7_437_002
/** Held in shared mode by all commands that share the database. The owner takes it exclusively before it stops it. */
const sharedUseLock = 7_437_004

export async function acceptsConnections(postmaster: Postmaster): Promise<boolean> {
  const client = await connect(postmaster)
  await client?.end()
  return client !== undefined
}

type Ownership = { isOurs: true; client: pg.Client } | { isOurs: false; holder: string | undefined }

export async function tryOwnership(postmaster: Postmaster): Promise<Ownership> {
  const client = await connect(postmaster)
  if (client === undefined) return { isOurs: false, holder: undefined }
  try {
    const lock = await client.query<{ taken: boolean }>(
      `select pg_try_advisory_lock(${ownershipLock}) as taken`,
    )
    if (lock.rows[0]?.taken === true) return { isOurs: true, client }
    const holder = await client.query<{ name: string }>(
      `select application_name as name from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory' and objid = ${ownershipLock}`,
    )
    await client.end()
    return { isOurs: false, holder: holder.rows[0]?.name }
  } catch {
    // It was shut down in the meantime. The caller tries again.
    return { isOurs: false, holder: undefined }
  }
}

/** Fails while the owner is stopping: the caller then waits until it has, and starts the database itself. */
export async function tryShare(postmaster: Postmaster): Promise<pg.Client | undefined> {
  const client = await connect(postmaster)
  if (client === undefined) return undefined
  try {
    const lock = await client.query<{ taken: boolean }>(
      `select pg_try_advisory_lock_shared(${sharedUseLock}) as taken`,
    )
    if (lock.rows[0]?.taken === true) return client
    await client.end()
    return undefined
  } catch {
    // It was shut down in the meantime. The caller tries again.
    return undefined
  }
}

/** Waits for a limited time. A command that takes longer is cut off. */
export async function waitForSharedUsers(ownership: pg.Client): Promise<void> {
  try {
    await ownership.query(`set lock_timeout = ${databaseDeadlines.operationMs}`)
    await ownership.query(`select pg_advisory_lock(${sharedUseLock})`)
  } catch {
    // A command takes too long, or the database has already ended. Either way it must stop now.
  }
}

async function connect(postmaster: Postmaster): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    ...socketTarget(postmaster, 'postgres', 'postgres'),
    application_name: `process ${process.pid}`,
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', () => undefined) // 'end' reports the end of the connection.
  try {
    await client.connect()
    return client
  } catch {
    // It is starting or stopping. The caller looks at the postmaster's process to find out which.
    return undefined
  }
}

/** Creates the game's database and its user if they do not exist. */
export async function createDatabase(client: pg.Client): Promise<void> {
  const found = await client.query(`select from pg_database where datname = 'wheelhouse'`)
  if (found.rowCount === 1) return
  // Not a superuser, so that the schema's protections apply to us too.
  await client.query(
    `do $$ begin create role wheelhouse login; exception when duplicate_object then null; end $$`,
  )
  await client.query('create database wheelhouse owner wheelhouse')
}

export function socketTarget(postmaster: Postmaster, user: string, database: string): DatabaseTarget {
  return {
    host: postmaster.socketDir,
    port: postmaster.port,
    user,
    password: undefined,
    database,
    ssl: false,
  }
}
