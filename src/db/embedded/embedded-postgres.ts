import type { ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { embeddedLockWaitMs, embeddedWatchMs } from '../../limits.ts'
import type { DatabaseTarget } from '../../settings/database-url.ts'
import { streamOf } from '../database.ts'
import { type Cluster, logTail, openCluster, spawnPostmaster } from './cluster.ts'
import { EmbeddedError } from './home.ts'
import { findObstacle, ObstacleError } from './obstacles.ts'
import { findPostmaster, isAlive, type Postmaster, stopPostmaster } from './postmaster.ts'
import {
  acceptsConnections,
  createDatabase,
  socketTarget,
  tryOwnership,
  tryShare,
  waitForSharedUsers,
} from './ownership.ts'

/**
 * A private, real PostgreSQL in a folder, on a unix socket only.
 *
 *   no cluster ──initdb──► no postmaster ──spawn──► starting ──► accepting ──lock──► ours
 *                               ▲                                   ▲
 *                               └── it died: spawn again            └── orphan of a killed server: adopt
 *
 * The process that holds an advisory lock in the database owns the postmaster and stops it at the end. The kernel
 * closes the lock's connection when that process dies, however it dies, so no stale lock is possible. A command of the
 * CLI that finds the lock taken shares the running server's PostgreSQL; a second server is refused.
 */
export class EmbeddedPostgres {
  readonly target: DatabaseTarget
  readonly home: string
  readonly #cluster: Cluster
  #ownership: pg.Client | undefined
  readonly #sharedUse: pg.Client | undefined
  #recovery: Promise<void> | undefined
  #isStopping = false

  static async start(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
    const cluster = await openCluster(options)
    return options.sharingAllowed ? EmbeddedPostgres.#use(cluster, true) : EmbeddedPostgres.run(cluster)
  }

  /** Runs a cluster that only this process may use. */
  static async run(cluster: Cluster): Promise<EmbeddedPostgres> {
    return EmbeddedPostgres.#use(cluster, false)
  }

  static async #use(cluster: Cluster, sharingAllowed: boolean): Promise<EmbeddedPostgres> {
    const access = await (sharingAllowed ? takeOver(cluster, true) : takeOverWithRetries(cluster))
    await createDatabase(access.client).catch(async (error: Error) => {
      await access.client.end().catch(() => undefined)
      throw new EmbeddedError(`The game's database could not be created: ${error.message}`, { cause: error })
    })
    const embedded = new EmbeddedPostgres(cluster, access)
    embedded.#watch(access.postmaster.pid)
    return embedded
  }

  private constructor(cluster: Cluster, { postmaster, client, isOurs }: Access) {
    this.#cluster = { ...cluster, socketDir: postmaster.socketDir }
    this.#ownership = isOurs ? client : undefined
    this.#sharedUse = isOurs ? undefined : client
    this.home = cluster.home
    this.target = socketTarget(postmaster, 'wheelhouse', 'wheelhouse')
  }

  /** The same database, as the superuser. */
  get superuserTarget(): DatabaseTarget {
    return { ...this.target, user: 'postgres' }
  }

  /** Stops PostgreSQL if we own it: a fast shutdown, with a checkpoint. Commands that share it may finish first. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#sharedUse?.end()
    await this.#recovery
    if (this.#ownership === undefined) return
    await waitForSharedUsers(this.#ownership)
    const postmaster = findPostmaster(this.#cluster.folder)
    await this.#ownership.end()
    if (postmaster === undefined) return
    await stopPostmaster(postmaster.pid, this.#cluster.folder)
    if (postmaster.socketDir !== this.#cluster.folder)
      rmSync(postmaster.socketDir, { recursive: true, force: true })
  }

  /** Restarts PostgreSQL if it dies. The pool reconnects by itself, to the same socket. */
  #watch(pid: number): void {
    const ownership = this.#ownership
    if (ownership === undefined) return
    // A stopped backend outlives its postmaster and keeps our connection open, so we check the process as well.
    const check = setInterval(() => {
      if (!isAlive(pid)) streamOf(ownership).destroy()
    }, embeddedWatchMs).unref()
    ownership.once('end', () => {
      clearInterval(check)
      if (!this.#isStopping) this.#recovery = this.#recover()
    })
  }

  async #recover(): Promise<void> {
    this.#cluster.onTrouble('the embedded PostgreSQL has ended; restarting it', undefined)
    while (!this.#isStopping) {
      try {
        const { client, postmaster } = await takeOver(this.#cluster, false)
        this.#ownership = client
        this.#watch(postmaster.pid)
        return
      } catch (error) {
        const isKnown = error instanceof ObstacleError
        this.#cluster.onTrouble(isKnown ? error.message : 'the embedded PostgreSQL did not start', error)
        await sleep(1_000)
      }
    }
  }
}

type EmbeddedOptions = {
  dataDir: string
  /** Whether to share the PostgreSQL of a running server instead of being refused. */
  sharingAllowed: boolean
  onTrouble: (message: string, error: unknown) => void
}

/** Whether we own the PostgreSQL or share that of another process. The connection holds the lock for it. */
type Access = { postmaster: Postmaster; client: pg.Client; isOurs: boolean }

/** A starting server waits for obstacles to go away, up to a time limit, and reports each. */
async function takeOverWithRetries(cluster: Cluster): Promise<Access> {
  const deadline = performance.now() + cluster.startTimeoutMs
  for (;;) {
    try {
      return await takeOver(cluster, false)
    } catch (error) {
      if (!(error instanceof ObstacleError) || performance.now() > deadline) throw error
      cluster.onTrouble(error.message, undefined)
    }
  }
}

async function takeOver(cluster: Cluster, sharingAllowed: boolean): Promise<Access> {
  const started = performance.now()
  for (;;) {
    const postmaster = await ensureRunning(cluster)
    const answer = await tryOwnership(postmaster)
    if (answer.isOurs) return { postmaster, client: answer.client, isOurs: true }
    if (sharingAllowed && answer.holder !== undefined) {
      const client = await tryShare(postmaster)
      if (client !== undefined) return { postmaster, client, isOurs: false }
    }
    // The holder may be a short command, or a killed server whose connection is about to be closed. Both release it
    // soon.
    if (!sharingAllowed && performance.now() - started > embeddedLockWaitMs && answer.holder !== undefined) {
      throw new EmbeddedError(
        `Another Wheelhouse (${answer.holder}) already runs on ${cluster.home}. ` +
          'Stop it first, or give this one a DATA_DIR of its own. To run several on one database, set DATABASE_URL.',
      )
    }
    if (performance.now() - started > cluster.startTimeoutMs) {
      throw new EmbeddedError(`The embedded PostgreSQL does not answer.\n${logTail(cluster)}`)
    }
    await sleep(100)
  }
}

/** Finds a postmaster or starts one, and waits until it takes connections. */
async function ensureRunning(cluster: Cluster): Promise<Postmaster> {
  const deadline = performance.now() + cluster.startTimeoutMs
  let startsLeft = 10
  let child: ChildProcess | undefined
  while (performance.now() < deadline) {
    const postmaster = findPostmaster(cluster.folder)
    if (postmaster !== undefined) {
      if (await acceptsConnections(postmaster)) return postmaster
      const obstacle = findObstacle(cluster)
      if (obstacle !== undefined) throw obstacle
    }
    const hasExited = child === undefined || child.exitCode !== null || child.signalCode !== null
    if (postmaster === undefined && hasExited) {
      // A start may fail while backends of a killed postmaster are still exiting.
      if (startsLeft-- === 0) break
      if (child !== undefined) await sleep(500)
      child = spawnPostmaster(cluster)
    }
    await sleep(25)
  }
  const unknown = `The embedded PostgreSQL did not start. The end of its log:\n${logTail(cluster)}`
  throw findObstacle(cluster) ?? new EmbeddedError(unknown)
}
