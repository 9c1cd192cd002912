import { hash } from 'node:crypto'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { answerMarginMs, connectTimeoutMs, operationDeadlineMs, silenceCheckMs } from '../limits.ts'
import { Refusal } from '../refusals.ts'
import { DatabaseFailure } from './database-fault.ts'
import type { DatabaseTarget } from './database-url.ts'
import { toParameter, types } from './parameters.ts'

/** A statement with a fixed text: prepared once per connection, run with arrays of any length. */
export type Statement<Row> = { name: string; text: string; row?: Row }

export function statement<Row>(text: string): Statement<Row> {
  // Named after its text, so that two versions of the program never share a plan behind a pooler.
  return { name: hash('sha256', text).slice(0, 24), text }
}

/** Runs statements: on a connection of its own for each, or all on the connection of one transaction. */
export type Queryable = {
  query<Row>(sql: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>
}

export type Transaction = Queryable & {
  /**
   * Ends the transaction early, so that its last statements, which were sent without waiting, and the commit are one round
   * trip. If one of them has failed, in the database or on the way there, nothing is committed.
   */
  commitWith(last: readonly (Promise<unknown> | undefined)[]): Promise<void>
}

export type DatabaseOptions = {
  targets: readonly DatabaseTarget[]
  poolMax: number
  /** Behind a pooler in transaction mode nothing may stay on a connection: no prepared statements, no settings. */
  pooler: boolean
  statementTimeoutMs: number
  lockTimeoutMs: number
  idleInTransactionTimeoutMs: number
  applicationName: string
  onConnectionError: (error: Error) => void
}

/** The pool of connections to the one PostgreSQL that takes writes. */
export class Database implements Queryable {
  readonly #pool: pg.Pool
  readonly #named: boolean
  readonly #answerTimeoutMs: number
  readonly #lent = new Set<LentConnection>()
  readonly #watch: NodeJS.Timeout
  #preferred = 0

  constructor(options: DatabaseOptions) {
    const preferredTarget = () => options.targets[this.#preferred % options.targets.length]
    class TargetClient extends pg.Client {
      constructor(config: pg.ClientConfig) {
        super({ ...config, ...clientConfig(options), ...preferredTarget() } as pg.ClientConfig)
        // It may die between two queries, or in the moment in which it is lent; the next query then fails, and says so.
        this.on('error', () => undefined)
      }
    }
    this.#named = !options.pooler
    // The server itself gives up sooner. Who stays silent longer is gone without a word, and so must its connection be.
    this.#answerTimeoutMs = options.statementTimeoutMs + answerMarginMs
    this.#pool = new pg.Pool({
      Client: TargetClient as never,
      max: options.poolMax,
      connectionTimeoutMillis: connectTimeoutMs,
      idleTimeoutMillis: 60_000,
      // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, though its types don't say so
      ...(options.targets.length > 1 ? { onConnect: refuseStandby } : {}),
    })
    this.#pool.on('error', options.onConnectionError)
    this.#watch = setInterval(() => this.#dropSilent(), silenceCheckMs).unref()
  }

  /** Whether statements are planned as `pinned` says. */
  get hasPinnedPlans(): boolean {
    return this.#named
  }

  get connectionsOpen(): number {
    return this.#pool.totalCount
  }

  get connectionsWaitedFor(): number {
    return this.#pool.waitingCount
  }

  async query<Row>(sql: Statement<Row>, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#withConnection(this.#answerTimeoutMs, (connection) => connection.query(sql, values))
  }

  /** Work on one connection, each statement a transaction by itself. What is sent without waiting travels in one round trip. */
  async session<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#withConnection(this.#answerTimeoutMs, work)
  }

  /** Lends a connection, and throws it away if it failed. */
  async #withConnection<T>(
    answerTimeoutMs: number | undefined,
    use: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    const tried = this.#preferred
    const client = await this.#pool.connect().catch((error: unknown) => {
      // Of many that fail at once on one host, only the first moves on; two steps could lead back to it.
      if (this.#preferred === tried) this.#preferred++
      throw new DatabaseFailure(error)
    })
    let broken = false
    const lent = { client, named: this.#named, answerTimeoutMs, answersDue: 0, heardAt: 0 }
    this.#lent.add(lent)
    try {
      return await use({
        query: (sql, values = []) => run(lent, sql, values),
        commitOne: (sql, values) => withoutWarning(client, () => run(lent, sql, values)),
      })
    } catch (error) {
      broken = error instanceof DatabaseFailure && error.breaksConnection
      throw error
    } finally {
      this.#lent.delete(lent)
      client.release(broken)
    }
  }

  /** One attempt at a transaction. Statements that `work` sends without waiting travel in one round trip. */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#transact(this.#answerTimeoutMs, work)
  }

  /** For work over whole tables: without a time limit, and with the planner's full choice. */
  async longTransaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    return this.#transact(undefined, async (tx) => {
      await tx.query(unbind)
      return work(tx)
    })
  }

  async #transact<T>(answerTimeoutMs: number | undefined, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#withConnection(answerTimeoutMs, async (connection) => {
      let isEnding = false
      const commitWith: Transaction['commitWith'] = async (last) => {
        isEnding = true
        let hasFailed = false
        for (const one of last) one?.catch(() => (hasFailed = true))
        const ended = new Promise<void>((resolve, reject) => {
          const end = async () => {
            if (!hasFailed) await connection.commitOne(commit, [])
          }
          afterThisTurn(() => void end().then(resolve, reject))
        })
        await allInOrder([...last, ended])
      }
      const begun = connection.query(begin)
      try {
        const [, result] = await allInOrder([begun, work({ ...connection, commitWith })])
        if (!isEnding) await connection.commitOne(commit, [])
        return result
      } catch (error) {
        if (!(error instanceof DatabaseFailure && error.breaksConnection)) await connection.query(rollback)
        throw error
      }
    })
  }

  async close(): Promise<void> {
    await this.#pool.end()
    clearInterval(this.#watch)
  }

  /** The driver would do this with a timer for each statement, which took a tenth of the time of a shared transaction. */
  #dropSilent(): void {
    const now = performance.now()
    for (const { client, answerTimeoutMs = Infinity, answersDue, heardAt } of this.#lent) {
      const isSilent = answersDue > 0 && now - heardAt > answerTimeoutMs
      if (isSilent) streamOf(client).destroy(new Error(`no answer within ${answerTimeoutMs} ms`))
    }
  }
}

export type Connection = Queryable & {
  /** A statement after which something is committed, be it `commit` or one that is a transaction by itself. */
  commitOne<Row>(sql: Statement<Row>, values: readonly unknown[]): Promise<Row[]>
}

/** A connection that somebody uses. `heardAt`: the last answer, or when the first that is due was asked for. */
type LentConnection = {
  client: pg.PoolClient
  named: boolean
  answerTimeoutMs: number | undefined
  answersDue: number
  heardAt: number
}

/**
 * Our statements find rows by their full keys, with arrays of any length, in tables that grow from nothing. A plan made
 * while they were empty reads them whole later on: 800 grants a second instead of many thousands. So the plans are
 * pinned: always by index, row by row, and made once.
 */
const pinned = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
}
const unbind = statement(`
set local statement_timeout = 0;
set local enable_seqscan = on;
set local enable_hashjoin = on;
set local enable_mergejoin = on;
set local plan_cache_mode = auto`)
const begin = statement('begin')
const commit = statement('commit')
const rollback = statement('rollback')

/**
 * Does keyed work, again and again until it is done or `operationDeadlineMs` is over. A connection that dies during
 * commit leaves the outcome unknown; because the work is keyed, doing it again finds what was done.
 */
export async function untilDone<T>(work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + operationDeadlineMs
  for (let attempt = 1; ; attempt++) {
    try {
      return await within(deadline - performance.now(), work())
    } catch (error) {
      if (!(error instanceof DatabaseFailure && error.isPassing)) throw error
      const pauseMs = Math.min(10 * 2 ** attempt, 500) * (0.5 + Math.random() / 2)
      if (performance.now() + pauseMs > deadline) throw unavailable(error)
      await sleep(pauseMs)
    }
  }
}

/** Stops waiting, not working: a commit is never cancelled, and whoever asks again with the key learns what became of it. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable(new Error('the deadline has passed'))), milliseconds)
  })
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timer))
}

function unavailable(cause: unknown): Refusal {
  return new Refusal('database_unavailable', { cause })
}

/** Waits for all, so that none is left behind, then throws the first failure in the order given: the cause of the rest. */
export async function allInOrder<T extends readonly unknown[]>(
  promises: [...T],
): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(promises)
  for (const result of settled) if (result.status === 'rejected') throw result.reason
  return settled.map((result) => (result as PromiseFulfilledResult<unknown>).value) as never
}

async function run<Row>(
  lent: LentConnection,
  sql: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  const { client, named } = lent
  if (lent.answersDue++ === 0) lent.heardAt = performance.now()
  holdUntilEndOfTurn(client)
  return new Promise((resolve, reject) => {
    // Made of a text: a description would be copied first, property by property.
    const query: pg.Query & { name?: string } = new pg.Query(
      sql.text,
      values.map(toParameter),
      (error, result) => {
        lent.answersDue--
        lent.heardAt = performance.now()
        if (error === null || error === undefined) resolve(result.rows as Row[])
        else reject(new DatabaseFailure(error))
      },
    )
    if (named && values.length > 0) query.name = sql.name
    client.query(query)
  })
}

/**
 * A commit that comes with a warning has not waited for the standby to the end, because somebody cancelled that: it is
 * done on this machine, and perhaps on no other. That is as good as a lost connection. Work that is done again by its key
 * finds what was done, and its own commit waits for the standby too.
 */
async function withoutWarning<T>(client: pg.PoolClient, send: () => Promise<T>): Promise<T> {
  let warning: string | undefined
  const listen = (notice: { code?: string | undefined; message?: string | undefined }) => {
    if (notice.code !== '00000') warning ??= notice.message ?? 'a warning'
  }
  client.on('notice', listen)
  const result = await send().finally(() => client.off('notice', listen))
  if (warning !== undefined) throw new DatabaseFailure(new Error(warning))
  return result
}

/** By then, whatever failed before it could be sent has been seen to fail: in a promise, or in a tick of the driver's. */
function afterThisTurn(work: () => void): void {
  process.nextTick(() => queueMicrotask(() => process.nextTick(work)))
}

/**
 * What is sent within one turn of the event loop leaves in one piece: one system call here, and one wake-up there. The last
 * tick is for a commit, which waits for the others.
 */
function holdUntilEndOfTurn(client: pg.PoolClient): void {
  const stream = streamOf(client)
  if (stream.writableCorked > 0) return
  stream.cork()
  afterThisTurn(() => process.nextTick(() => stream.uncork()))
}

export function streamOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}

/** A list of hosts may lead to a standby, which takes no writes. To fail here makes the next attempt try the next host. */
async function refuseStandby(client: pg.ClientBase): Promise<void> {
  const answer = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
  if (answer.rows[0]?.transaction_read_only === 'on') throw new Error('the server takes no writes')
}

function clientConfig(options: DatabaseOptions) {
  return {
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
}
