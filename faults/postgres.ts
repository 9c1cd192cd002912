import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, cpSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Cluster, openCluster } from '../src/db/embedded/cluster.ts'
import { nobody } from '../src/db/embedded/account.ts'
import { giveTo } from '../src/db/embedded/home.ts'
import { processesOn } from '../src/db/embedded/processes.ts'
import { makeFolder, tracked, removeFolder } from './children.ts'
import { freePort } from './servers.ts'

export const debianBin = '/usr/lib/postgresql/15/bin'
const startMsMax = 120_000

type Settings = Record<string, string>

/** What every scene's database can do. */
export type ScenePostgres = Pick<
  Postgres,
  'port' | 'url' | 'query' | 'connect' | 'log' | 'signal' | 'start' | 'stop' | 'killAll' | 'remove'
>

/** A PostgreSQL from Wheelhouse's bundled binaries. It listens on loopback, so that a proxy can cut connections. */
export class Postgres {
  readonly port: number
  readonly settings: Settings
  /** Environment of the next start; libfaketime's settings. */
  env: Record<string, string> = {}
  readonly #cluster: Cluster
  readonly #ownRoot: string | undefined
  /** Files that must outlive the cluster's file system: the log and pg_hba.conf. */
  readonly #tempFolder = makeFolder()
  #child: ChildProcess | undefined

  /** Makes a cluster in a folder of its own, or at `root`, where a disk fault has mounted a file system. */
  static async start(settings: Settings = {}, root?: string): Promise<Postgres> {
    const dataDir = root ?? makeFolder()
    const cluster = await openCluster({ dataDir, onTrouble: console.error })
    const ownRoot = root === undefined ? dataDir : undefined
    return Postgres.#startNew(cluster, ownRoot, settings)
  }

  /** From Debian's binaries, which have Debian's extensions. */
  static async startDebian(settings: Settings): Promise<Postgres> {
    const home = makeFolder()
    const account = process.getuid?.() === 0 ? nobody() : undefined
    giveTo(account, home)
    const folder = join(home, 'postgres')
    const flags = [
      '-D',
      folder,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
      '--no-sync',
    ]
    execFileSync(join(debianBin, 'initdb'), flags, { ...account, cwd: '/', stdio: 'pipe' })
    const [bin, onTrouble] = [debianBin, console.error]
    const cluster = {
      home,
      folder,
      bin,
      account,
      socketDir: undefined,
      startTimeoutMs: startMsMax,
      onTrouble,
    }
    return Postgres.#startNew(cluster, home, settings)
  }

  static async #startNew(
    cluster: Cluster,
    ownRoot: string | undefined,
    settings: Settings,
  ): Promise<Postgres> {
    const postgres = new Postgres(cluster, { ownRoot, settings, port: await freePort() })
    await postgres.start()
    await postgres.query('create role wheelhouse login')
    await postgres.query('create database wheelhouse owner wheelhouse')
    return postgres
  }

  private constructor(
    cluster: Cluster,
    at: { ownRoot: string | undefined; settings: Settings; port: number },
  ) {
    this.#cluster = cluster
    this.#ownRoot = at.ownRoot
    this.settings = at.settings
    this.port = at.port
    const rules = ['local all all trust', 'host all,replication all 127.0.0.1/32 trust']
    writeFileSync(this.#hbaFile, `${rules.join('\n')}\n`)
  }

  get url(): string {
    return `postgresql://wheelhouse@127.0.0.1:${this.port}/wheelhouse`
  }

  get folder(): string {
    return this.#cluster.folder
  }

  /** The postmaster's process id. */
  get pid(): number {
    return this.#child?.pid ?? 0
  }

  get #hbaFile(): string {
    return join(this.#tempFolder, 'pg_hba.conf')
  }

  get #logFile(): string {
    return join(this.#tempFolder, 'postgres.log')
  }

  async start(): Promise<void> {
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(this.port),
      unix_socket_directories: '',
      hba_file: this.#hbaFile,
      max_connections: '100',
      restart_after_crash: 'on',
      log_checkpoints: 'off',
      ...this.settings,
    }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const deadline = performance.now() + startMsMax
    // A start may fail while backends of a killed postmaster are still exiting.
    while (!(await this.#answers())) {
      if (performance.now() > deadline)
        throw new Error(`PostgreSQL did not start:\n${this.log().slice(-2000)}`)
      if (this.#child === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) {
        const log = openSync(this.#logFile, 'a')
        this.#child = tracked(
          spawn(join(this.#cluster.bin, 'postgres'), ['-D', this.folder, ...flags], {
            ...this.#cluster.account,
            cwd: '/',
            detached: true,
            stdio: ['ignore', log, log],
            env: { LC_ALL: 'C', TZ: 'UTC', ...this.env },
          }),
        )
        closeSync(log)
      }
      await sleep(50)
    }
  }

  async #answers(): Promise<boolean> {
    try {
      await this.query('select 1')
      return true
    } catch {
      // The caller looks at the process itself to find out why.
      return false
    }
  }

  /** SIGINT is a fast shutdown, SIGQUIT an immediate one (without a checkpoint), SIGKILL a crash. */
  async stop(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }

  /** kill -9 of all its processes. Backends without a postmaster exit by themselves, but not at once. */
  async killAll(): Promise<void> {
    const pids = this.backends()
    await this.stop('SIGKILL')
    for (const pid of pids) tryKill(pid, 'SIGKILL')
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGHUP'): void {
    // Each backend has a process group of its own, so every process is signalled.
    for (const pid of [this.pid, ...this.backends()]) if (pid > 0) tryKill(pid, signal)
  }

  /** The processes of this PostgreSQL except the postmaster, including those that have outlived it. */
  backends(): number[] {
    return processesOn(this.folder).filter((pid) => pid !== this.pid)
  }

  async query<Row extends object>(
    text: string,
    values: unknown[] = [],
    database = 'postgres',
  ): Promise<Row[]> {
    const client = await this.connect(database)
    try {
      return (await client.query<Row>(text, values)).rows
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  /** As the superuser. */
  async connect(database = 'wheelhouse'): Promise<pg.Client> {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: this.port,
      user: 'postgres',
      database,
      connectionTimeoutMillis: 5_000,
    })
    client.on('error', () => undefined) // The next query fails with the reason.
    await client.connect()
    return client
  }

  log(): string {
    return readFileSync(this.#logFile, 'utf8')
  }

  /** Makes a second cluster from a base backup. The files are copied here, because pg_basebackup is not bundled. */
  async copy(settings: Settings, signalFile?: 'standby.signal' | 'recovery.signal'): Promise<Postgres> {
    const root = makeFolder()
    const { account } = this.#cluster
    const home = join(root, 'embedded')
    const folder = join(home, 'postgres')
    mkdirSync(home, { mode: 0o711 })
    const client = await this.connect()
    try {
      await client.query(`select pg_backup_start('faults', true)`)
      copyCluster(this.folder, folder)
      const { rows } = await client.query<{ labelfile: string }>(
        'select labelfile from pg_backup_stop(false)',
      )
      writeFileSync(join(folder, 'backup_label'), rows[0]?.labelfile ?? '')
    } finally {
      await client.end()
    }
    if (signalFile !== undefined) writeFileSync(join(folder, signalFile), '')
    if (account !== undefined) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, folder])
    const cluster: Cluster = { ...this.#cluster, home, folder, socketDir: undefined }
    return new Postgres(cluster, { ownRoot: root, settings, port: await freePort() })
  }

  async remove(): Promise<void> {
    await this.killAll()
    if (this.#ownRoot !== undefined) removeFolder(this.#ownRoot)
    removeFolder(this.#tempFolder)
  }
}

/** Files may change and vanish while they are copied; replaying the write-ahead log corrects that. */
function copyCluster(from: string, to: string): void {
  const skip = new Set(['postmaster.pid', 'postmaster.opts'])
  for (let triesLeft = 5; ; triesLeft--) {
    try {
      cpSync(from, to, {
        recursive: true,
        preserveTimestamps: true,
        filter: (source) => !skip.has(source.slice(from.length + 1)),
      })
      break
    } catch (error) {
      if (triesLeft === 0) throw error
      rmSync(to, { recursive: true, force: true })
    }
  }
}

export function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has already ended.
  }
}
