import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { readEvents } from '../../src/events/event-log.ts'
import { uploadCodes } from '../../src/stock/code-pools.ts'
import { defaultWheel, type WheelSegment } from '../../src/wheel-document/wheel-document.ts'
import { publishWheel, saveDraft } from '../../src/wheels/wheels.ts'
import { numberAllPages } from '../scenes/event-scene.ts'
import {
  asSuperuser,
  makeMerchant,
  makeServer,
  post,
  type Server,
  suiteLifetime,
  times,
  until,
} from '../scenes/scene.ts'

describe('events', () => {
  const lifetime = suiteLifetime()
  let server: Server
  before(async () => {
    server = await makeServer(lifetime)
  })

  async function scene(prize?: Partial<WheelSegment>) {
    const { merchant, token } = await makeMerchant(server.ctx.db)
    const { merchantId } = merchant
    const { db } = server.ctx
    if (prize !== undefined) {
      const first = { id: 'first', label: 'First', color: '#112233', weight: 1, ...prize } as WheelSegment
      const none = {
        id: 'none',
        label: 'None',
        color: '#445566',
        weight: 0,
        prize: { kind: 'none' as const },
      }
      const draft = { ...defaultWheel, fallback: 'none', segments: [first, none] }
      await uploadCodes(
        db,
        { merchantId, pool: 'codes' },
        times(20, (index) => `CODE-${index}`),
        new Date(),
      )
      await saveDraft(db, { merchantId, slug: 'main', draft, revision: undefined, now: new Date() })
      const { version } = await publishWheel(db, { merchantId, slug: 'main', now: new Date() })
      await until(async () => (await server.ctx.wheels.current(merchantId)).version === version)
    }
    const emitted = async (...types: string[]) => {
      await numberAllPages(db)
      const events = await readEvents(db, { merchantId, after: 0, limit: 1_000 })
      return events
        .filter(({ type }) => types.includes(type))
        .map(({ type, data }) => ({ type, data: data as any }))
    }
    const call = (path: string, body: object, headers = {}) =>
      post(`${server.url}${path}`, token, body, headers)
    const read = async (path: string): Promise<any> =>
      (await fetch(`${server.url}${path}`, { headers: { Authorization: token } })).json()
    return { merchant, call, emitted, read }
  }

  async function play(call: (path: string, body: object) => ReturnType<typeof post>, playerId: string) {
    const link = await call('/api/game/sso', { playerId })
    const opened = (await call('/api/v1/game/session', { token: link.body.token })).body as any
    const answer = await call('/api/v1/game/plays', {
      session: opened.session,
      playId: randomUUID(),
      playerSeed: randomBytes(32).toString('hex'),
      commitment: opened.next.commitment,
      versionHash: opened.wheel.hash,
    })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body.play as any
  }

  test('a play that is refused after its seed was sent emits an event', async () => {
    const { call, emitted } = await scene()
    await call('/api/player/increaseSpin', { playerId: 'pia', spinNumber: 1 })
    const link = await call('/api/game/sso', { playerId: 'pia' })
    const opened = (await call('/api/v1/game/session', { token: link.body.token })).body as any
    const [playId, seed] = [randomUUID(), randomBytes(32).toString('hex')]
    const order = { session: opened.session, playId, playerSeed: seed, commitment: opened.next.commitment }
    const { body } = await call('/api/v1/game/plays', { ...order, versionHash: seed })
    assert.equal(body.code, 'play_outdated')
    assert.deepEqual(await emitted('play.refused', 'play.completed'), [
      { type: 'play.refused', data: { playerId: 'pia', playId, reason: 'play_outdated' } },
    ])
  })

  test('a grant emits one event, with the old and new balance and its key', async () => {
    const { call, emitted } = await scene()
    const key = { 'Idempotency-Key': 'order-1' }
    await call('/api/player/increaseSpin', { playerId: 'pia', spinNumber: 2 }, key)
    await call('/api/player/increaseSpin', { playerId: 'pia', spinNumber: 2 }, key)
    await call('/api/player/increaseSpin', { playerId: 'pia', spinNumber: 3 }, key)
    await call('/api/player/increaseSpin', { playerId: 'pia', spinNumber: 5 })
    const about = { playerId: 'pia', kind: 'grant', reason: null }
    assert.deepEqual(await emitted('player.created', 'spins.granted'), [
      { type: 'player.created', data: { playerId: 'pia' } },
      {
        type: 'spins.granted',
        data: { ...about, amount: 2, oldBalance: 0, newBalance: 2, idempotencyKey: 'order-1' },
      },
      {
        type: 'spins.granted',
        data: { ...about, amount: 5, oldBalance: 2, newBalance: 7, idempotencyKey: null },
      },
    ])
  })

  test('a link emits an event each time, its initial spins once, and never the token', async () => {
    const { call, emitted } = await scene()
    const links = [
      await call('/api/game/sso', { playerId: 'pia', initialSpin: 3 }),
      await call('/api/game/sso', { playerId: 'pia', initialSpin: 3 }),
    ]
    const events = await emitted('player.created', 'spins.granted', 'link.created')
    assert.deepEqual(
      events.map(({ type }) => type),
      ['player.created', 'spins.granted', 'link.created', 'link.created'],
    )
    assert.deepEqual([events[1]?.data.kind, events[1]?.data.newBalance], ['initial', 3])
    assert.ok(links.every(({ body }) => !JSON.stringify(events).includes(String(body.token))))
  })

  test('a refused request emits nothing', async () => {
    const { call, emitted } = await scene()
    await call('/api/player/increaseSpin', { playerId: 'pia', spinNumber: 0 })
    await call('/api/player/increaseSpin', { playerId: 'pia', spinNumber: 1_000_001 })
    assert.deepEqual(await emitted('player.created', 'spins.granted'), [])
  })

  test('a play, its prize with the code, and low and exhausted stock emit events', async () => {
    const { call, emitted } = await scene({ prize: { kind: 'pool', pool: 'codes' }, stock: 10 })
    await call('/api/player/increaseSpin', { playerId: 'pia', spinNumber: 12 })
    const plays = []
    for (let index = 0; index < 11; index++) plays.push(await play(call, 'pia'))
    const events = await emitted('play.completed', 'prize.won', 'prize.stock_low', 'prize.stock_out')
    const ofType = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data)
    assert.deepEqual(
      ofType('play.completed').map(({ playId, oldBalance, newBalance, won }) => [
        playId,
        oldBalance,
        newBalance,
        won,
      ]),
      plays.map(({ playId }, index) => [playId, 12 - index, 11 - index, index < 10]),
    )
    assert.equal(ofType('play.completed')[10].fallbackReason, 'out_of_stock')
    assert.deepEqual(
      ofType('prize.won').map(({ code, prizeId }) => [prizeId, code]),
      plays.slice(0, 10).map(({ prize }) => ['first', prize.code]),
    )
    assert.deepEqual(ofType('prize.stock_low'), [
      { wheel: 'main', prizeId: 'first', label: 'First', left: 1 },
    ])
    assert.deepEqual(ofType('prize.stock_out'), [
      { wheel: 'main', prizeId: 'first', label: 'First', left: 0 },
    ])
  })

  for (const [prize, emitted] of [
    [
      { kind: 'fixed', code: 'SAVE10' },
      { code: 'SAVE10', url: null },
    ],
    [
      { kind: 'link', url: 'https://shop.example/win' },
      { code: null, url: 'https://shop.example/win' },
    ],
    [{ kind: 'handover' }, { code: null, url: null }],
  ] as const)
    test(`a prize of kind ${prize.kind} is described in the event and in the lists`, async () => {
      const { call, emitted: events, read } = await scene({ prize })
      await call('/api/player/increaseSpin', { playerId: 'pia', spinNumber: 1 })
      const { playId } = await play(call, 'pia')
      const [won] = await events('prize.won')
      assert.deepEqual({ code: won?.data.code ?? null, url: won?.data.url ?? null }, emitted)
      const { prizes } = await read('/api/v1/prizes')
      for (const listed of [prizes[0], await read(`/api/v1/prizes/${playId}`)])
        assert.deepEqual({ code: listed.code, url: listed.url }, emitted)
      assert.equal(typeof won?.data.number, prize.kind === 'handover' ? 'string' : 'undefined')
      assert.equal(won?.data.number ?? null, prizes[0].number)
    })

  test('won spins emit an event after the play that won them', async () => {
    const { call, emitted } = await scene({ prize: { kind: 'spins', spins: 4 } })
    await call('/api/game/sso', { playerId: 'pia', initialSpin: 1 })
    await play(call, 'pia')
    const [, completed, won, granted] = await emitted('spins.granted', 'play.completed', 'prize.won')
    assert.deepEqual([completed?.data.oldBalance, completed?.data.newBalance], [1, 4])
    assert.deepEqual([won?.data.kind, won?.data.spins], ['spins', 4])
    assert.deepEqual(
      [granted?.data.kind, granted?.data.oldBalance, granted?.data.newBalance],
      ['prize', 0, 4],
    )
  })

  test('an event that cannot be written rolls back the change that it reports', async (t) => {
    const own = await makeServer(t)
    const { token } = await makeMerchant(own.ctx.db)
    const give = () => post(`${own.url}/api/player/increaseSpin`, token, { playerId: 'pia', spinNumber: 1 })
    assert.equal((await give()).status, 200)
    const change = (sql: string) => asSuperuser(own.target.database, (client) => client.query(sql))
    await change('alter table event_pages add constraint full_disk check (false) not valid')
    assert.equal((await give()).status, 500)
    await change('alter table event_pages drop constraint full_disk')
    assert.equal((await give()).body.spinCount, 2)
  })
})
