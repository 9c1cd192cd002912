import pg from 'pg'
import { embeddedLockWaitMs } from '../../limits.ts'
import type { DatabaseTarget } from '../../settings/database-url.ts'
import type { Postmaster } from './postmaster.ts'

// Who may do what with a running embedded PostgreSQL, by advisory locks in it. It has no other tenants, so any numbers do.
const ownershipLock = 7_437_002
/** Shared by all guests; the owner takes it for itself before it stops the database. */
const guestLock = 7_437_004

export async function answers(postmaster: Postmaster): Promise<boolean> {
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
    // It was shut down between two words. The caller looks again.
    return { isOurs: false, holder: undefined }
  }
}

/** Fails while the owner is on its way out: the caller then waits for the end and starts the database itself. */
export async function tryVisit(postmaster: Postmaster): Promise<pg.Client | undefined> {
  const client = await connect(postmaster)
  if (client === undefined) return undefined
  try {
    const lock = await client.query<{ taken: boolean }>(
      `select pg_try_advisory_lock_shared(${guestLock}) as taken`,
    )
    if (lock.rows[0]?.taken === true) return client
    await client.end()
    return undefined
  } catch {
    // It was shut down between two words. The caller looks again.
    return undefined
  }
}

/** Bounded: a guest that stays longer is cut off. */
export async function waitForGuests(ownership: pg.Client): Promise<void> {
  try {
    await ownership.query(`set lock_timeout = ${embeddedLockWaitMs}`)
    await ownership.query(`select pg_advisory_lock(${guestLock})`)
  } catch {
    // They stay too long, or the database is gone already. Either way it is to stop now.
  }
}

async function connect(postmaster: Postmaster): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    ...socketTarget(postmaster, 'postgres', 'postgres'),
    application_name: `process ${process.pid}`,
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', () => undefined) // The end of the connection is told by 'end'.
  try {
    await client.connect()
    return client
  } catch {
    // Not up yet, or going down: what it means is decided by the postmaster's process, not by this error.
    return undefined
  }
}

/** The game's own database and its user, made if they are not there yet. */
export async function createDatabase(client: pg.Client): Promise<void> {
  const found = await client.query(`select from pg_database where datname = 'wheelhouse'`)
  if (found.rowCount === 1) return
  // Not a superuser: the walls in the schema should hold for us too.
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
