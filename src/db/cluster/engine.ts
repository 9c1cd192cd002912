import assert from 'node:assert/strict'
import type pg from 'pg'
import { DatabaseFailure } from '../database-fault.ts'
import { type Connection, statement, type Statement } from '../statement.ts'
import { runOnShards } from './on-shard.ts'
import { readShardMap, type ShardMap } from './shard-map.ts'
import { renamed } from './shard-text.ts'
import { copiedTables, pageNumberByTime, usesShards } from './tables.ts'

/** Sends a statement on a connection. */
export type Send = <Row>(sql: Statement<Row>, values: readonly unknown[]) => Promise<Row[]>

/** One PostgreSQL, or a cluster of them by Citus. The first connection finds out. */
export class Engine {
  #map: ShardMap | undefined
  /** Statements for the coordinator, as this cluster gets them. */
  #forCoordinator = new WeakMap<object, Statement<unknown>>()
  #isKnown = false
  #isOutdated = false

  get isCluster(): boolean {
    return this.#map !== undefined
  }

  /** For a new connection. */
  async greet(client: pg.ClientBase, isPooled: boolean): Promise<void> {
    if (!this.#isKnown) this.#map = await readShardMap(client)
    this.#isKnown = true
    if (this.isCluster && !isPooled) await client.query(settings)
  }

  async send<Row>(
    client: pg.ClientBase,
    run: Send,
    sql: Statement<Row>,
    values: readonly unknown[],
  ): Promise<Row[]> {
    if (this.#map === undefined) return run(sql, values)
    if (sql.shards === undefined || sql.shards.length === 0)
      return run(this.#toCoordinator(this.#map, sql), values)
    try {
      return await runOnShards({ client, map: this.#map, run }, sql, values)
    } catch (error) {
      // Its rows have moved. If the shard was split, its tables have new names.
      if (error instanceof DatabaseFailure && error.isMoved) this.#isOutdated = true
      throw error
    }
  }

  #toCoordinator<Row>(map: ShardMap, sql: Statement<Row>): Statement<Row> {
    const known = this.#forCoordinator.get(sql)
    if (known !== undefined) return known as Statement<Row>
    const made = sql.shards === undefined ? byTime(sql) : onCopies(map, sql)
    this.#forCoordinator.set(sql, made)
    return made
  }

  /** After a migration, tables may be new. The next connection that is lent reads where they are. */
  forgetPlaces(): void {
    this.#isOutdated = this.isCluster
  }

  get isOutdated(): boolean {
    return this.#isOutdated
  }

  /** On a connection outside a transaction. */
  async refresh(client: pg.ClientBase): Promise<void> {
    try {
      this.#map = await readShardMap(client)
    } catch (error) {
      throw new DatabaseFailure(error)
    }
    this.#forCoordinator = new WeakMap()
    this.#isOutdated = false
  }

  /**
   * Citus makes a commit on two machines atomic only if it knows the tables on both, and it does not know those that
   * stay on the coordinator. So a transaction that writes to both also sends an update to a table that Citus knows.
   */
  inTransaction(connection: Connection): Connection {
    if (!this.isCluster) return connection
    let [hasPlayers, hasOthers] = [false, false]
    return {
      isCluster: true,
      query: (sql, values) => {
        const isSharded = (sql.shards?.length ?? 0) > 0
        if (isSharded || usesShards.test(sql.text)) hasPlayers = true
        // The text may also write to players' tables. Then the additional update is not needed, but costs little.
        if (!isSharded && writes.test(sql.text)) hasOthers = true
        return connection.query(sql, values)
      },
      commitOne: async (sql, values) => {
        if (!hasPlayers || !hasOthers) return connection.commitOne(sql, values)
        const both = [connection.query(commitOnAll), connection.commitOne(sql, values)] as const
        // After a failure of the first, the second one is a rollback.
        await Promise.allSettled(both)
        await both[0]
        return both[1]
      },
    }
  }
}

/** With the copies of tables that are on every machine. */
function onCopies<Row>(map: ShardMap, sql: Statement<Row>): Statement<Row> {
  const [any] = map.values()
  assert(any !== undefined)
  const copies = new Map([...any.names].filter(([name]) => copiedTables.includes(name)))
  return statement(renamed({ names: copies }, sql.text))
}

/** On a cluster, numbers of pages are times: see `distribute`. */
function byTime<Row>(sql: Statement<Row>): Statement<Row> {
  if (!sql.text.includes(drawPageNumber)) return sql
  return statement(sql.text.replaceAll(drawPageNumber, pageNumberByTime))
}

const drawPageNumber = `nextval('event_page_numbers')`

// A generic plan does not know the shard, and Citus refuses it. Statements on all shards are short: new connections to
// the workers, up to 16 for each, would take longer than to use one for all shards of a worker.
const settings = `
set plan_cache_mode = auto;
set citus.max_adaptive_executor_pool_size = 1`

const writes = /\b(insert into|update|delete from)\b/
const commitOnAll = statement('update cluster_shards set shard = shard where false')
