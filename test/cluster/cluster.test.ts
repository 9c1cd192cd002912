// The database on several machines. The first tests need no Citus; the others run by `npm run test:cluster`.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { auditLedger, auditWithSeals } from '../../src/integrity/audit.ts'
import { sealKeyOf } from '../../src/integrity/seal-hash.ts'
import { sealAll } from '../../src/integrity/seal-ledger.ts'
import { statementsOf } from '../../src/db/cluster/change-cluster.ts'
import { fieldsOf } from '../../src/db/cluster/composite.ts'
import { givesRows, shardCall } from '../../src/db/cluster/shard-text.ts'
import { splitByShard } from '../../src/db/cluster/split-by-shard.ts'
import { shardedTables } from '../../src/db/cluster/tables.ts'
import { type Database, localStatement, statement, type Statement } from '../../src/db/database.ts'
import { readMigrations } from '../../src/db/migrations.ts'
import { shardOf } from '../../src/players/shard.ts'
import type { ListedStatement } from '../database/all-statements.ts'
import { skipsCluster } from './cluster-scene.ts'
import { asSuperuser, makeDatabase, makeMerchant, makeServer, post, suiteLifetime } from '../scenes/scene.ts'

/** These are not supported on a cluster, or Citus runs them itself, on all shards. */
const runElsewhere = ['src/integrity/archive/', 'src/reports/']

test('every statement that changes rows of players names their shards', () => {
  const changes = new RegExp(`\\b(insert into|update|delete from)\\s+(${shardedTables.join('|')})\\b`)
  let found = 0
  for (const file of globSync('src/**/*.ts').filter(
    (name) => !runElsewhere.some((part) => name.startsWith(part)),
  ))
    for (const [, text = '', comma] of readFileSync(file, 'utf8').matchAll(
      /statement(?:<[^(]*>)?\(\s*`([^`]*)`\s*(,?)/g,
    )) {
      if (!changes.test(text)) continue
      found++
      const isRouted = /\bshard = \$\d/.test(text) || /values \(\$1, \$2/.test(text)
      assert(comma === ',' || isRouted, `${file}: ${text}`)
    }
  assert(found > 10)
})

test('every table with a column shard is distributed', async (t) => {
  const { db } = await makeDatabase(t)
  const found = await db.query(findTables)
  assert.deepEqual(
    found.map(({ name }) => name),
    [...shardedTables, ...aboutPlayers].toSorted(),
  )
})

test('a statement is written for the tables of one shard', () => {
  const tables = { anchor: 7, names: new Map([['players', 'players_7']]) }
  const text = `select players.balance, 'players' from players where shard = $1 and player_id = any($2) and x = $3`
  const values = [60, ["it's", 'b'], null]
  const sql = { name: 'abc', text }
  assert.deepEqual(shardCall(tables, sql, values), {
    name: null,
    prepared: null,
    text: `select players_7.balance, 'players' from players_7 where shard = '60' and player_id = any('{"it''s","b"}') and x = null`,
  })
  const calls = Array.from({ length: 9 }, () => shardCall(tables, sql, values))
  assert.deepEqual(calls.at(-1), {
    name: 'w7_abc',
    prepared: text.replaceAll(/ players\b/g, ' players_7'),
    text: `execute w7_abc('60','{"it''s","b"}',null)`,
  })
  assert(givesRows('with a as (insert into b values (1) returning 2) select 3'))
  assert(givesRows('update a set b = (select 1) returning c'))
  assert(!givesRows('with a as (select 1) insert into b select (select 2 from a)'))
})

test('rows are split by their shards, in the order of locks', () => {
  const values = ['now', [8, 60, 8], ['a', 'b', 'c'], '{"x","y","z"}', [60], ['p']]
  const columns = [
    [2, 4],
    [5, 6],
  ] as const
  assert.deepEqual(splitByShard(columns, values), [
    { shard: 8, values: ['now', [8, 8], ['a', 'c'], '{"x","z"}', [], []], places: [1, 3] },
    { shard: 60, values: ['now', [60], ['b'], '{"y"}', [60], ['p']], places: [2] },
  ])
  assert.deepEqual(splitByShard([[1, 2]], [8, 'a']), [{ shard: 8, values: [8, 'a'], places: [1] }])
})

test('a row in the form of text is read back', () => {
  assert.deepEqual(fieldsOf('(1,,"a ""b"" \\\\ (c), d",x)'), ['1', null, 'a "b" \\ (c), d', 'x'])
  assert.deepEqual(fieldsOf('(,"")'), [null, ''])
})

test('a migration is split into its statements', () => {
  const body = `create function f() returns text language sql as $x$ select ';'; select $$;$$ $x$`
  const text = `-- first; it's\n${body};\ninsert into "a;b" values ('it''s; -- no comment'); select 1 - -1, $1;\n`
  const [first, ...others] = statementsOf(text)
  assert.equal(first, body)
  assert.deepEqual(others, [`insert into "a;b" values ('it''s; -- no comment')`, 'select 1 - -1, $1'])
  for (const { text: migration } of readMigrations()) assert(statementsOf(migration).length > 0)
})

describe('on Citus', { skip: skipsCluster }, () => {
  const lifetime = suiteLifetime()

  test('grants, repeats, lists and the audit work over all shards', async () => {
    const { url, ctx } = await makeServer(lifetime)
    const { merchant, token } = await makeMerchant(ctx.db)
    const players = Array.from({ length: 40 }, (_, index) => `p${index}`)
    const grant = (playerId: string) =>
      post(
        `${url}/api/player/increaseSpin`,
        token,
        { playerId, spinNumber: 3 },
        { 'Idempotency-Key': playerId },
      )
    const first = await Promise.all(players.map(grant))
    const again = await Promise.all(players.map(grant))
    assert.deepEqual(
      [...first, ...again].map(({ status }) => status),
      [...players, ...players].map(() => 200),
    )
    assert(again.every(({ headers }) => headers.get('idempotent-replayed') === 'true'))
    const shards = new Set(players.map((playerId) => shardOf({ merchantId: merchant.merchantId, playerId })))
    assert(shards.size > 10, 'the players are in many shards')
    const places = await ctx.db.query(countNodes, [merchant.merchantId])
    assert.equal(places.length, 1)
    const own = (await auditLedger(ctx.db)).findings
    assert.deepEqual(own, [])
  })

  test('Citus accepts every statement that it gets', async () => {
    const { db, target } = await makeDatabase(lifetime)
    const statements = allStatements().filter(
      ({ isSharded, text, file }) =>
        !isSharded && isQuery.test(text) && !notSent.some((part) => file.startsWith(part)),
    )
    assert(statements.length > 300)
    const types = await asSuperuser(target.database, async (client) => {
      const found: string[][] = []
      for (const [index, { text }] of statements.entries()) {
        await client.query(`prepare s${index} as ${text}`)
        const { rows } = await client.query<{ types: string[] }>(
          `select parameter_types::text[] as types from pg_prepared_statements where name = 's${index}'`,
        )
        found.push(rows[0]?.types ?? [])
      }
      return found
    })
    const refused: object[] = []
    for (const [index, { text, file, isLocal }] of statements.entries()) {
      const values = types[index]?.map((type) => examples[type] ?? (type.endsWith('[]') ? [] : 'x'))
      const failure = await failureOf(db, isLocal ? localStatement(text) : statement(text), values)
      if (failure !== undefined) refused.push({ file, text, failure })
    }
    assert.deepEqual(refused, [])
  })

  test('sealing goes shard by shard, seals each row once, and reveals an edit', async () => {
    const { url, ctx, target } = await makeServer(lifetime)
    const { merchant, token } = await makeMerchant(ctx.db)
    const shardsOf = (players: readonly string[]) =>
      new Set(players.map((playerId) => shardOf({ merchantId: merchant.merchantId, playerId }))).size
    const key = sealKeyOf('ab'.repeat(32))
    const grants = async (players: readonly string[]) => {
      for (const playerId of players) {
        const answer = await post(`${url}/api/player/increaseSpin`, token, { playerId, spinNumber: 1 })
        assert.equal(answer.status, 200)
      }
    }
    const audit = () => auditWithSeals(ctx.db, { keys: [key], kept: [] })
    const [first, second] = [
      ['ann', 'bob', 'cid'],
      ['bob', 'dan'],
    ]
    await grants(first)
    assert.equal((await sealAll(ctx.db, { now: new Date(), key })).length, shardsOf(first))
    assert.equal((await sealAll(ctx.db, { now: new Date(), key })).length, 0)
    await grants(second)
    const [one, other] = await Promise.all([1, 2].map(() => sealAll(ctx.db, { now: new Date(), key })))
    assert.equal([...(one ?? []), ...(other ?? [])].length, shardsOf(second))
    const { findings, entries, seals } = await audit()
    assert.deepEqual([findings, entries, seals.entries], [[], 5, 5])

    await asSuperuser(target.database, (client) =>
      client.query(`update ledger_entries set reason = 'edited'`),
    )
    assert.deepEqual(
      (await audit()).findings.map(({ check, count }) => [check, count]),
      [['entries and plays have not changed since they were sealed', 5]],
    )
  })
})

function allStatements(): ListedStatement[] {
  const script = join(import.meta.dirname, '..', 'database', 'all-statements.ts')
  const printed = execFileSync(process.execPath, [script], { encoding: 'utf8', maxBuffer: 2 ** 24 })
  return JSON.parse(printed) as ListedStatement[]
}

/** Runs a statement and undoes it. Returns why it was refused, unless by a constraint or because it names no table. */
async function failureOf(
  db: Database,
  sql: Statement<unknown>,
  values: unknown[] = [],
): Promise<string | undefined> {
  const undone = new Error('undone')
  const work = db.transaction(async (tx) => {
    await tx.query(sql, values)
    throw undone
  })
  const error = await work.catch((failure: unknown) => failure)
  if (error === undone) return undefined
  const { code, message } = (error as Error).cause as { code: string; message: string }
  const isExpected = code.startsWith('23') || message === 'relation "x" does not exist'
  return isExpected ? undefined : `${code} ${message}`
}

const isQuery = /^\s*(select|with|insert|update|delete)\b/
/** Archives and the tables' way to a cluster and back are not used on one; lists of prizes have other texts there. */
const notSent = ['src/integrity/archive/', 'src/db/cluster/', 'src/prizes/prize-lists.ts']
const examples: Record<string, unknown> = {
  integer: 1,
  bigint: 1,
  smallint: 1,
  boolean: true,
  'double precision': 1,
  'timestamp with time zone': new Date(0),
  date: '2026-01-01',
  uuid: '01990000-0000-7000-8000-000000000000',
  bytea: Buffer.alloc(1),
  json: '[]',
  jsonb: '{}',
  interval: '1 day',
}

/** Their rows name players, and stay on the coordinator. */
const aboutPlayers = ['audit_log', 'event_erasures', 'mail_suppressions']

// `cluster_shards` lists the shards of a cluster, and has no rows of players.
const findTables = statement<{ name: string }>(`
select table_name collate "C" as name
from information_schema.columns
join pg_class on oid = (table_schema || '.' || table_name)::regclass
where column_name = 'shard'
and table_schema = 'public'
and table_name <> 'cluster_shards'
and relkind in ('r', 'p')
and not relispartition
order by name`)

const countNodes = statement(`
select count(*)
from players
where merchant_id = $1`)
