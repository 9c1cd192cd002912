import { type ChildProcess, execFile, spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import {
  embeddedLockWaitMs,
  embeddedStartTimeoutMs,
  embeddedStopTimeoutMs,
  socketPathBytesMax,
} from '../../limits.ts'
import type { DatabaseTarget } from '../database-url.ts'
import {
  type Account,
  databaseAccount,
  EmbeddedError,
  giveTo,
  makePrivateFolder,
  openHome,
  placeBinaries,
  renameOnce,
} from './home.ts'
import { findPostmaster, isAlive, type Postmaster } from './postmaster.ts'

/**
 * A private, real PostgreSQL in a folder, on a unix socket only.
 *
 *   no cluster ──initdb──► no postmaster ──spawn──► starting ──► accepting ──lock──► ours
 *                               ▲                                   ▲
 *                               └── it died: spawn again            └── orphan of a killed server: adopt
 *
 * Whoever holds an advisory lock in the database owns the postmaster and stops it at the end. The kernel drops that
 * lock's connection when its process dies, however it dies, so no stale lock is possible. A command-line verb that
 * finds the lock taken works as a guest of the running server; a second server is refused.
 */
export class EmbeddedPostgres {
  readonly target: DatabaseTarget
  readonly home: string
  readonly #cluster: Cluster
  #ownership: pg.Client | undefined
  #isStopping = false

  static async start(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
    const cluster = await openCluster(options)
    const { postmaster, ownership } = await takeOver(cluster, options.guestAllowed)
    const embedded = new EmbeddedPostgres(cluster, postmaster, ownership)
    await createDatabase(embedded.target)
    embedded.#watch()
    return embedded
  }

  private constructor(cluster: Cluster, postmaster: Postmaster, ownership: pg.Client | undefined) {
    this.#cluster = { ...cluster, socketDir: postmaster.socketDir }
    this.#ownership = ownership
    this.home = cluster.home
    this.target = socketTarget(postmaster, 'wheelhouse', 'wheelhouse')
  }

  /** Stops PostgreSQL if it is ours: quickly, but cleanly, with a checkpoint. */
  async stop(): Promise<void> {
    this.#isStopping = true
    if (this.#ownership === undefined) return
    const postmaster = findPostmaster(this.#cluster.folder)
    await this.#ownership.end()
    if (postmaster !== undefined) await stopPostmaster(postmaster.pid, this.#cluster.folder)
  }

  /** Brings PostgreSQL back if it dies under us. The pool reconnects by itself, to the same socket. */
  #watch(): void {
    this.#ownership?.once('end', () => {
      if (!this.#isStopping) void this.#recover()
    })
  }

  async #recover(): Promise<void> {
    this.#cluster.onTrouble('the embedded PostgreSQL is gone; starting it again', undefined)
    while (!this.#isStopping) {
      try {
        const { ownership } = await takeOver(this.#cluster, false)
        this.#ownership = ownership
        this.#watch()
        return
      } catch (error) {
        this.#cluster.onTrouble('the embedded PostgreSQL does not start', error)
        await sleep(1_000)
      }
    }
  }
}

export type EmbeddedOptions = {
  dataDir: string
  /** Whether to share the PostgreSQL of a running server instead of being refused. */
  guestAllowed: boolean
  onTrouble: (message: string, error: unknown) => void
}

type Cluster = {
  home: string
  folder: string
  bin: string
  account: Account
  socketDir: string | undefined
  onTrouble: EmbeddedOptions['onTrouble']
}

// An arbitrary number; the embedded database has no other tenants.
const ownershipLock = 7_437_002
const port = 5432
const logBytesMax = 10 * 1024 * 1024

async function openCluster(options: EmbeddedOptions): Promise<Cluster> {
  const account = databaseAccount()
  const home = openHome(options.dataDir, account)
  const { bin, majorVersion } = placeBinaries(home, account)
  const folder = join(home, 'postgres')
  if (!existsSync(folder)) await initialise(folder, bin, account)
  refuseOtherVersion(folder, majorVersion)
  writeAccessRules(home)
  return { home, folder, bin, account, socketDir: undefined, onTrouble: options.onTrouble }
}

/** Under another name first: a run that is cut off leaves no half-made cluster behind. */
async function initialise(folder: string, bin: string, account: Account): Promise<void> {
  const unfinished = `${folder}.${process.pid}`
  makePrivateFolder(unfinished, account)
  const flags = [
    '--username=postgres',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]
  await promisify(execFile)(
    join(bin, 'initdb'),
    ['-D', unfinished, '--locale=C', '--no-instructions', '--auth=peer', ...flags],
    {
      ...account,
      cwd: '/',
    },
  ).catch((error: Error) => {
    throw new EmbeddedError(`The embedded PostgreSQL could not be set up: ${error.message}`, { cause: error })
  })
  renameOnce(unfinished, folder)
}

function refuseOtherVersion(folder: string, majorVersion: number): void {
  const found = Number(readFileSync(join(folder, 'PG_VERSION'), 'utf8'))
  if (found === majorVersion) return
  throw new EmbeddedError(
    `The data in ${folder} is of PostgreSQL ${found}; this Wheelhouse brings PostgreSQL ${majorVersion}. ` +
      `Move it over with pg_upgrade or with pg_dump of PostgreSQL ${found} (docs/operations.md says how), ` +
      'or start the Wheelhouse that made it.',
  )
}

/** Only we ourselves may connect, recognised by the kernel. The files stand outside the cluster, where only we write. */
function writeAccessRules(home: string): void {
  const { username } = userInfo()
  writeFileSync(join(home, 'pg_hba.conf'), 'local all all peer map=wheelhouse\n', { mode: 0o644 })
  writeFileSync(
    join(home, 'pg_ident.conf'),
    `wheelhouse "${username}" postgres\nwheelhouse "${username}" wheelhouse\n`,
    {
      mode: 0o644,
    },
  )
}

async function takeOver(
  cluster: Cluster,
  guestAllowed: boolean,
): Promise<{ postmaster: Postmaster; ownership: pg.Client | undefined }> {
  const started = performance.now()
  for (;;) {
    const postmaster = await ensureRunning(cluster)
    const answer = await tryOwnership(postmaster)
    if (answer.isOurs) return { postmaster, ownership: answer.client }
    if (guestAllowed && answer.holder !== undefined) return { postmaster, ownership: undefined }
    // A holder that is only a short command, or a killed server whose connection is still being cleared, goes soon.
    if (performance.now() - started > embeddedLockWaitMs && answer.holder !== undefined) {
      throw new EmbeddedError(
        `Another Wheelhouse (${answer.holder}) already runs on ${cluster.home}. ` +
          'Stop it first, or give this one a DATA_DIR of its own. To run several on one database, set DATABASE_URL.',
      )
    }
    if (performance.now() - started > embeddedStartTimeoutMs) {
      throw new EmbeddedError(`The embedded PostgreSQL does not answer.\n${logTail(cluster)}`)
    }
    await sleep(100)
  }
}

/** Finds a postmaster or starts one, and waits until it takes connections. */
async function ensureRunning(cluster: Cluster): Promise<Postmaster> {
  const deadline = performance.now() + embeddedStartTimeoutMs
  let startsLeft = 10
  let child: ChildProcess | undefined
  while (performance.now() < deadline) {
    const postmaster = findPostmaster(cluster.folder)
    if (postmaster !== undefined && (await answers(postmaster))) return postmaster
    const isOver = child === undefined || child.exitCode !== null || child.signalCode !== null
    if (postmaster === undefined && isOver) {
      // A start may fail while backends of a killed postmaster are still on their way out.
      if (startsLeft-- === 0) break
      if (child !== undefined) await sleep(500)
      child = spawnPostmaster(cluster)
    }
    await sleep(25)
  }
  throw new EmbeddedError(`The embedded PostgreSQL does not start. The end of its log:\n${logTail(cluster)}`)
}

function spawnPostmaster(cluster: Cluster): ChildProcess {
  cluster.socketDir ??= chooseSocketDir(cluster)
  const settings = {
    listen_addresses: '',
    unix_socket_directories: cluster.socketDir,
    unix_socket_permissions: '0700',
    port: String(port),
    hba_file: join(cluster.home, 'pg_hba.conf'),
    ident_file: join(cluster.home, 'pg_ident.conf'),
    fsync: 'on',
    full_page_writes: 'on',
    logging_collector: 'off',
    log_destination: 'stderr',
    // Otherwise a failed statement would bring its values, and with them secrets, into the log.
    log_min_error_statement: 'panic',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
  }
  const log = openLog(cluster)
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(join(cluster.bin, 'postgres'), ['-D', cluster.folder, ...flags], {
    ...cluster.account,
    cwd: '/',
    // In a group of its own, so that Ctrl-C in a terminal reaches us and not the database that we still drain into.
    detached: true,
    stdio: ['ignore', log, log],
    env: { LC_ALL: 'C', TZ: 'UTC' },
  })
  closeSync(log)
  child.on('error', (error) => cluster.onTrouble('the embedded PostgreSQL could not be run', error))
  child.unref()
  return child
}

/** In the cluster's folder, which only its account can open; a path too long for a socket gets a folder of its own. */
function chooseSocketDir(cluster: Cluster): string {
  if (Buffer.byteLength(join(cluster.folder, `.s.PGSQL.${port}`)) <= socketPathBytesMax) return cluster.folder
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-'))
  giveTo(cluster.account, folder)
  return folder
}

function openLog(cluster: Cluster): number {
  const file = join(cluster.home, 'postgres.log')
  if (existsSync(file) && statSync(file).size > logBytesMax) renameSync(file, `${file}.1`)
  return openSync(file, 'a', 0o600)
}

function logTail(cluster: Cluster): string {
  const file = join(cluster.home, 'postgres.log')
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
  return [...lines.slice(-12).map((line) => `  | ${line}`), `  (${file})`].join('\n')
}

async function answers(postmaster: Postmaster): Promise<boolean> {
  const client = await connect(postmaster)
  await client?.end()
  return client !== undefined
}

type Ownership = { isOurs: true; client: pg.Client } | { isOurs: false; holder: string | undefined }

async function tryOwnership(postmaster: Postmaster): Promise<Ownership> {
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

async function createDatabase(target: DatabaseTarget): Promise<void> {
  const client = await connect({ pid: 0, port: target.port, socketDir: target.host })
  if (client === undefined)
    throw new EmbeddedError('The embedded PostgreSQL went away while it was being set up.')
  try {
    const found = await client.query(`select from pg_database where datname = 'wheelhouse'`)
    if (found.rowCount === 1) return
    // Not a superuser: the walls in the schema should hold for us too.
    await client.query(
      `do $$ begin create role wheelhouse login; exception when duplicate_object then null; end $$`,
    )
    await client.query('create database wheelhouse owner wheelhouse')
  } finally {
    await client.end()
  }
}

function socketTarget(postmaster: Postmaster, user: string, database: string): DatabaseTarget {
  return {
    host: postmaster.socketDir,
    port: postmaster.port,
    user,
    password: undefined,
    database,
    ssl: false,
  }
}

async function stopPostmaster(pid: number, folder: string): Promise<void> {
  const started = performance.now()
  process.kill(pid, 'SIGINT')
  let isUrged = false
  // An orphan stays in the process table until somebody reaps it, so the file that it removes last tells the end too.
  while (isAlive(pid) && existsSync(join(folder, 'postmaster.pid'))) {
    if (!isUrged && performance.now() - started > embeddedStopTimeoutMs) {
      // Immediate shutdown: nothing is lost, the next start recovers from the log.
      process.kill(pid, 'SIGQUIT')
      isUrged = true
    }
    await sleep(20)
  }
}
