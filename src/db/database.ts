import type { Socket } from 'node:net'
import pg from 'pg'
import { answerMarginMs, databaseDeadlines, silenceCheckMs } from '../limits.ts'
import { allInOrder } from './all-in-order.ts'
import { clientConfig, type ConnectionOptions } from './client-config.ts'
import { Engine, type Send } from './cluster/engine.ts'
import { DatabaseFailure } from './database-fault.ts'
import type { DatabaseTarget } from '../settings/database-url.ts'
import { toParameter } from './parameters.ts'
import { PrimaryHost, refuseStandby } from './primary-host.ts'
import { type Connection, localStatement, type Queryable, statement, type Statement } from './statement.ts'
import { untilDone } from './until-done.ts'

export { allInOrder, type Connection, localStatement, type Queryable, statement, type Statement, untilDone }

export type Transaction = Queryable & {
  /**
   * Commits together with the last statements, which were sent without waiting, in one round trip. If one of them
   * failed, in the database or before it was sent, nothing is committed.
   */
  commitWith(last: readonly (Promise<unknown> | undefined)[]): Promise<void>
}

export type DatabaseOptions = ConnectionOptions & {
  targets: readonly DatabaseTarget[]
  poolMax: number
  onConnectionError: (error: Error) => void
}

/** The pool of connections to the one PostgreSQL that takes writes. */
export class Database implements Queryable {
  readonly #pool: pg.Pool
  readonly #named: boolean
  readonly #answerTimeoutMs: number
  readonly #lent = new Set<LentConnection>()
  readonly #loans = new WeakMap<object, Loan>()
  readonly #watch: NodeJS.Timeout
  readonly #primary: PrimaryHost
  readonly #targetOf = new WeakMap<pg.ClientBase, DatabaseTarget>()
  readonly #engine = new Engine()

  constructor(options: DatabaseOptions) {
    const ownConfig = clientConfig(options)
    const primary = new PrimaryHost(options.targets, ownConfig)
    const targetOf = this.#targetOf
    class TargetClient extends pg.Client {
      constructor(config: pg.ClientConfig) {
        super({ ...config, ...ownConfig, ...primary.current })
        targetOf.set(this, primary.current)
        // The connection may die between two queries, or while it is checked out; the next query reports it.
        this.on('error', () => undefined)
        // On a cluster, a batch commits on each shard, all at once.
        this.setMaxListeners(0)
      }
    }
    this.#primary = primary
    this.#named = !options.pooler
    // PostgreSQL itself times out sooner. If it stays silent for longer, it is gone, and the connection must be
    // dropped.
    this.#answerTimeoutMs = options.statementTimeoutMs + answerMarginMs
    this.#pool = new pg.Pool({
      Client: TargetClient as never,
      max: options.poolMax,
      connectionTimeoutMillis: databaseDeadlines.connectMs,
      idleTimeoutMillis: 60_000,
      // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, though its types don't say so
      onConnect: async (client) => {
        if (options.targets.length > 1) await refuseStandby(client)
        await this.#engine.greet(client, options.pooler)
      },
    })
    this.#pool.on('error', options.onConnectionError)
    this.#watch = setInterval(() => this.#dropSilent(), silenceCheckMs).unref()
  }

  /** Whether the planner's settings of `clientConfig` apply. */
  get hasPinnedPlans(): boolean {
    return this.#named
  }

  /** Whether the rows of players are spread over several machines. Known from the first connection on. */
  get isCluster(): boolean {
    return this.#engine.isCluster
  }

  /** Reads again where the tables of players are, before the next statement. */
  forgetPlaces(): void {
    this.#engine.forgetPlaces()
  }

  get connectionsMax(): number {
    return this.#pool.options.max
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

  /**
   * Runs work on one connection, each statement in its own transaction. Statements sent without waiting share a round
   * trip. Work of the same pipeline shares a connection, so PostgreSQL carries it out one after another, without
   * waiting for us.
   */
  async session<T>(work: (connection: Connection) => Promise<T>, pipeline?: object): Promise<T> {
    return this.#withConnection(this.#answerTimeoutMs, work, pipeline)
  }

  /** Checks out a connection, and closes it if it failed. */
  async #withConnection<T>(
    answerTimeoutMs: number | undefined,
    use: (connection: Connection) => Promise<T>,
    pipeline?: object,
  ): Promise<T> {
    const loan = this.#borrow(answerTimeoutMs, pipeline)
    loan.users++
    try {
      const lent = await loan.lent
      const { client } = lent
      if (this.#engine.isOutdated) await this.#engine.refresh(client)
      const send: Send = (sql, values) =>
        this.#engine.send(client, (one, own) => run(lent, one, own), sql, values)
      return await use({
        isCluster: this.isCluster,
        query: (sql, values = []) => send(sql, values),
        commitOne: (sql, values) => withoutWarning(client, () => send(sql, values)),
      })
    } catch (error) {
      if (error instanceof DatabaseFailure && error.breaksConnection) {
        loan.isBroken = true
        this.#primary.doubt()
      }
      throw error
    } finally {
      if (--loan.users === 0) await this.#giveBack(loan, pipeline)
    }
  }

  #borrow(answerTimeoutMs: number | undefined, pipeline: object | undefined): Loan {
    const shared = pipeline && this.#loans.get(pipeline)
    if (shared !== undefined && !shared.isBroken) return shared
    const lent = this.#connect().then((client) => {
      const made = { client, named: this.#named, answerTimeoutMs, answersDue: 0, heardAt: 0 }
      this.#lent.add(made)
      return made
    })
    const loan: Loan = { lent, users: 0, isBroken: false }
    if (pipeline !== undefined) this.#loans.set(pipeline, loan)
    return loan
  }

  async #giveBack(loan: Loan, pipeline: object | undefined): Promise<void> {
    if (pipeline !== undefined && this.#loans.get(pipeline) === loan) this.#loans.delete(pipeline)
    const lent = await loan.lent.catch(() => undefined)
    if (lent === undefined) return
    this.#lent.delete(lent)
    lent.client.release(loan.isBroken)
  }

  /** A connection to the host that takes writes. Those to a host that was replaced are closed. */
  async #connect(): Promise<pg.PoolClient> {
    for (;;) {
      if (this.#primary.isInDoubt) {
        await this.#primary.find()
        this.#dropReplaced()
      }
      const client = await this.#pool.connect().catch((error: unknown) => {
        this.#primary.doubt()
        throw new DatabaseFailure(error)
      })
      if (this.#targetOf.get(client) === this.#primary.current) return client
      client.release(true)
    }
  }

  /** One attempt at a transaction. Statements that `work` sends without waiting share a round trip. */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#transact(this.#answerTimeoutMs, work)
  }

  /** For work over whole tables: no time limit, and all plans allowed. */
  async longTransaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    return this.#transact(undefined, async (tx) => {
      await tx.query(unbind)
      return work(tx)
    })
  }

  async #transact<T>(answerTimeoutMs: number | undefined, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#withConnection(answerTimeoutMs, async (pooled) => {
      const connection = this.#engine.inTransaction(pooled)
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

  /** Waits for connections in use, but not for a commit that hangs. */
  async close(): Promise<void> {
    const giveUp = setTimeout(() => {
      for (const { client } of this.#lent) streamOf(client).destroy(new Error('the database is being closed'))
    }, this.#answerTimeoutMs)
    await this.#pool.end()
    clearTimeout(giveUp)
    clearInterval(this.#watch)
  }

  /** Commits may hang for ever on a host that was replaced. */
  #dropReplaced(): void {
    for (const { client } of this.#lent)
      if (this.#targetOf.get(client) !== this.#primary.current)
        streamOf(client).destroy(new Error('another host has become the primary'))
  }

  /** Closes connections whose answer is overdue. The driver's timer per statement took a tenth of a batch's time. */
  #dropSilent(): void {
    const now = performance.now()
    for (const { client, answerTimeoutMs = Infinity, answersDue, heardAt } of this.#lent) {
      const isSilent = answersDue > 0 && now - heardAt > answerTimeoutMs
      if (isSilent) streamOf(client).destroy(new Error(`no answer within ${answerTimeoutMs} ms`))
    }
  }
}

/** A checked-out connection. `heardAt`: when the last answer came, or when the oldest pending one was requested. */
type LentConnection = {
  client: pg.PoolClient
  named: boolean
  answerTimeoutMs: number | undefined
  answersDue: number
  heardAt: number
}

/** A connection and how many use it. */
type Loan = { lent: Promise<LentConnection>; users: number; isBroken: boolean }

const unbind = statement(`
set local statement_timeout = 0;
set local enable_seqscan = on;
set local enable_hashjoin = on;
set local enable_mergejoin = on;
set local plan_cache_mode = auto`)
const begin = statement('begin')
const commit = statement('commit')
const rollback = statement('rollback')

async function run<Row>(
  lent: LentConnection,
  sql: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  const { client, named } = lent
  if (lent.answersDue++ === 0) lent.heardAt = performance.now()
  holdUntilEndOfTurn(client)
  return new Promise((resolve, reject) => {
    // Constructed from a text: the driver would copy a config object property by property.
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
 * A commit with a warning did not wait for the synchronous standby, because the wait was cancelled: it is durable on
 * this machine only. We treat it like a lost connection. The retry finds the work by its key, and its own commit waits
 * for the standby.
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

/** Runs after every failure to send has been reported, whether by a promise or in a tick of the driver. */
function afterThisTurn(work: () => void): void {
  process.nextTick(() => queueMicrotask(() => process.nextTick(work)))
}

/**
 * Everything sent within one event-loop turn becomes one write: one system call here, one wake-up there. The last tick
 * leaves time for a commit, which waits for the others.
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
