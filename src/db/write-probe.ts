import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeHangMs, writeProbeMs, writeProbeWaitMs } from '../limits.ts'
import { silentNodes } from './cluster/silent-nodes.ts'
import { type Database, type Queryable, statement } from './database.ts'
import { DatabaseFailure } from './database-fault.ts'
import { noteWrite } from './work-positions.ts'

/** The reason why writes don't work now: in a few words, in a sentence, and PostgreSQL's message if there is one. */
type WriteTrouble = { status: string; detail: string; cause?: string }

/**
 * Tries a small real write when asked, at most once a second and one at a time. A `select` is not enough: it also works
 * while every commit waits for a synchronous standby that is gone. A write counts as hanging only after `writeHangMs`,
 * so that a short stall changes nothing.
 */
export class WriteProbe {
  readonly #db: Database
  readonly #dataDir: string | undefined
  #trouble: WriteTrouble | undefined = unavailable
  #triedAt = -Infinity
  /** When the first attempt began that has not been followed by a success. */
  #failingSince: number | undefined
  /** Whether the newest attempt is still waiting, or has given up waiting. */
  #isWaiting = false
  #attempt: Promise<void> | undefined
  #backend: number | undefined

  /** `dataDir`: the folder of the embedded PostgreSQL, which stops if its disk is full. */
  constructor(db: Database, dataDir?: string) {
    this.#db = db
    this.#dataDir = dataDir
  }

  /**
   * The trouble with writes, or undefined if they work. Answers within about a second, perhaps with the last result.
   */
  async check(): Promise<WriteTrouble | undefined> {
    if (this.#attempt === undefined && performance.now() - this.#triedAt >= writeProbeMs) this.#try()
    await soon(this.#attempt)
    if (this.#isWaiting && this.#failingForMs() >= writeHangMs) this.#trouble = await this.#describeHang()
    return this.#trouble
  }

  /** Like `check`, but waits until it is known whether writes work or hang. */
  async examine(): Promise<WriteTrouble | undefined> {
    for (;;) {
      const trouble = await this.check()
      if (!this.#isWaiting || this.#failingForMs() >= writeHangMs) return trouble
      await sleep(100)
    }
  }

  #try(): void {
    this.#triedAt = performance.now()
    this.#failingSince ??= this.#triedAt
    this.#isWaiting = true
    this.#attempt = this.#write().finally(() => (this.#attempt = undefined))
  }

  async #write(): Promise<void> {
    try {
      await this.#commitOneRow()
      this.#isWaiting = false
      this.#failingSince = undefined
      this.#trouble = undefined
    } catch (error) {
      if (isTimeout(error) || performance.now() - this.#triedAt >= writeHangMs) return
      this.#isWaiting = false
      this.#trouble = (await this.#findNodes()) ?? (await this.#lookAtDisk(troubleOf(error)))
    }
  }

  async #lookAtDisk(trouble: WriteTrouble): Promise<WriteTrouble> {
    if (trouble !== unavailable || this.#dataDir === undefined) return trouble
    const disk = await statfs(this.#dataDir).catch(() => undefined)
    return disk !== undefined && disk.bavail * disk.bsize < walSegmentBytes ? diskFull : trouble
  }

  /** On a cluster, a machine that does not answer. While all connections are in use, the last finding stays. */
  async #findNodes(): Promise<WriteTrouble | undefined> {
    if (!this.#db.isCluster) return undefined
    const nodes = await soon(silentNodes(this.#db, writeProbeWaitMs / 2))
    if (nodes === undefined) return this.#trouble?.status === 'node unavailable' ? this.#trouble : undefined
    if (nodes.length === 0) return undefined
    return {
      status: 'node unavailable',
      detail: `The coordinator gets no connection to ${nodes.join(', ')}: players whose rows are there are not served.`,
    }
  }

  /**
   * In a transaction, because behind a pooler two statements may have two backends. While a commit hangs, it holds the
   * lock of the row, so that the next attempts end by their lock timeout. An attempt that is abandoned in its commit
   * would keep a connection of PostgreSQL until the standby is back.
   */
  async #commitOneRow(): Promise<void> {
    this.#backend = undefined
    await this.#db.transaction(async (tx) => {
      const [row] = await tx.query(readBackend)
      this.#backend = row?.pid
      await noteWrite(tx, new Date())
    })
  }

  #failingForMs(): number {
    return this.#failingSince === undefined ? 0 : performance.now() - this.#failingSince
  }

  async #describeHang(): Promise<WriteTrouble> {
    if (this.#backend === undefined) return unavailable
    const missing = await this.#findNodes()
    if (missing !== undefined) return missing
    const cause = await soon(readCause(this.#db, this.#backend))
    const seconds = Math.floor(this.#failingForMs() / 1000)
    const reason = cause ?? 'PostgreSQL does not answer'
    return {
      status: 'writes hang',
      detail: `For ${seconds} seconds no test write was committed: ${reason}.`,
    }
  }
}

/** PostgreSQL needs this much to start. */
const walSegmentBytes = 16 * 1024 ** 2

const unavailable: WriteTrouble = {
  status: 'database unavailable',
  detail: 'PostgreSQL could not be reached, or closed the connection.',
}

const diskFull: WriteTrouble = {
  status: 'disk full',
  detail: 'The disk of PostgreSQL is full. It takes no writes until some space is free.',
}

/** Troubles that don't pass by themselves, by SQLSTATE. */
const lasting: Readonly<Record<string, WriteTrouble>> = {
  '53100': diskFull,
  '53300': {
    status: 'too many connections',
    detail:
      'PostgreSQL has no free connection for this server (max_connections, or a limit of its role or database).',
  },
}

function isTimeout(error: unknown): boolean {
  return error instanceof DatabaseFailure && (error.fault === 'busy' || error.fault === 'timed_out')
}

function troubleOf(error: unknown): WriteTrouble {
  const [fault, sqlState] = error instanceof DatabaseFailure ? [error.fault, error.sqlState] : ['mistake']
  const known = sqlState === undefined ? undefined : lasting[sqlState]
  const cause = error instanceof Error ? error.message : String(error)
  if (known !== undefined) return { ...known, cause }
  if (fault === 'lost') return unavailable
  if (fault === 'read_only')
    return {
      status: 'database read-only',
      detail: 'PostgreSQL takes no writes: it is a standby, or read-only.',
      cause,
    }
  return {
    status: 'writes fail',
    detail: 'PostgreSQL refused a test write; wheelhouse doctor shows why.',
    cause,
  }
}

/** The result, or undefined if it takes too long or fails. */
async function soon<T>(work: Promise<T> | undefined): Promise<T | undefined> {
  if (work === undefined) return undefined
  const waiting = new AbortController()
  const tooLate = sleep(writeProbeWaitMs, undefined, { signal: waiting.signal }).catch(() => undefined)
  return Promise.race([work.catch(() => undefined), tooLate]).finally(() => waiting.abort())
}

/** Tells what the backend, or another one that blocks it, waits for. */
async function readCause(db: Queryable, backend: number): Promise<string> {
  const [found] = await db.query(readWaits, [backend])
  if (found?.standby === true)
    return 'commits wait for the synchronous standby, and none confirms them (synchronous_standby_names)'
  if (found?.lock === true) return 'it waits for a lock of another session'
  return found?.io === true ? 'PostgreSQL waits for its disk' : 'the reason is not known'
}

const readBackend = statement<{ pid: number }>('select pg_backend_pid() as pid')

const readWaits = statement<{ standby: boolean | null; lock: boolean | null; io: boolean | null }>(`
select
  bool_or(wait_event = 'SyncRep') as standby,
  bool_or(wait_event_type = 'Lock') as lock,
  bool_or(wait_event_type in ('IO', 'LWLock')) as io
from pg_stat_activity
where pid = $1 or pid = any(pg_blocking_pids($1))`)
