// `wheelhouse distribute` and its undo, on databases of their own. They run by `npm run test:cluster`.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { describe, test } from 'node:test'
import { auditLedger } from '../../src/integrity/audit.ts'
import { shardedTables } from '../../src/db/cluster/tables.ts'
import { type Database, type Queryable, statement } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { readMigrations } from '../../src/db/migrations.ts'
import type { DatabaseTarget } from '../../src/settings/database-url.ts'
import {
  type ClusterDatabase,
  command,
  commandKilledAt,
  makeClusterDatabase,
  nodeAt,
  skipsCluster,
} from './cluster-scene.ts'
import { atNode } from '../scenes/database-nodes.ts'
import { makeMerchant, makeServer, openTestDatabase, post, runCli, times, until } from '../scenes/scene.ts'

describe('a cluster in operation', { skip: skipsCluster }, () => {
  test('a database with data is distributed and brought back, by a plain role, with interruptions', async (t) => {
    const cluster = await makeClusterDatabase(t)
    await fill(cluster)
    const before = await holdings(cluster)
    const schema = await schemaOf(cluster)

    await refusedWhileServed(cluster)
    await commandKilledAt(cluster, 'Distributed ledger_entries.', 'distribute')
    await refused(cluster, /^wheelhouse: The tables are between one machine and a cluster\./, 'audit')
    await refused(cluster, /^wheelhouse: The tables are between one machine and a cluster\./, 'serve')
    assert.match(
      await command(cluster, 'distribute'),
      /^Distributed plays\.\n.*\nAll tables are distributed\.$/s,
    )
    assert.equal(await command(cluster, 'distribute'), 'All tables are distributed.')
    assert.deepEqual(await holdings(cluster), before)
    await grantsToNewPlayers(cluster, 'first')
    await ownRoleCannotEdit(cluster)
    await refused(cluster, /^wheelhouse: A Citus cluster is backed up with/, 'backup', '--to', tmpdir())
    await refusedWhileServed(cluster, '--undo')

    const changed = await holdings(cluster)
    await commandKilledAt(cluster, 'Brought back ledger_entries.', 'distribute', '--undo')
    await refused(cluster, /^wheelhouse: The tables are between one machine and a cluster\./, 'audit')
    assert.match(
      await command(cluster, 'distribute', '--undo'),
      /players\.\n.*\nAll tables are on one machine\.$/s,
    )
    assert.equal(await command(cluster, 'distribute', '--undo'), 'All tables are on one machine.')
    assert.deepEqual(await holdings(cluster), changed)
    assert.deepEqual(await schemaOf(cluster), schema)
    await grantsToNewPlayers(cluster, 'second')

    // Half undone and then distributed again: the workers skip the numbers which they gave before.
    await command(cluster, 'distribute')
    await commandKilledAt(cluster, 'Brought back ledger_entries.', 'distribute', '--undo')
    await command(cluster, 'distribute')
    await grantsToNewPlayers(cluster, 'third')
    await playerNumbersAreUnique(cluster)

    await migratesAfterDistribution(cluster)
    await command(cluster, 'distribute', '--undo')
    await grantsToNewPlayers(cluster, 'fourth')
  })

  const third = process.env.TEST_CLUSTER_THIRD
  const skip =
    third === undefined && 'TEST_CLUSTER_THIRD does not name another worker (host:port) to move shards to'
  test('shards are moved to a third worker under load: nothing is lost or doubled', { skip }, async (t) => {
    const cluster = await makeClusterDatabase(t, third)
    await fill(cluster)
    await command(cluster, 'distribute')
    const db = openTestDatabase(t, cluster.target)
    const { url } = await makeServer(t, { database: { target: cluster.target, db } })
    const { token } = await makeMerchant(db)
    const load = startLoad(url, token)
    await until(() => load.acknowledged.length > 200)
    const before = load.acknowledged.length
    await moveShards(cluster, third as string)
    await until(() => load.acknowledged.length > before + 200)
    await load.stop()
    const entries = await db.longTransaction((tx) => tx.query(readKeys))
    assert.deepEqual(entries.map(({ key }) => key).toSorted(), load.acknowledged.toSorted())
    assert.deepEqual((await auditLedger(db)).findings, [])
    await command(cluster, 'distribute')
    await ownRoleCannotEdit(cluster)
  })
})

/** Grants and links by eight clients. A request without an answer is repeated with its key, until acknowledged. */
function startLoad(url: string, token: string): { acknowledged: string[]; stop: () => Promise<void> } {
  const acknowledged: string[] = []
  const stopping = new AbortController()
  const client = async (place: number) => {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      const key = `moved-${place}-${turn}`
      const playerId = `p${(place * 37 + turn) % 200}`
      const grant = () =>
        post(`${url}/api/player/increaseSpin`, token, { playerId, spinNumber: 1 }, { 'Idempotency-Key': key })
      while ((await grant()).status !== 200);
      acknowledged.push(key)
      if (turn % 4 === 0) await post(`${url}/api/game/sso`, token, { playerId })
    }
  }
  const clients = times(8, client)
  const stop = async () => {
    stopping.abort()
    await Promise.all(clients)
  }
  return { acknowledged, stop }
}

async function moveShards({ nodes, target }: ClusterDatabase, third: string): Promise<void> {
  const { host, port } = nodeAt(third)
  await atNode(nodes[0] as DatabaseTarget, target.database, async (client) => {
    await client.query('select citus_add_node($1, $2)', [host, port])
    await client.query('select citus_rebalance_start()')
    await client.query('select citus_rebalance_wait()')
    const { rowCount } = await client.query(
      `select from citus_shards where table_name = 'players'::regclass and nodename = $1 and nodeport = $2`,
      [host, port],
    )
    assert((rowCount ?? 0) > 15, `${rowCount} shards were moved`)
  })
}

const readKeys = statement<{ key: string }>(`
select key
from ledger_entries
where key like 'moved-%'`)

/** Players with grants, plays, prizes and events. */
async function fill(cluster: ClusterDatabase): Promise<void> {
  await command(cluster, 'migrate')
  await command(cluster, 'merchant', 'create', 'demo')
  await command(cluster, 'keys', 'rotate')
  await command(cluster, 'keys', 'rotate', '--seeds')
  await command(cluster, 'demo', 'demo', '--players', '30', '--days', '4')
}

async function refused({ env }: ClusterDatabase, message: RegExp, ...args: string[]): Promise<void> {
  const run = await runCli(args, env)
  assert.equal(run.code, 1, run.stdout)
  assert.match(run.stderr, message)
}

async function refusedWhileServed(cluster: ClusterDatabase, ...options: string[]): Promise<void> {
  await withDatabase(cluster, async (db) => {
    await db.query(statement('select'))
    await refused(
      cluster,
      /^wheelhouse: A Wheelhouse server or command uses this database\. Stop all of them/,
      'distribute',
      ...options,
    )
  })
}

/** What must be the same before and after. The audit must be clean. */
async function holdings(cluster: ClusterDatabase): Promise<unknown> {
  return withDatabase(cluster, async (db) => {
    const { players, entries, findings } = await auditLedger(db)
    assert.deepEqual(findings, [])
    const rows = await db.longTransaction((tx) => Promise.all(sums.map((sum) => tx.query(statement(sum)))))
    return { players, entries, rows }
  })
}

const sums = [
  'select count(*), sum(balance) as balance, sum(play_count) as plays, sum(entry_count) as entries from players',
  'select count(*), sum(amount) as amount, sum(balance_after) as after from ledger_entries',
  'select count(*), sum(segment) as segments, count(*) filter (where won) as won from plays',
  'select count(*), sum(event_count) as events, max(first_seq) as last from event_pages',
  'select count(*), sum(given) as given from prize_stocks',
  'select count(*) from player_prizes',
  'select count(*) from ledger_seal_parts',
  'select count(*) from merchants',
]

async function grantsToNewPlayers(cluster: ClusterDatabase, name: string): Promise<void> {
  await withDatabase(cluster, async (db, t) => {
    const { url } = await makeServer(t, { database: { target: cluster.target, db } })
    const { token } = await makeMerchant(db)
    const answers = await Promise.all(
      times(60, (index) =>
        post(`${url}/api/player/increaseSpin`, token, { playerId: `${name}-${index}`, spinNumber: 2 }),
      ),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      times(60, () => 200),
    )
    assert.deepEqual((await auditLedger(db)).findings, [])
  })
}

/** The ledger's privileges hold on the shards too, which are ordinary tables on the workers. */
async function ownRoleCannotEdit(cluster: ClusterDatabase): Promise<void> {
  await withDatabase(cluster, async (db) => {
    for (const text of ['update ledger_entries set amount = 0', 'delete from plays'])
      await assert.rejects(db.query(statement(text)), /permission denied/)
    const editable = await db.query(findEditableShards)
    assert.deepEqual(editable, [])
  })
}

async function playerNumbersAreUnique(cluster: ClusterDatabase): Promise<void> {
  await withDatabase(cluster, async (db) => {
    const [row] = await db.longTransaction((tx) => tx.query(countNumbers))
    assert.equal(row?.numbers, row?.players)
  })
}

/** Migrations of a later version, which are applied to tables that are distributed already. */
async function migratesAfterDistribution(cluster: ClusterDatabase): Promise<void> {
  const known = readMigrations()
  const newest = known.at(-1)?.version ?? 0
  const texts = [
    `alter table players add column nickname text; -- a comment; with a semicolon
     create index players_by_nickname on players (nickname);`,
    `create table player_marks (
       shard int not null,
       player_no bigint not null,
       mark text not null default ';',
       primary key (shard, player_no)
     );
     revoke update on player_marks from current_user;
     create table house_notes (
       note_no int generated always as identity primary key,
       merchant_id int not null references merchants
     );`,
    `create function doubled(given int) returns int language plpgsql as $$ begin return given * 2; end $$;`,
  ]
  const added = texts.map((text, index) => {
    const version = newest + index + 1
    return { version, name: `${version}-later.sql`, text, sha256: `of ${version}` }
  })
  shardedTables.push('player_marks')
  await withDatabase(cluster, async (db) => {
    assert.deepEqual(
      await migrate(db, { migrations: [...known, ...added] }),
      added.map(({ name }) => name),
    )
    assert.deepEqual(await migrate(db, { migrations: [...known, ...added] }), [])
    // The same process finds the new table, whose rows are on the workers.
    for (const shard of [3, 7]) {
      await db.query(insertMark, [shard, 1])
      assert.deepEqual(await db.query(readMark, [shard, 1]), [{ mark: ';', doubled: 2 }])
    }
    await assert.rejects(db.query(changeMark, [3, 1]), /permission denied/)
    await db.query(statement(`update players set nickname = 'x' where shard = $1`, [1, 1]), [3])
    await db.query(statement('delete from schema_migrations where version > $1'), [newest])
  })
  shardedTables.pop()
}

const insertMark = statement('insert into player_marks (shard, player_no) values ($1, $2)', [1, 2])
const readMark = statement(
  'select mark, doubled(player_no::int) from player_marks where shard = $1 and player_no = $2',
  [1, 2],
)
const changeMark = statement(`update player_marks set mark = '' where shard = $1 and player_no = $2`, [1, 2])

/** Opened and closed, so that commands find no other process. */
async function withDatabase<T>(
  { target }: ClusterDatabase,
  work: (db: Database, t: { after: (end: () => unknown) => void }) => Promise<T>,
): Promise<T> {
  const ends: (() => unknown)[] = []
  const t = { after: (end: () => unknown) => void ends.push(end) }
  try {
    return await work(openTestDatabase(t, target, { applicationName: 'wheelhouse' }), t)
  } finally {
    for (const end of ends) await end()
  }
}

async function schemaOf(cluster: ClusterDatabase): Promise<Record<string, unknown[]>> {
  return withDatabase(cluster, async (db: Queryable) => {
    const schema: Record<string, unknown[]> = {}
    for (const [name, text] of Object.entries(schemaTexts)) schema[name] = await db.query(statement(text))
    return schema
  })
}

// Servers add partitions of events meanwhile.
const isAdded = "~ '^event_pages_[0-9]{8}$'"
const ownTables = `relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relname ${isAdded}`
const schemaTexts = {
  columns: `
    select relname, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
      case when not relispartition then pg_get_expr(adbin, adrelid) end as default_value
    from pg_class
    join pg_attribute on attrelid = pg_class.oid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where ${ownTables} and attnum > 0 and not attisdropped
    order by relname, attnum`,
  // A constraint that was not validated is checked when rows are copied.
  constraints: `
    select relname, conname, replace(pg_get_constraintdef(pg_constraint.oid), ' NOT VALID', '') as text
    from pg_class
    join pg_constraint on conrelid = pg_class.oid
    where ${ownTables}
    order by relname, conname`,
  indexes: `
    select tablename, indexdef
    from pg_indexes
    where schemaname = 'public' and not tablename ${isAdded}
    order by tablename, indexname`,
  privileges: `
    select relname, attname, array_agg(item::text order by item::text) as privileges
    from pg_class
    left join pg_attribute on attrelid = pg_class.oid and attacl is not null,
      unnest(coalesce(attacl, relacl)) as item
    where ${ownTables}
    group by relname, attname
    order by relname, attname`,
  sequences: `
    select relname
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'S'
    order by relname`,
}

const findEditableShards = statement(`
select result
from run_command_on_workers($$
  select count(*)
  from pg_class
  where relname ~ '^(ledger_entries|plays|event_pages|event_pages_first|event_pages_[0-9]{8}|ledger_seals|ledger_seal_parts|wheel_versions)_[0-9]+$'
  and has_table_privilege(oid, 'update')
$$)
where result <> '0'`)

const countNumbers = statement<{ players: number; numbers: number }>(`
select count(*)::int as players, count(distinct player_no)::int as numbers
from players`)
