import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { auditLedger } from '../../src/integrity/audit.ts'
import { allInOrder, type Queryable, statement, type Transaction } from '../../src/db/database.ts'
import { lockPlayers } from '../../src/players/ledger.ts'
import { revokeLinksOfPlayer, setBlock } from '../../src/players/players.ts'
import { playInTransaction } from '../../src/plays/play-transaction.ts'
import { playMany } from '../../src/plays/play-at-once.ts'
import { PlayMemory } from '../../src/plays/play-memory.ts'
import type { PlayOrder, PlayVerdict } from '../../src/plays/play-types.ts'
import { playWheels } from '../../src/plays/play-wheels.ts'
import { lockStocks, readStocks, setStocks } from '../../src/stock/prize-stocks.ts'
import { findWheel } from '../../src/wheels/wheels.ts'
import {
  asSuperuser,
  makeDatabaseProxy,
  makeMerchant,
  openTestDatabase,
  suiteLifetime,
  times,
} from '../scenes/scene.ts'
import {
  keyOf,
  makeScene,
  orderOf,
  publishOnly,
  readBalances,
  type Scene,
  untilWaiting,
  whileAnotherCommits,
  writtenEvents,
} from '../scenes/batch-scene.ts'
import {
  atOnce,
  type Foreseen,
  foreseeable,
  givePlayers,
  memoryAfterPlayOf,
  rowsOfPlays,
} from './play-scene.ts'

const codeOf = (verdict: PlayVerdict | undefined) =>
  verdict?.outcome === 'refused' ? verdict.code : verdict?.outcome

describe('plays in one statement', () => {
  const lifetime = suiteLifetime()
  let scene: Scene
  before(async () => {
    scene = await makeScene(lifetime)
  })

  /** A merchant of its own with a wheel that always draws the first segment. */
  async function merchantWith(first: Parameters<typeof publishOnly>[2], on = scene): Promise<Scene> {
    const { merchant } = await makeMerchant(on.db)
    await publishOnly(on.db, merchant.merchantId, first)
    return { ...on, merchantId: merchant.merchantId }
  }
  const play = (one: Foreseen, db: Scene['db'] = scene.db) =>
    playWheels(db, one.orders, one.state, one.memory)
  const stockOf = async ({ db, merchantId }: Scene) => {
    const [stock] = await readStocks(db, await findWheel(db, merchantId, 'main'))
    assert(stock !== undefined)
    return stock
  }

  /**
   * Runs an attempt while another process changes something: it has changed it but not committed when the attempt
   * starts, and commits as soon as the attempt waits for it.
   */
  async function during<T>(
    { db, target }: Scene,
    change: (tx: Transaction) => Promise<unknown>,
    attempt: () => Promise<T>,
  ): Promise<T> {
    const hasChanged = Promise.withResolvers<void>()
    const rival = db.transaction(async (tx) => {
      await change(tx)
      hasChanged.resolve()
      await untilWaiting(target, 1)
    })
    await Promise.race([hasChanged.promise, rival])
    const [result] = await Promise.all([attempt(), rival])
    return result
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
      `x","oldBalance":0,"`,
    ]
    const first = { stock: 1_000, stockPerDay: 500, claimWithinSeconds: 3_600, label: 'A "prize", 5\\' }
    const scenes = [await merchantWith(first), await merchantWith(first), await merchantWith(first)]
    const ids = [...names, 'first'].map(() => ({
      playId: randomUUID(),
      playerSeed: randomUUID().replaceAll('-', '').repeat(2),
    }))
    const rows = []
    for (const [index, own] of scenes.entries()) {
      await givePlayers(own, [...names, 'first'])
      const memory = await memoryAfterPlayOf(own, 'first')
      const now = new Date('2026-11-15T12:00:00Z')
      const { orders, state } = await foreseeable(own, names, memory)
      const all = {
        orders: orders.map((order, at) => ({ ...order, ...ids[at] })),
        state: { ...state, now },
        memory,
      }
      if (index === 0) await scene.db.transaction((tx) => playInTransaction(tx, all.orders, all.state))
      if (index === 1)
        assert.deepEqual(
          await atOnce(scene.db, all),
          names.map(() => 4),
        )
      if (index === 2)
        for (const order of all.orders)
          assert.deepEqual(await atOnce(scene.db, { ...all, orders: [order] }), [4])
      rows.push(await rowsOfPlays(scene.db, { merchantId: own.merchantId, playerIds: names, at: now }))
    }
    assert.equal((rows as { plays: unknown[] }[])[0]?.plays.length, names.length)
    assert.deepEqual(rows[1], rows[0])
    assert.deepEqual(rows[2], rows[0])
    await expectSound(scene.db)
  })

  test('take one round trip, and a repeat takes the transaction', async (t) => {
    const own = await merchantWith({ stock: 1_000 })
    await givePlayers(own, ['first', 'ann', 'bob'])
    const memory = await memoryAfterPlayOf(own, 'first')
    const databaseProxy = await makeDatabaseProxy(t, scene.target)
    const db = openTestDatabase(t, databaseProxy.target, { poolMax: 1 })
    const both = await foreseeable(own, ['ann', 'bob'], memory)
    await db.query(statement('select 1'), [])
    const { roundTrips } = databaseProxy
    assert.deepEqual((await play(both, db)).map(codeOf), ['played', 'played'])
    assert.equal(databaseProxy.roundTrips - roundTrips, 1)
    assert.deepEqual((await play(both, db)).map(codeOf), ['replayed', 'replayed'])
    assert.ok(databaseProxy.roundTrips - roundTrips > 2)
    assert.deepEqual((await play(await foreseeable(own, ['ann'], memory), db)).map(codeOf), ['played'])
    assert.equal((await stockOf(own)).given, 4)
  })

  test('are one play if the answer to the commit is lost', async (t) => {
    const own = await merchantWith({})
    await givePlayers(own, ['ann', 'bob'])
    const databaseProxy = await makeDatabaseProxy(t, scene.target)
    const db = openTestDatabase(t, databaseProxy.target)
    const both = await foreseeable(own, ['ann', 'bob'])
    databaseProxy.cutsAfterCommit = true
    const verdicts = await play(both, db)
    assert.equal(databaseProxy.cutsAfterCommit, false, 'the connection was never cut')
    assert.deepEqual(verdicts.map(codeOf), ['replayed', 'replayed'])
    await expectSound(scene.db)
  })

  test('see a grant that was committed while they waited for the player', async () => {
    const own = await merchantWith({})
    await givePlayers(own, ['ann'], 1)
    const one = await foreseeable(own, ['ann'])
    const grant = orderOf(own, { playerId: 'ann', amount: 7, key: 'in between' })
    assert.deepEqual(await whileAnotherCommits(scene, grant, () => atOnce(scene.db, one)), [7])
    await expectSound(scene.db)
  })

  test('are not carried out for a player that was blocked, spent its spins, or lost its links meanwhile', async (t) => {
    // Rows are changed by hand, in a database of their own: the audit of the others must find nothing.
    const own = await merchantWith({}, await makeScene(t))
    const ann = keyOf({ ...own, playerId: 'ann' })
    const spend = statement('update players set balance = 0 where merchant_id = $1')
    const changes: [string, (tx: Queryable) => Promise<unknown>][] = [
      ['player_blocked', (tx) => setBlock(tx, ann, new Date())],
      ['game_token_revoked', (tx) => revokeLinksOfPlayer(tx, ann, new Date(Date.now() + 60_000))],
      ['no_spins', (tx) => tx.query(spend, [own.merchantId])],
    ]
    const reset = statement(`
      update players set blocked_at = null, links_valid_from = null, balance = 5 where merchant_id = $1`)
    await givePlayers(own, ['ann', 'bob'])
    for (const [code, change] of changes) {
      const both = await foreseeable(own, ['ann', 'bob'])
      const changing = async (tx: Transaction) => {
        assert.equal((await lockPlayers(tx, [ann])).length, 1)
        await change(tx)
      }
      const [ofAnn] = await during(own, changing, () => atOnce(own.db, both))
      assert.equal(ofAnn, undefined, code)
      const alone = { ...both, orders: both.orders.slice(0, 1) }
      assert.deepEqual((await play(alone, own.db)).map(codeOf), [code])
      await own.db.query(reset, [own.merchantId])
    }
  })

  test('are not carried out for a link, or a merchant, whose revocation was committed before', async () => {
    const own = await merchantWith({})
    await givePlayers(own, ['ann'])
    const soon = new Date(Date.now() + 60_000)
    const cases: [string, string, string][] = [
      [
        'game_token_revoked',
        `insert into revoked_links values ($1, 'any', now())`,
        'delete from revoked_links where merchant_id = $1',
      ],
      [
        'merchant_suspended',
        `update merchants set suspended_at = now() where merchant_id = $1`,
        'update merchants set suspended_at = null where merchant_id = $1',
      ],
      [
        'game_token_revoked',
        `update merchants set links_valid_from = '${soon.toISOString()}' where merchant_id = $1`,
        'update merchants set links_valid_from = null where merchant_id = $1',
      ],
    ]
    for (const [code, change, undo] of cases) {
      const one = await foreseeable(own, ['ann'])
      await asSuperuser(scene.target.database, (client) => client.query(change, [own.merchantId]))
      assert.deepEqual(await atOnce(scene.db, one), [undefined], change)
      assert.deepEqual((await play(one)).map(codeOf), [code])
      await asSuperuser(scene.target.database, (client) => client.query(undo, [own.merchantId]))
    }
    assert.deepEqual(await atOnce(scene.db, await foreseeable(own, ['ann'])), [4])
  })

  test('of a player that has played elsewhere meanwhile are outdated, or the same play', async () => {
    const own = await merchantWith({})
    await givePlayers(own, ['ann'])
    const stale = await foreseeable(own, ['ann'])
    const other = await foreseeable(own, ['ann'])
    const elsewhere = (tx: Transaction) => playWithoutCommit(tx, other)
    assert.deepEqual(await during(scene, elsewhere, () => atOnce(scene.db, stale)), [undefined])
    assert.deepEqual((await play(stale)).map(codeOf), ['play_outdated'])
    const same = await foreseeable(own, ['ann'])
    assert.deepEqual(
      (
        await during(
          scene,
          (tx) => playWithoutCommit(tx, same),
          () => play(same),
        )
      ).map(codeOf),
      ['replayed'],
    )
    const [ann] = await scene.db.transaction((tx) => lockPlayers(tx, [keyOf({ ...own, playerId: 'ann' })]))
    assert.deepEqual([ann?.balance, ann?.playCount], [3, 2])
    await expectSound(scene.db)
  })

  test('of an id that was played before are all left to the transaction', async () => {
    const own = await merchantWith({})
    await givePlayers(own, ['ann', 'bob'])
    const first = await foreseeable(own, ['ann'])
    assert.deepEqual((await play(first)).map(codeOf), ['played'])
    // The process has restarted: it no longer knows the id.
    const { orders, ...rest } = await foreseeable(own, ['ann', 'bob'])
    const again = {
      ...rest,
      orders: orders.map((order, index) =>
        index === 0 ? { ...order, playId: first.orders[0]?.playId ?? '' } : order,
      ),
    }
    assert.deepEqual(await atOnce(scene.db, again), [undefined, undefined])
    assert.deepEqual((await play(again)).map(codeOf), ['replayed', 'played'])
    await expectSound(scene.db)
  })

  test('with one id twice, or two plays of one player, in a batch are one play and a repeat or refusal', async () => {
    const own = await merchantWith({ stock: 100 })
    await givePlayers(own, ['first', 'ann', 'bob'])
    const memory = await memoryAfterPlayOf(own, 'first')
    const { orders, state } = await foreseeable(own, ['ann', 'bob'], memory)
    const [ann, bob] = orders as [PlayOrder, PlayOrder]
    const batch = [ann, { ...ann }, bob, { ...bob, playId: randomUUID() }]
    assert.deepEqual((await play({ orders: batch, state, memory })).map(codeOf), [
      'played',
      'replayed',
      'played',
      'play_outdated',
    ])
    assert.equal((await stockOf(own)).given, 3)
    await expectSound(scene.db)
  })

  test('never give more than the stock, and tell once that it is low and once that it is out', async () => {
    const own = await merchantWith({ stock: 40 })
    const players = times(60, (index) => `p${index}`)
    await givePlayers(own, [...players, 'first'])
    const memory = await memoryAfterPlayOf(own, 'first')
    const verdicts = []
    for (const part of [players.slice(0, 10), players.slice(10, 50), players.slice(50)])
      verdicts.push(...(await play(await foreseeable(own, part, memory))))
    const won = verdicts.filter((verdict) => verdict.outcome === 'played' && verdict.play.won)
    assert.deepEqual([verdicts.length, won.length, (await stockOf(own)).given], [60, 39, 40])
    const events = await eventTypes(scene.db, own.merchantId)
    assert.deepEqual(
      [events.get('prize.won'), events.get('prize.stock_low'), events.get('prize.stock_out')],
      [40, 1, 1],
    )
    await expectSound(scene.db)
  })

  test('are undone together if a publication or another process has left too little stock meanwhile', async (t) => {
    const own = await merchantWith({ stock: 1_000 }, await makeScene(t))
    const { wheelId } = await findWheel(own.db, own.merchantId, 'main')
    await givePlayers(own, ['first', 'ann', 'bob'])
    const memory = await memoryAfterPlayOf(own, 'first')
    const stock = await stockOf(own)
    const wheel = { merchantId: own.merchantId, wheelId }
    const take = statement('update prize_stocks set given = 899 where merchant_id = $1')
    const changes: ((tx: Transaction) => Promise<unknown>)[] = [
      (tx) => setStocks(tx, wheel, [{ id: 'first', stock: 3 }]),
      async (tx) => [await lockStocks(tx, [stock]), await tx.query(take, [own.merchantId])],
    ]
    const reset = statement(`update prize_stocks set given = 1, stock = 1000 where merchant_id = $1`)
    for (const change of changes) {
      const both = await foreseeable(own, ['ann', 'bob'], memory)
      assert.deepEqual(await during(own, change, () => atOnce(own.db, both)), [undefined, undefined])
      const found = { merchantId: own.merchantId, playerIds: ['ann', 'bob'], at: both.state.now }
      const { plays, entries, events } = await rowsOfPlays(own.db, found)
      assert.deepEqual({ plays, entries, events }, { plays: [], entries: [], events: '[]' })
      assert.deepEqual(await readBalances(own.db), { first: 4, ann: 5, bob: 5 })
      await own.db.query(reset, [own.merchantId])
    }
    const both = await foreseeable(own, ['ann', 'bob'], memory)
    const [raise] = [(tx: Transaction) => setStocks(tx, wheel, [{ id: 'first', stock: 5_000 }])]
    assert.deepEqual(
      await during(own, raise, () => atOnce(own.db, both)),
      [4, 4],
      'more stock is no obstacle',
    )
  })

  test('are foreseen only for what the memory knows and the statement can give', async () => {
    const own = await merchantWith({ stock: 1_000 })
    await givePlayers(own, ['first', 'ann'])
    const memory = await memoryAfterPlayOf(own, 'first')
    const { orders, state } = await foreseeable(own, ['ann'], memory)
    const [order] = orders as [PlayOrder]
    const count = (changes: Partial<PlayOrder>, using = memory) =>
      using.foresee([{ ...order, playId: randomUUID(), ...changes }], state).length
    const wheelWith = (changes: object) => {
      const [segment, ...rest] = order.wheel.document.segments
      return {
        wheel: {
          ...order.wheel,
          document: { ...order.wheel.document, segments: [{ ...segment, ...changes }, ...rest] },
        },
      } as Partial<PlayOrder>
    }
    assert.equal(count({}), 1)
    assert.equal(count({}, new PlayMemory()), 0, 'an unknown player')
    assert.equal(
      (await foreseeable(own, ['ann'])).memory.foresee(orders, state).length,
      0,
      'an unknown stock',
    )
    assert.equal(count({ commitment: 'ab'.repeat(32) }), 0)
    assert.equal(count({ versionHash: 'ab'.repeat(32) }), 0, 'another version was published')
    assert.equal(count({ wheel: { ...order.wheel, pausedAt: new Date() } }), 0)
    assert.equal(count(wheelWith({ limitPerPlayer: 5 })), 0)
    assert.equal(count(wheelWith({ winnableFrom: '2099-01-01T00:00:00Z' })), 0)
    assert.equal(count(wheelWith({ prize: { kind: 'spins', spins: 3 } })), 0)
    assert.equal(count(wheelWith({ prize: { kind: 'pool', pool: 'x' } })), 0)
    memory.rememberPlayer(order, { playerNo: 1, playCount: 0, balance: 0, nextExpiry: null })
    assert.equal(count({}), 0, 'a player without spins')
  })

  test('lock players and stocks one by one, in order, whatever the table size and its statistics', async (t) => {
    const own = await makeScene(t)
    const explain = statement<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (generic_plan, format json) ${playMany.text}`,
    )
    const scans = async (name: string) => {
      const [answer] = await own.db.query(explain)
      const update = answer?.['QUERY PLAN'][0].Plan.Plans?.find(
        (node) => node['Subplan Name'] === `CTE ${name}`,
      )
      return nodesOf(update?.Plans?.[0])
    }
    const ofPlayers = ['Nested Loop', 'Subquery Scan', 'Sort', 'Function Scan', 'Index Scan players_pkey']
    const ofStocks = [
      'Nested Loop',
      'Subquery Scan',
      'Aggregate',
      'Sort',
      'CTE Scan',
      'Index Scan prize_stocks_pkey',
    ]
    await publishOnly(own.db, own.merchantId, { stock: 1_000 })
    for (let round = 0; round < 3; round++) {
      assert.deepEqual(await scans('changed'), ofPlayers, `round ${round}`)
      assert.deepEqual(await scans('counted'), ofStocks, `round ${round}`)
      await givePlayers(own, [`p${round}`])
      await asSuperuser(own.target.database, (client) => client.query('analyze'))
    }
  })
})

/** Plays in a transaction that is committed later. */
async function playWithoutCommit(tx: Transaction, { orders, state }: Foreseen): Promise<void> {
  const commitWith: Transaction['commitWith'] = async (last) => {
    await allInOrder([...last])
  }
  await playInTransaction({ ...tx, commitWith }, orders, state)
}

async function eventTypes(db: Queryable, merchantId: number): Promise<Map<string, number>> {
  const types = (await writtenEvents(db, merchantId)).map(([type]) => type)
  return new Map(types.map((type) => [type, types.filter((one) => one === type).length]))
}

type PlanNode = { 'Node Type': string; 'Index Name'?: string; 'Subplan Name'?: string; Plans?: PlanNode[] }

/** The plan nodes from the top, with the outer side of a join before the inner one, without conditions' subqueries. */
function nodesOf(node: PlanNode | undefined): string[] {
  if (node === undefined || node['Subplan Name'] !== undefined) return []
  const name = [node['Node Type'], node['Index Name']].filter((part) => part !== undefined).join(' ')
  return [name, ...(node.Plans ?? []).flatMap(nodesOf)]
}

async function expectSound(db: Scene['db']): Promise<void> {
  assert.deepEqual((await auditLedger(db)).findings, [])
}
