import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { statement } from '../../src/db/database.ts'
import { grantSpins } from '../../src/grants/grant-spins.ts'
import { createLinks } from '../../src/links/create-links.ts'
import { linkAtOnce, link as linkStatement } from '../../src/links/link-at-once.ts'
import { SeenNames } from '../../src/players/seen-names.ts'
import { insertPlayers, playerName } from '../../src/players/ledger.ts'
import { keyOf, makeScene, orderOf, type Scene } from '../scenes/batch-scene.ts'
import { asSuperuser, notOnCluster, openTestDatabase, setDeadlines } from '../scenes/scene.ts'

const now = new Date('2026-11-16T12:00:00Z')

test(
  'links in one statement leave the same events as a transaction, and all or none',
  notOnCluster,
  async (t) => {
    const scene = await makeScene(t)
    const names = ['ann', 'b"\\ob', 'zoë']
    const expiresAt = new Date('2026-11-17T12:00:00Z')
    const lots = { key: 'soon', expiry: { expiresAt, lifetimeDays: null, noticeHours: 0 } }
    await grantSpins(
      scene.db,
      [...names, 'blocked'].map((playerId) => orderOf(scene, { playerId })),
      now,
    )
    await grantSpins(scene.db, [orderOf(scene, { playerId: 'late', ...lots })], now)
    await scene.db.query(block, [scene.merchantId])
    const orders = [...names, 'ann'].map((playerId) => linkOf(scene, playerId))

    const byTransaction = await createLinks(scene.db, orders, now)
    const before = await eventsOf(scene)
    const atOnce = await createLinks(scene.db, orders, now, knowing(orders))
    assert.deepEqual(atOnce, byTransaction)
    const after = await eventsOf(scene)
    assert.equal(after.length, before.length + orders.length)
    assert.deepEqual(after.slice(-orders.length), before.slice(-orders.length))

    for (const [playerId, at] of [
      ['blocked', now],
      ['nobody', now],
      ['late', expiresAt],
    ] as const) {
      const players = [keyOf({ ...scene, playerId: 'ann' }), keyOf({ ...scene, playerId })]
      const done = await scene.db.session((connection) =>
        linkAtOnce(connection, players, {
          events: [
            { ...players[0], merchantId: scene.merchantId, type: 'link.created', at, data: dataOf('ann') },
          ],
          addresses: new Map(),
          now: at,
        }),
      )
      assert.equal(done, undefined, playerId)
    }
    assert.equal((await eventsOf(scene)).length, after.length, 'nothing is written for the others')
    const some = ['ann', 'blocked'].map((playerId) => linkOf(scene, playerId))
    assert.deepEqual(
      (await createLinks(scene.db, some, now, knowing(some))).map(({ outcome }) => outcome),
      ['created', 'refused'],
    )
  },
)

test(
  'players who are not known yet take a transaction, and do not hold up the others',
  notOnCluster,
  async (t) => {
    const scene = await makeScene(t)
    const [known, missing] = [['ann', 'bob'], ['new']]
    await grantSpins(
      scene.db,
      known.map((playerId) => orderOf(scene, { playerId })),
      now,
    )
    const before = await pagesOf(scene)
    const orders = ['new', 'ann', 'bob', 'ann'].map((playerId) => linkOf(scene, playerId))
    const remembered = knowing(orders.filter(({ playerId }) => !missing.includes(playerId)))
    const verdicts = await createLinks(scene.db, orders, now, remembered)
    const numbers = verdicts.map((verdict) => (verdict.outcome === 'created' ? verdict.playerNo : undefined))
    assert.equal(numbers[1], numbers[3])
    assert.equal(new Set(numbers).size, 3)
    const pages = (await pagesOf(scene)).slice(before.length)
    const playersOf = (body: unknown[]) => body.map((event) => (event as [string, number, any])[2].playerId)
    assert.deepEqual(pages.map(playersOf), [
      ['ann', 'bob', 'ann'],
      ['new', 'new'],
    ])
    assert.ok(remembered.has(playerName(orders[0] as (typeof orders)[0])), 'known from now on')
  },
)

test('links that are written are answered even if the rest of their batch fails', notOnCluster, async (t) => {
  const scene = await makeScene(t)
  await grantSpins(scene.db, [orderOf(scene, { playerId: 'ann' })], now)
  const orders = ['held up', 'ann'].map((playerId) => linkOf(scene, playerId))
  const db = openTestDatabase(t, scene.target, { lockTimeoutMs: 500 })
  const [isHeld, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const rival = scene.db.transaction(async (tx) => {
    await insertPlayers(tx, [keyOf({ ...scene, playerId: 'held up' })], now)
    isHeld.resolve()
    await answered.promise
  })
  await isHeld.promise
  setDeadlines(t, { operationMs: 5_000 })
  const verdicts = await createLinks(db, orders, now, knowing(orders.slice(1))).finally(answered.resolve)
  assert.deepEqual(
    verdicts.map((verdict) => (verdict.outcome === 'refused' ? verdict.code : verdict.outcome)),
    ['database_unavailable', 'created'],
  )
  await rival
})

test(
  'links in one statement lock their players in order, whatever the statistics',
  notOnCluster,
  async (t) => {
    const { db, target, merchantId } = await makeScene(t)
    const [server] = await db.query(readVersion)
    if (server === undefined || server.version < 160_000) return t.skip('PostgreSQL 16 has generic plans')
    const explain = statement<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${linkStatement.text}`)
    for (let players = 0; players < 3; players++) {
      const plan = (await db.query(explain)).map((row) => row['QUERY PLAN']).join('\n')
      assert.match(
        plan,
        /Nested Loop[^]*Sort Key: wanted.*shard[^]*LockRows[^]*Index Scan using players_pkey/,
      )
      await grantSpins(db, [orderOf({ merchantId }, { playerId: `p${players}` })], now)
      await asSuperuser(target.database, (client) => client.query('analyze players'))
    }
  },
)

function linkOf(scene: Scene, playerId: string) {
  const { linkId, expiresAt } = dataOf(playerId)
  const link = { linkId, expiresAt: new Date(expiresAt), initial: undefined, campaign: 'main' }
  return { ...keyOf({ ...scene, playerId }), ...link }
}

const ids = new Map<string, string>()

function dataOf(playerId: string) {
  const linkId = ids.get(playerId) ?? randomUUID()
  ids.set(playerId, linkId)
  return { playerId, linkId, expiresAt: '2026-11-20T12:00:00.000Z' }
}

function knowing(orders: readonly { merchantId: number; playerId: string }[]): SeenNames {
  const known = new SeenNames(1024)
  for (const order of orders) known.add(playerName(order))
  return known
}

async function eventsOf(scene: Scene): Promise<unknown[]> {
  return (await pagesOf(scene)).flat()
}

async function pagesOf({ db, merchantId }: Scene): Promise<unknown[][]> {
  const pages = await db.query(readPages, [merchantId])
  return pages.map(({ body }) => JSON.parse(body) as unknown[])
}

const readVersion = statement<{ version: number }>(
  `select current_setting('server_version_num')::int as version`,
)

const readPages = statement<{ body: string }>(`
select body
from event_pages
where merchant_id = $1
order by page_no`)

const block = statement(`
update players
set blocked_at = now()
where merchant_id = $1
and player_id = 'blocked'`)
