import { hash } from 'node:crypto'
import type { ShardColumns } from './cluster/split-by-shard.ts'

/** A statement with a fixed text. It is prepared once per connection and run with arrays of any length. */
export type Statement<Row> = {
  name: string
  text: string
  row?: Row
  /**
   * Of a statement on rows of players: the parameters that are rows. On a cluster it is run on their shards; with none,
   * on the coordinator.
   */
  shards?: readonly ShardColumns[]
}

export function statement<Row>(text: string, ...shards: ShardColumns[]): Statement<Row> {
  // Named by its text, so that two versions of the program never share a plan behind a pooler.
  return { name: hash('sha256', text).slice(0, 24), text, ...(shards.length > 0 ? { shards } : {}) }
}

/**
 * A statement on tables that are not of players, of a kind that Citus can't plan. On a cluster it reads the copies on
 * the coordinator, as ordinary tables. It must not write to them.
 */
export function localStatement<Row>(text: string): Statement<Row> {
  return { ...statement<Row>(text), shards: [] }
}

/** Runs statements: each on any connection of the pool, or all on the connection of one transaction. */
export type Queryable = {
  /** Whether rows of players are on several machines, so that they come in the order of their shards. */
  readonly isCluster?: boolean
  query<Row>(sql: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>
}

export type Connection = Queryable & {
  /** A statement that commits: `commit` itself, or a statement that is its own transaction. */
  commitOne<Row>(sql: Statement<Row>, values: readonly unknown[]): Promise<Row[]>
}
