import type pg from 'pg'

/** Where rows of players are: for each shard, the names of its tables on the machine that has them. */
export type ShardMap = ReadonlyMap<number, ShardTables>
export type ShardTables = {
  /** The number that Citus gave to this shard of `players`. A move to another machine does not change it. */
  anchor: number
  /** By the name of the whole table. Copied tables are among them. */
  names: ReadonlyMap<string, string>
}

/** Undefined on a database of one machine. */
export async function readShardMap(client: pg.ClientBase): Promise<ShardMap | undefined> {
  if (!(await isCluster(client))) return undefined
  const [anchors, shards] = [await client.query<Anchor>(readAnchors), await client.query<Shard>(readShards)]
  const byBound = Map.groupBy(shards.rows, ({ bound }) => bound)
  return new Map(
    anchors.rows.map(({ shard, bound }) => {
      const own = [...(byBound.get(bound) ?? []), ...(byBound.get(null) ?? [])]
      const anchor = Number(own.find(({ name }) => name === 'players')?.id)
      return [shard, { anchor, names: new Map(own.map(({ name, id }) => [name, `${name}_${id}`])) }]
    }),
  )
}

export async function isCluster(client: pg.ClientBase): Promise<boolean> {
  const { rowCount } = await client.query(`select where to_regclass('cluster_shards') is not null`)
  return rowCount === 1
}

type Anchor = { shard: number; bound: string }
/** A copied table has one shard, without bounds. */
type Shard = { name: string; id: string; bound: string | null }

const readAnchors = `
select shard, shardminvalue as bound
from (
  select shard, get_shard_id_for_distribution_column('players', shard) as shardid
  from cluster_shards
  offset 0
) as anchors
join pg_dist_shard using (shardid)`

// Tables that are placed together have shards with the same bounds.
const readShards = `
select logicalrelid::text as name, shardid as id, shardminvalue as bound
from pg_dist_shard
join pg_dist_partition using (logicalrelid)
where partmethod = 'h'
or (partmethod = 'n' and repmodel = 't')`
