import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { statement } from '../../src/db/database.ts'
import { auditLedger } from '../../src/integrity/audit.ts'
import { GrantMemory } from '../../src/grants/grant-memory.ts'
import { type Grant, type GrantVerdict, withHashes } from '../../src/grants/grant.ts'
import { decideGrants, grantSpins } from '../../src/grants/grant-spins.ts'
import type { KeyedEntry, LockedPlayer } from '../../src/players/ledger.ts'
import { shardOf, shardValues } from '../../src/players/shard.ts'
import { otherThanBefore } from '../../src/refusals.ts'
import { asSuperuser, makeDatabase, makeMerchant, notOnCluster, times } from '../scenes/scene.ts'

const seed = Number(process.env.SEED ?? Date.now() % 2_147_483_647)

const anyGrant: fc.Arbitrary<Grant> = fc
  .record({
    merchantId: fc.constantFrom(1, 2),
    playerId: fc.constantFrom('a', 'b', 'a:1', 'é'),
    kind: fc.constantFrom('grant', 'initial'),
    amount: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constantFrom(400_000_000, 999_999_999)),
    key: fc.constantFrom('k1', 'k2', '1:k1', 'initial'),
    reason: fc.constant(null),
    mayCreatePlayer: fc.boolean(),
    callMax: fc.constantFrom(15, 1_000_000_000),
    dailyMax: fc.constantFrom(null, null, 30),
  })
  // The schema allows an initial grant only its one fixed key.
  .map((grant) => (grant.kind === 'initial' ? { ...grant, key: 'initial' } : grant))

const grants = fc.array(anyGrant, { minLength: 1, maxLength: 30 })

/** The rules again, in the simplest form: one grant at a time, with the full history. */
function model() {
  const balances = new Map<string, number>()
  const days = new Map<string, number>()
  const answers = new Map<string, { amount: number; balance: number }>()
  return (grant: Grant): GrantVerdict => {
    const player = JSON.stringify([grant.merchantId, grant.playerId])
    const effect = JSON.stringify([grant.merchantId, grant.playerId, grant.kind, grant.key])
    const earlier = answers.get(effect)
    if (earlier !== undefined) {
      const isSame = grant.kind === 'initial' || earlier.amount === grant.amount
      return isSame
        ? { outcome: 'replayed', balance: earlier.balance }
        : {
            outcome: 'refused',
            code: 'idempotency_key_reused',
            detail: otherThanBefore('another number of spins'),
          }
    }
    const balance = (balances.get(player) ?? 0) + grant.amount
    const day = (days.get(player) ?? 0) + grant.amount
    if (grant.amount > grant.callMax) return { outcome: 'refused', code: 'grant_limit_exceeded' }
    if (grant.dailyMax !== null && day > grant.dailyMax)
      return { outcome: 'refused', code: 'daily_grant_limit_exceeded' }
    if (balance > 1_000_000_000) return { outcome: 'refused', code: 'balance_limit_exceeded' }
    if (!grant.mayCreatePlayer && !balances.has(player))
      return { outcome: 'refused', code: 'player_not_found' }
    balances.set(player, balance)
    days.set(player, day)
    answers.set(effect, { amount: grant.amount, balance })
    return { outcome: 'granted', balance }
  }
}

/** Some batches are so small that no player occurs twice. A new process starts without remembered players and keys. */
const batches = fc.array(
  fc.record({
    batch: fc.oneof(grants, fc.array(anyGrant, { minLength: 1, maxLength: 2 })),
    isNew: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6 },
)

test('grants in an array give the same results as single grants, on the real database', async (t) => {
  t.diagnostic(`SEED=${seed}`)
  const { db } = await makeDatabase(t)
  let merchantsUsed = 0
  let memory = new GrantMemory()
  const property = fc.asyncProperty(batches, async (all) => {
    const offset = (merchantsUsed += 2)
    const expected = model()
    for (const { batch, isNew } of all) {
      if (isNew) memory = new GrantMemory()
      const own = batch.map((grant) => ({ ...grant, merchantId: grant.merchantId + offset }))
      const verdicts = await grantSpins(db, own, new Date('2026-11-15T12:00:00Z'), memory)
      assert.deepEqual(verdicts, withCreated(own).map(expected))
    }
  })
  await fc.assert(property, { seed, numRuns: 60 })
  assert.deepEqual(
    (await auditLedger(db)).findings.filter((one) => !one.check.startsWith('every player belongs')),
    [],
  )
})

test('players wrongly cached as existing are created, with an event, like the others', async (t) => {
  const { db } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db)
  const memory = new GrantMemory()
  memory.players.add(`${merchant.merchantId}:ann`)
  const order = { kind: 'grant', amount: 1, key: 'k', reason: null, mayCreatePlayer: true } as const
  const ceilings = { merchantId: merchant.merchantId, callMax: 10, dailyMax: null }
  const orders = ['ann', 'bob'].map((playerId) => ({ ...order, ...ceilings, playerId }))
  await grantSpins(db, orders, new Date(), memory)
  const pages = statement<{ body: string }>('select body from event_pages where merchant_id = $1')
  const bodies = await db.query(pages, [merchant.merchantId])
  const createdEvents = bodies.flatMap(({ body }) => [
    ...body.matchAll(/"player\.created",\d+,\{"playerId":"(\w+)"/g),
  ])
  assert.deepEqual(new Set(createdEvents.map(([, playerId]) => playerId)), new Set(['ann', 'bob']))
  assert.equal(createdEvents.length, 2)
})

/** In a batch, a player that any grant may create exists for all of them. */
function withCreated(batch: readonly Grant[]): Grant[] {
  const created = new Set<string>()
  for (const grant of batch) {
    const fits = grant.amount <= grant.callMax && (grant.dailyMax === null || grant.amount <= grant.dailyMax)
    if (grant.mayCreatePlayer && fits) created.add(`${grant.merchantId}:${grant.playerId}`)
  }
  return batch.map((grant) => ({
    ...grant,
    mayCreatePlayer: grant.mayCreatePlayer || created.has(`${grant.merchantId}:${grant.playerId}`),
  }))
}

test('the rules never let a balance exceed its bounds', () => {
  const property = fc.property(grants, fc.integer({ min: 0, max: 1_000_000_000 }), (batch, balance) => {
    const now = new Date('2026-11-15T12:00:00Z')
    const keyed = batch.map((grant) => withHashes({ ...grant, merchantId: 1, playerId: 'a', shard: 0 }))
    const player: LockedPlayer = {
      shard: 0,
      merchantId: 1,
      playerId: 'a',
      playerNo: 1,
      balance,
      entryCount: 0,
      playCount: 0,
      grantedDay: 0,
      grantedDayTotal: 0,
      isBlocked: false,
      linksValidFrom: null,
      nextExpiry: null,
    }
    const earlier: KeyedEntry[] = []
    const { entries, changed } = decideGrants(keyed, { players: [player], earlier, now })
    const sum = entries.reduce((total, entry) => total + entry.amount, balance)
    assert.ok(sum <= 1_000_000_000)
    assert.equal(changed[0]?.balance ?? balance, sum)
    assert.deepEqual(
      entries.map((entry) => entry.entryNo),
      times(entries.length, (index) => index + 1),
    )
    assert.equal(
      player.balance,
      balance,
      'the input is not modified, so that a retry starts from the stored balance',
    )
  })
  fc.assert(property, { seed, numRuns: 2_000 })
})

test('sixteen connections that grant to the same players in any order never deadlock', async (t) => {
  const { db, target } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db)
  const order = (index: number): Grant[] =>
    times(40, (number) => ({
      merchantId: merchant.merchantId,
      playerId: `p${(number * 17 + index * 23) % 60}`,
      kind: 'grant',
      amount: 1,
      key: `${index}-${number}`,
      reason: null,
      mayCreatePlayer: true,
      callMax: 10,
      dailyMax: null,
    }))
  // Half of them try the single-statement path, each like a process of its own.
  const grant = (worker: number, round: number) =>
    grantSpins(db, order(worker * 10 + round), new Date(), worker % 2 === 0 ? new GrantMemory() : undefined)
  await Promise.all(times(16, (worker) => inTurn(times(10, (round) => () => grant(worker, round)))))
  const report = await auditLedger(db)
  assert.deepEqual([report.entries, report.findings], [16 * 10 * 40, []])
  assert.equal(await deadlocks(target.database), 0)
})

async function deadlocks(database: string): Promise<number> {
  return asSuperuser('postgres', async (client) => {
    const { rows } = await client.query<{ count: string }>(
      'select deadlocks as count from pg_stat_database where datname = $1',
      [database],
    )
    return Number(rows[0]?.count)
  })
}

async function inTurn(works: (() => Promise<unknown>)[]): Promise<void> {
  for (const work of works) await work()
}

test('a player with twenty thousand entries gets grants as fast as any other', async (t) => {
  // On a new table without statistics, the planner once preferred the primary key to the key of the grant and read
  // every entry of the player for each item: the second array exceeded the deadline.
  const { db } = await makeDatabase(t)
  const order = (round: number): Grant[] =>
    times(5_000, (number) => ({
      merchantId: 1,
      playerId: 'hot',
      kind: 'grant',
      amount: 1,
      key: `${round}-${number}`,
      reason: null,
      mayCreatePlayer: true,
      callMax: 10,
      dailyMax: null,
    }))
  for (const round of times(4, (index) => index)) {
    const verdicts = await grantSpins(db, order(round), new Date())
    assert.deepEqual(verdicts.at(-1), { outcome: 'granted', balance: 5_000 * (round + 1) })
  }
})

test('the shard of a player never changes', () => {
  assert.equal(new Set(shardValues).size, 64)
  const frozen = [
    shardOf({ merchantId: 1, playerId: 'alice' }),
    shardOf({ merchantId: 2, playerId: 'alice' }),
    shardOf({ merchantId: 1, playerId: 'Zoë 😀' }),
  ]
  assert.deepEqual(frozen, [5, 8, 4])
  const used = new Set(times(5_000, (index) => shardOf({ merchantId: 7, playerId: `player-${index}` })))
  assert.equal(used.size, 64)
})

test('database constraints refuse invalid rows', notOnCluster, async (t) => {
  const { db, target } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db)
  const grant: Grant = {
    merchantId: merchant.merchantId,
    playerId: 'a',
    kind: 'grant',
    amount: 5,
    key: 'k',
    reason: null,
    mayCreatePlayer: true,
    callMax: 10,
    dailyMax: null,
  }
  await grantSpins(db, [grant], new Date())
  const columns =
    'shard, player_no, merchant_id, entry_no, kind, amount, balance_after, key, key_hash, created_at'
  const other = `'k2', decode(md5('k2'), 'hex')`
  const attempts: Record<string, [statement: string, state: string]> = {
    'a balance below zero': [`update players set balance = -1`, '23514'],
    'a balance above the limit': [`update players set balance = 1000000001`, '23514'],
    'a second entry for a key': [
      `insert into ledger_entries (${columns}) select shard, player_no, merchant_id, 2, kind, amount, 10, key, key_hash, created_at from ledger_entries`,
      '23505',
    ],
    'two entries with one number': [
      `insert into ledger_entries (${columns}) select shard, player_no, merchant_id, 1, kind, amount, 10, ${other}, created_at from ledger_entries`,
      '23505',
    ],
    'a grant of zero': [
      `insert into ledger_entries (${columns}) select shard, player_no, merchant_id, 2, kind, 0, 5, ${other}, created_at from ledger_entries`,
      '23514',
    ],
    'a negative grant': [
      `insert into ledger_entries (${columns}) select shard, player_no, merchant_id, 2, kind, -1, 4, ${other}, created_at from ledger_entries`,
      '23514',
    ],
    'a second player with the same id': [
      `insert into players (shard, merchant_id, player_id, created_at) select shard, merchant_id, player_id, created_at from players`,
      '23505',
    ],
  }
  for (const [name, [text, state]] of Object.entries(attempts)) {
    await asSuperuser(target.database, async (client) => {
      await assert.rejects(client.query(text), { code: state }, name)
    })
  }
  for (const text of [
    'update ledger_entries set amount = 6',
    'delete from ledger_entries',
    'truncate ledger_entries',
  ]) {
    await assert.rejects(db.query({ name: 'x', text }), /permission denied/, text)
  }
})

test('the audit finds rows that were changed by hand', notOnCluster, async (t) => {
  const { db, target } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db)
  const give = (playerId: string, key: string): Grant => ({
    merchantId: merchant.merchantId,
    playerId,
    kind: 'grant',
    amount: 5,
    key,
    reason: null,
    mayCreatePlayer: true,
    callMax: 10,
    dailyMax: null,
  })
  await grantSpins(db, [give('a', '1'), give('a', '2'), give('b', '1'), give('c', '1')], new Date())
  const damages: Record<string, string> = {
    'balance is the sum': `update players set balance = 6 where player_id = 'a'`,
    'without a gap': `delete from ledger_entries where key = '1' and player_no = (select player_no from players where player_id = 'a')`,
    'entries are numbered': `update ledger_entries set amount = 4 where key = '2'`,
    'belongs to a player': `delete from players where player_id = 'b'`,
    'in the shard': `update players set shard = shard + 1 where player_id = 'c'`,
    'to its play count': `update players set play_count = 1 where player_id = 'c'`,
    'belongs to a merchant': `update players set merchant_id = 12345 where player_id = 'c'`,
    'its count their number': `update players set entry_count = -1 where player_id = 'c'`,
  }
  const outOfBounds = [
    `update ledger_entries set kind = 'correction', reason = 'none', amount = 0 where key = '2'`,
    `update ledger_entries set key_hash = '\\x00' where key = '2'`,
    `update ledger_entries set key = '' where key = '2'`,
    `update ledger_entries set key = repeat('é', 128) where key = '2'`,
    `update ledger_entries set reason = '' where key = '2'`,
    `update players set granted_day_total = -1 where player_id = 'c'`,
    `update players set player_id = '' where player_id = 'c'`,
  ].map((damage) => ['within their limits', damage] as const)
  for (const [check, damage] of [...Object.entries(damages), ...outOfBounds]) {
    await asSuperuser(target.database, async (client) => {
      await client.query('create table saved_players as select * from players')
      await client.query('create table saved_entries as select * from ledger_entries')
      await client.query(damage)
      const { findings } = await auditLedger(db)
      assert.ok(
        findings.some((finding) => finding.check.includes(check)),
        `${check}: ${JSON.stringify(findings)}`,
      )
      await client.query('truncate players, ledger_entries')
      await client.query('insert into players overriding system value select * from saved_players')
      await client.query('insert into ledger_entries select * from saved_entries')
      await client.query('drop table saved_players, saved_entries')
    })
    assert.deepEqual((await auditLedger(db)).findings, [], 'the edit was undone')
  }
})
