import type { ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { embeddedLockWaitMs, embeddedStartTimeoutMs, embeddedWatchMs } from '../../limits.ts'
import type { DatabaseTarget } from '../../settings/database-url.ts'
import { streamOf } from '../database.ts'
import { type Cluster, logTail, openCluster, spawnPostmaster } from './cluster.ts'
import { EmbeddedError } from './home.ts'
import { findObstacle, ObstacleError } from './obstacles.ts'
import { findPostmaster, isAlive, type Postmaster, stopPostmaster } from './postmaster.ts'
import { answers, createDatabase, socketTarget, tryOwnership, tryVisit, waitForGuests } from './tenancy.ts'

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
  readonly #visit: pg.Client | undefined
  #recovery: Promise<void> | undefined
  #isStopping = false

  static async start(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
    const cluster = await openCluster(options)
    const tenancy = await (options.guestAllowed ? takeOver(cluster, true) : takeOverInTime(cluster))
    await createDatabase(tenancy.client).catch(async (error: Error) => {
      await tenancy.client.end().catch(() => undefined)
      throw new EmbeddedError(`The game's database could not be made: ${error.message}`, { cause: error })
    })
    const embedded = new EmbeddedPostgres(cluster, tenancy)
    embedded.#watch(tenancy.postmaster.pid)
    return embedded
  }

  private constructor(cluster: Cluster, { postmaster, client, isOurs }: Tenancy) {
    this.#cluster = { ...cluster, socketDir: postmaster.socketDir }
    this.#ownership = isOurs ? client : undefined
    this.#visit = isOurs ? undefined : client
    this.home = cluster.home
    this.target = socketTarget(postmaster, 'wheelhouse', 'wheelhouse')
  }

  /** Stops PostgreSQL if it is ours: quickly, but cleanly, with a checkpoint. Guests may finish first. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#visit?.end()
    await this.#recovery
    if (this.#ownership === undefined) return
    await waitForGuests(this.#ownership)
    const postmaster = findPostmaster(this.#cluster.folder)
    await this.#ownership.end()
    if (postmaster === undefined) return
    await stopPostmaster(postmaster.pid, this.#cluster.folder)
    if (postmaster.socketDir !== this.#cluster.folder)
      rmSync(postmaster.socketDir, { recursive: true, force: true })
  }

  /** Brings PostgreSQL back if it dies under us. The pool reconnects by itself, to the same socket. */
  #watch(pid: number): void {
    const ownership = this.#ownership
    if (ownership === undefined) return
    // A stopped backend outlives its postmaster and keeps our connection open. So we look at the process as well.
    const look = setInterval(() => {
      if (!isAlive(pid)) streamOf(ownership).destroy()
    }, embeddedWatchMs).unref()
    ownership.once('end', () => {
      clearInterval(look)
      if (!this.#isStopping) this.#recovery = this.#recover()
    })
  }

  async #recover(): Promise<void> {
    this.#cluster.onTrouble('the embedded PostgreSQL is gone; starting it again', undefined)
    while (!this.#isStopping) {
      try {
        const { client, postmaster } = await takeOver(this.#cluster, false)
        this.#ownership = client
        this.#watch(postmaster.pid)
        return
      } catch (error) {
        const isKnown = error instanceof ObstacleError
        this.#cluster.onTrouble(isKnown ? error.message : 'the embedded PostgreSQL does not start', error)
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

/** What we are in the database: its owner, or the guest of another. The connection holds the lock that says so. */
type Tenancy = { postmaster: Postmaster; client: pg.Client; isOurs: boolean }

/** A server that starts waits until an obstacle is gone, within a bound, and says what it waits for. */
async function takeOverInTime(cluster: Cluster): Promise<Tenancy> {
  const deadline = performance.now() + embeddedStartTimeoutMs
  for (;;) {
    try {
      return await takeOver(cluster, false)
    } catch (error) {
      if (!(error instanceof ObstacleError) || performance.now() > deadline) throw error
      cluster.onTrouble(error.message, undefined)
    }
  }
}

async function takeOver(cluster: Cluster, guestAllowed: boolean): Promise<Tenancy> {
  const started = performance.now()
  for (;;) {
    const postmaster = await ensureRunning(cluster)
    const answer = await tryOwnership(postmaster)
    if (answer.isOurs) return { postmaster, client: answer.client, isOurs: true }
    if (guestAllowed && answer.holder !== undefined) {
      const client = await tryVisit(postmaster)
      if (client !== undefined) return { postmaster, client, isOurs: false }
    }
    // A holder that is only a short command, or a killed server whose connection is still being cleared, goes soon.
    if (!guestAllowed && performance.now() - started > embeddedLockWaitMs && answer.holder !== undefined) {
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
    if (postmaster !== undefined) {
      if (await answers(postmaster)) return postmaster
      const obstacle = findObstacle(cluster)
      if (obstacle !== undefined) throw obstacle
    }
    const isOver = child === undefined || child.exitCode !== null || child.signalCode !== null
    if (postmaster === undefined && isOver) {
      // A start may fail while backends of a killed postmaster are still on their way out.
      if (startsLeft-- === 0) break
      if (child !== undefined) await sleep(500)
      child = spawnPostmaster(cluster)
    }
    await sleep(25)
  }
  const unknown = `The embedded PostgreSQL does not start. The end of its log:\n${logTail(cluster)}`
  throw findObstacle(cluster) ?? new EmbeddedError(unknown)
}
