import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { type Database, statement } from '../../src/db/database.ts'
import { readBody } from '../../src/events/page-body.ts'
import { grantAtOnce, grantMany } from '../../src/grants/grant-at-once.ts'
import { GrantMemory } from '../../src/grants/grant-memory.ts'
import { type Grant, withHashes } from '../../src/grants/grant.ts'
import { grantSpins } from '../../src/grants/grant-spins.ts'
import { insertPlayers } from '../../src/players/ledger.ts'
import { otherThanBefore } from '../../src/refusals.ts'
import {
  asSuperuser,
  makeDatabase,
  makeMerchant,
  makeDatabaseProxy,
  openTestDatabase,
  setDeadlines,
  suiteLifetime,
  times,
} from '../scenes/scene.ts'
import {
  whileAnotherCommits,
  keyOf,
  makeScene,
  orderOf,
  readBalances,
  type Scene,
  writtenEvents,
} from '../scenes/batch-scene.ts'

const now = new Date('2026-11-15T12:00:00Z')

describe('grants in one statement', () => {
  const lifetime = suiteLifetime()
  let scene: Scene
  before(async () => {
    scene = await makeScene(lifetime)
  })
  const atOnce = (orders: readonly Grant[], at = now) =>
    scene.db.session((connection) => grantAtOnce(connection, orders.map(withHashes), at))
  const newPlayer = async (spins = 5) => {
    const playerId = randomUUID()
    const order = orderOf(scene, { playerId, amount: spins, key: 'first', callMax: spins })
    await grantSpins(scene.db, [order], now)
    return playerId
  }

  test('leave exactly the same rows as a transaction', async () => {
    const names = [
      'plain',
      'é',
      '"quoted"',
      'a,b',
      'back\\slash',
      '{}',
      'NULL',
      '雪 🎡',
      `x","oldBalance":0,"newBalance":7,"`,
    ]
    const reasons = [
      null,
      'for "you"',
      '"oldBalance":0,"newBalance":7',
      'a\\nb',
      'line\nbreak',
      'tab\t',
      '\u2028',
      "it's",
      '[',
    ]
    const ordersOf = (merchantId: number) =>
      names.map((playerId, index) =>
        orderOf(
          { merchantId },
          {
            playerId,
            amount: 7,
            key: `${playerId}-key`,
            reason: reasons[index] ?? null,
            madeKey: index === 3,
          },
        ),
      )
    const merchants = await Promise.all(times(3, () => makeMerchant(scene.db)))
    const merchantIds = merchants.map(({ merchant }) => merchant.merchantId) as [number, number, number]
    for (const merchantId of merchantIds) {
      const first = names.map((playerId) => orderOf({ merchantId }, { playerId, amount: 3, key: 'first' }))
      await grantSpins(scene.db, first, new Date('2026-11-14T12:00:00Z'))
    }
    await grantSpins(scene.db, ordersOf(merchantIds[0]), now)
    assert.deepEqual(
      await atOnce(ordersOf(merchantIds[1])),
      times(names.length, () => 10),
    )
    for (const order of ordersOf(merchantIds[2])) assert.deepEqual(await atOnce([order]), [10])
    const [expected, together, oneByOne] = await Promise.all(
      merchantIds.map((merchantId) => everythingOf(scene.db, merchantId)),
    )
    assert.equal(expected?.length, 3 * names.length + 2)
    assert.deepEqual(together, expected)
    assert.deepEqual(oneByOne, expected)
  })

  test('write events for many merchants and for more than one page', async () => {
    const [one, other] = await Promise.all([makeMerchant(scene.db), makeMerchant(scene.db)])
    const orders = times(1_200, (index) =>
      orderOf(index % 3 === 0 ? one.merchant : other.merchant, { playerId: `p${index}`, key: 'first' }),
    )
    await grantSpins(scene.db, orders, now)
    const balances = await atOnce(orders.map((order) => ({ ...order, key: 'second', amount: 2 })))
    assert.deepEqual(
      balances,
      times(1_200, () => 7),
    )
    const sizes = async ({ merchant }: { merchant: { merchantId: number } }) => {
      const pages = await scene.db.query(lastPages, [merchant.merchantId])
      return pages.map(({ count, body }) => (count === readBody(body).length ? count : NaN))
    }
    assert.deepEqual(await sizes(one), [400, 300, 500], 'the newest first')
    assert.deepEqual(await sizes(other), [300, 500, 100])
  })

  test('are skipped where any check fails, without affecting the others', async () => {
    const [fine, blocked, rich] = [await newPlayer(), await newPlayer(), await newPlayer(999_999_998)]
    const block = statement(`update players set blocked_at = now() where player_id = $1`)
    await scene.db.query(block, [blocked])
    const against: Partial<Grant>[] = [
      { playerId: blocked },
      { playerId: 'nobody' },
      { playerId: rich, amount: 3 },
      { playerId: rich, amount: 1, dailyMax: 999_999_998 },
    ]
    let balance = 5
    const good = () => orderOf(scene, { playerId: fine, key: randomUUID() })
    for (const changes of against) {
      const bad = orderOf(scene, changes)
      const all = await everythingOf(scene.db, scene.merchantId)
      assert.deepEqual(await atOnce([bad]), [undefined], JSON.stringify(changes))
      assert.deepEqual(await everythingOf(scene.db, scene.merchantId), all)
      assert.deepEqual(await atOnce([good(), bad]), [(balance += 5), undefined])
      assert.deepEqual(await atOnce([bad, good()]), [undefined, (balance += 5)])
    }
    assert.deepEqual(await atOnce([orderOf(scene, { playerId: rich, amount: 2 })]), [1_000_000_000])
    const tomorrow = new Date(now.getTime() + 86_400_000)
    const daily = orderOf(scene, { playerId: fine, amount: 6, key: 'daily', dailyMax: 6 })
    assert.deepEqual(await atOnce([daily]), [undefined])
    assert.deepEqual(await atOnce([daily], tomorrow), [balance + 6], 'a new day starts at zero')
  })

  test('are all skipped if one of them has a used key', async () => {
    const [one, other] = [await newPlayer(), await newPlayer()]
    const repeat = orderOf(scene, { playerId: one, key: 'first' })
    const balances = await readBalances(scene.db)
    assert.deepEqual(await atOnce([repeat]), [undefined])
    const both = [orderOf(scene, { playerId: other, key: 'new' }), repeat]
    assert.deepEqual(await atOnce(both), [undefined, undefined])
    assert.deepEqual(await atOnce(both.toReversed()), [undefined, undefined])
    assert.deepEqual(await readBalances(scene.db), balances)
  })

  test('look up their players one by one, in order, whatever the table size and its statistics', async (t) => {
    const { db, target } = await makeDatabase(t)
    const explain = statement<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (generic_plan, format json) ${grantMany.text}`,
    )
    const scans = async () => {
      const [answer] = await db.query(explain)
      const update = answer?.['QUERY PLAN'][0].Plan.Plans?.find((node) => node.Operation === 'Update')
      return nodesOf(update?.Plans?.[0])
    }
    const expected = ['Nested Loop', 'Subquery Scan', 'Sort', 'Function Scan', 'Index Scan players_pkey']
    assert.deepEqual(await scans(), expected)
    for (let players = 0; players < 3; players++) {
      await asSuperuser(target.database, (client) => client.query('analyze players'))
      assert.deepEqual(await scans(), expected, `${players} players`)
      await grantSpins(db, [orderOf(scene, { playerId: `p${players}` })], now)
    }
  })

  test('that waited for a lock continue from the values that the other transaction committed', async () => {
    const playerId = await newPlayer()
    const [rival, own] = ['rival', 'own'].map((key) => orderOf(scene, { playerId, key })) as [Grant, Grant]
    assert.deepEqual(await whileAnotherCommits(scene, rival, () => atOnce([own])), [15])
    const same = orderOf(scene, { playerId, key: 'same' })
    assert.deepEqual(await whileAnotherCommits(scene, same, () => atOnce([same])), [undefined])
    const other = await newPlayer()
    const many = (one: Grant) => [one, orderOf(scene, { playerId: other, key: one.key })]
    const [first, last] = ['first rival', 'with another'].map((key) => orderOf(scene, { playerId, key })) as [
      Grant,
      Grant,
    ]
    assert.deepEqual(
      await whileAnotherCommits(scene, first, () => atOnce(many(last))),
      [30, 10],
      'of many as well',
    )
    const rich = await newPlayer(999_999_990)
    const [almost, over] = [5, 6].map((amount) =>
      orderOf(scene, { playerId: rich, amount, key: `${amount}` }),
    ) as [Grant, Grant]
    assert.deepEqual(await whileAnotherCommits(scene, almost, () => atOnce(many(over))), [undefined, 15])
    const again = orderOf(scene, { playerId, key: 'again' })
    const grant = () => grantSpins(scene.db, [again], now, new GrantMemory())
    assert.deepEqual(await whileAnotherCommits(scene, again, grant), [{ outcome: 'replayed', balance: 35 }])
  })

  test('that succeed are acknowledged even if the rest of their batch fails', async (t) => {
    const playerId = await newPlayer()
    const orders = [playerId, 'held up'].map((name) => orderOf(scene, { playerId: name, key: 'both' }))
    const db = openTestDatabase(t, scene.target, { lockTimeoutMs: 500 })
    const answered = Promise.withResolvers<void>()
    const rival = scene.db.transaction(async (tx) => {
      await insertPlayers(tx, [keyOf({ merchantId: scene.merchantId, playerId: 'held up' })], now)
      await answered.promise
    })
    setDeadlines(t, { operationMs: 5_000 })
    const verdicts = await grantSpins(db, orders, now, new GrantMemory()).finally(answered.resolve)
    setDeadlines(t, { operationMs: 60_000 })
    assert.deepEqual(verdicts, [
      { outcome: 'granted', balance: 10 },
      { outcome: 'refused', code: 'database_unavailable' },
    ])
    await rival
    // No caller was waiting for it any more, but it may have been committed.
    const again = await grantSpins(db, orders, now)
    assert.deepEqual(
      again.map((verdict) => verdict.outcome !== 'refused' && verdict.balance),
      [10, 5],
    )
  })

  test('are not held up by a second grant to one of the players, which follows', async () => {
    const players = await Promise.all(times(20, () => newPlayer()))
    const orders = [...players, players[3] as string].map((playerId, index) =>
      orderOf(scene, { playerId, key: `order ${index}` }),
    )
    const { fresh } = new GrantMemory().foresee(orders.map(withHashes)) ?? {}
    assert.deepEqual(
      fresh?.map(({ playerId }) => playerId),
      players,
    )
    const verdicts = await grantSpins(scene.db, orders, now, new GrantMemory())
    const expected = [...players.map(() => 10), 15]
    assert.deepEqual(
      verdicts,
      expected.map((balance) => ({ outcome: 'granted', balance })),
    )
  })

  test('include repeats, whether or not they can be answered at once', async (t) => {
    const memory = new GrantMemory()
    const players = [await newPlayer(), await newPlayer(), await newPlayer()]
    const [first, second, third] = players.map((playerId) => orderOf(scene, { playerId })) as [
      Grant,
      Grant,
      Grant,
    ]
    const tooMuch = { ...third, callMax: 1 }
    const databaseProxy = await makeDatabaseProxy(t, scene.target)
    const db = openTestDatabase(t, databaseProxy.target, { poolMax: 1 })
    const grant = (orders: readonly Grant[]) => grantSpins(db, orders, now, memory)
    assert.deepEqual(await grant([first, tooMuch]), [
      { outcome: 'granted', balance: 10 },
      { outcome: 'refused', code: 'grant_limit_exceeded' },
    ])
    const { roundTrips } = databaseProxy
    assert.deepEqual(await grant([first, second, { ...first, amount: 6 }]), [
      { outcome: 'replayed', balance: 10 },
      { outcome: 'granted', balance: 10 },
      {
        outcome: 'refused',
        code: 'idempotency_key_reused',
        detail: otherThanBefore('another number of spins'),
      },
    ])
    assert.equal(databaseProxy.roundTrips - roundTrips, 1)
    // The third was refused, so its key is still unused; the last two are copies of each other.
    const other = { ...first, key: 'other' }
    assert.deepEqual(await grant([third, other, other]), [
      { outcome: 'granted', balance: 10 },
      { outcome: 'granted', balance: 15 },
      { outcome: 'replayed', balance: 15 },
    ])
  })

  test('are tried only for new keys and distinct players, and not after two failures in a row', async () => {
    const memory = new GrantMemory()
    const foresee = (...changes: Partial<Grant>[]) => {
      const sorted = memory.foresee(changes.map((one) => withHashes(orderOf(scene, one))))
      return sorted && [sorted.fresh, sorted.seen].map((some) => some.map(({ key }) => key).join(' '))
    }
    const bob = 'bob'
    assert.deepEqual(foresee({ key: '1' }, { key: '2', playerId: bob }), ['1 2', ''])
    assert.deepEqual(foresee({ key: '3' }, { key: '2', playerId: bob }), ['3', '2'], 'a key seen before')
    assert.equal(foresee({ key: '3' }), undefined, 'only repeats')
    assert.equal(foresee({ key: '4' }, { key: '5' }), undefined, 'one player twice')
    assert.equal(foresee({ key: 'initial', kind: 'initial' }), undefined)
    assert.equal(foresee({ key: '6', amount: 2, callMax: 1 }), undefined)
    memory.learn(false)
    memory.learn(true)
    memory.learn(false)
    assert.deepEqual(foresee({ key: '7' }), ['7', ''])
    memory.learn(false)
    assert.equal(foresee({ key: '8' }), undefined)
  })
})

type PlanNode = { 'Node Type': string; 'Index Name'?: string; Operation?: string; Plans?: PlanNode[] }

/** The plan nodes from the top, with the outer side of a join before the inner one. */
function nodesOf(node: PlanNode | undefined): string[] {
  if (node === undefined) return []
  const name = [node['Node Type'], node['Index Name']].filter((part) => part !== undefined).join(' ')
  return [name, ...(node.Plans ?? []).flatMap(nodesOf)]
}

const lastPages = statement<{ count: number; body: string }>(`
select event_count as count, body
from event_pages
where merchant_id = $1
order by page_no desc
limit 3`)

/** A merchant's rows in the database, without generated numbers. */
async function everythingOf(db: Database, merchantId: number): Promise<unknown[]> {
  const players = statement<object>(`
    select player_id, balance, entry_count, play_count, granted_day, granted_day_total, created_at
    from players where merchant_id = $1 order by player_id`)
  const entries = statement<object>(`
    select player_id, entry_no, kind, amount, balance_after, key, reason, ledger_entries.created_at
    from ledger_entries join players using (shard, player_no)
    where ledger_entries.merchant_id = $1 order by player_id, entry_no`)
  const pageTimes = statement<object>(`
    select min(created_at), max(created_at)
    from event_pages where merchant_id = $1 and body like '%["spins.granted",%'`)
  const all = await Promise.all([players, entries, pageTimes].map((sql) => db.query(sql, [merchantId])))
  const events = await writtenEvents(db, merchantId)
  return [...all.flat(), JSON.stringify(events.filter(([type]) => type === 'spins.granted'))]
}
