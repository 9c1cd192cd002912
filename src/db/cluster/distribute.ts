import assert from 'node:assert/strict'
import { type Database, type Queryable, statement } from '../database.ts'
import { checkNodes, refuseOthers } from './check-nodes.ts'
import { numberForCluster, skipUsedNumbers } from './numbers.ts'
import { isSpread, spread } from './spread-table.ts'
import { repeatGrants } from './table-grants.ts'
import { copiedTables, shardedTables } from './tables.ts'

/**
 * Spreads the tables of players over the workers of a Citus cluster. Every step skips what is done, so that it can be
 * repeated. `cluster_shards`, by which servers recognise a cluster, comes last. A cluster that is complete only gets
 * its privileges again.
 */
export async function distribute(
  db: Database,
  shards: readonly number[],
  onTable: (table: string) => void,
): Promise<void> {
  await checkNodes(db)
  if (db.isCluster) return db.longTransaction(repeatGrants)
  await refuseOthers(db)
  await db.longTransaction(numberForCluster)
  for (const table of [...copiedTables, ...shardedTables]) await once(db, table, shards.length, onTable)
  await skipUsedNumbers(db)
  await db.longTransaction(async (tx) => {
    await tx.query(createProbe)
    await tx.query(createShards)
    await tx.query(insertShards, [shards])
    await tx.query(createFunction)
  })
  await checkPlaces(db, shards.length)
}

async function once(
  db: Database,
  table: string,
  shardCount: number,
  onTable: (table: string) => void,
): Promise<void> {
  if (await db.longTransaction((tx) => isSpread(tx, table))) return
  await refuseOthers(db)
  await db.longTransaction((tx) => spread(tx, table, shardCount))
  onTable(table)
}

/** Two values in one shard would hide each other's tables. */
async function checkPlaces(db: Queryable, shardCount: number): Promise<void> {
  const [places] = await db.query(countPlaces)
  assert.equal(places?.count, shardCount, 'the shards of players are not one for each value')
}

// For `noteWrite`: a write to it is a write on every machine. Without a key, Citus could not copy it to a new one.
const createProbe = statement(`
create table if not exists cluster_probe (place int primary key, probed_at timestamptz not null);
select create_reference_table('cluster_probe')
where not exists (
  select
  from pg_dist_partition
  where logicalrelid = 'cluster_probe'::regclass
);
insert into cluster_probe (place, probed_at)
select 1, now()
where not exists (
  select
  from cluster_probe
)`)

// Citus knows this table, which stays on the coordinator: see the engine.
const createShards = statement(`
create table if not exists cluster_shards (shard int primary key);
select citus_add_local_table_to_metadata('cluster_shards')
where not exists (
  select
  from pg_dist_partition
  where logicalrelid = 'cluster_shards'::regclass
)`)

const insertShards = statement(`
insert into cluster_shards (shard)
select unnest($1::int[])
on conflict do nothing`)

/**
 * Runs a statement on the tables of one shard, on the machine that has them. The lock is the one that Citus' own writes
 * take: a shard that is being moved is waited for, and after that it is found elsewhere. Plans are pinned as on a
 * connection of ours; settings of the coordinator's connection don't reach the workers.
 */
const createFunction = statement(`
create or replace function on_shard(
  p_shard int, p_anchor bigint, p_has_rows boolean, p_name text, p_prepared text, p_text text
)
returns text[]
language plpgsql
volatile
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
set plan_cache_mode = force_generic_plan
as $$
declare
  found_row record;
  found_rows text[] := '{}';
begin
  perform lock_shard_metadata(5, array[p_anchor]);
  perform
  from pg_dist_placement
  join pg_dist_local_group using (groupid)
  where shardid = p_anchor;
  if not found then
    raise exception 'shard % is on another machine now', p_shard using errcode = '40001';
  end if;
  if p_name is not null and current_setting('wheelhouse.' || p_name, true) is distinct from 'prepared' then
    perform
    from pg_prepared_statements
    where name = p_name;
    if not found then
      execute format('prepare %I as %s', p_name, p_prepared);
    end if;
    perform set_config('wheelhouse.' || p_name, 'prepared', false);
  end if;
  if not p_has_rows then
    execute p_text;
    return found_rows;
  end if;
  for found_row in execute p_text loop
    found_rows := found_rows || found_row::text;
  end loop;
  return found_rows;
end
$$;
select create_distributed_function(
  'on_shard(int, bigint, boolean, text, text, text)', 'p_shard', colocate_with := 'players', force_delegation := true
)`)

const countPlaces = statement<{ count: number }>(`
select count(distinct get_shard_id_for_distribution_column('players', shard))::int as count
from cluster_shards`)
