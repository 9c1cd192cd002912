// A merchant's integrator tests next year: everything of a test merchant follows its clock, and nothing of a live one
// does.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { auditLedger } from '../../src/integrity/audit.ts'
import { statement } from '../../src/db/database.ts'
import { hashing } from '../../src/fairness/hashing.ts'
import { verifyPlay } from '../../src/fairness/verify-play.ts'
import { testMerchantsMax } from '../../src/limits.ts'
import { findMerchant } from '../../src/merchants/merchants.ts'
import {
  alwaysWins,
  callApi,
  type ManagementApi,
  makeManagementApi,
  type Reply,
} from '../scenes/management-scene.ts'
import { databaseUrl, makeServer, runCli, type Server, suiteLifetime, until } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

describe('a test merchant', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let live: ManagementApi
  let token: string
  const call = (method: string, path: string, body?: unknown, as = token): Promise<Reply> =>
    callApi(server, as, method, path, body === undefined ? {} : { body })
  const ok = async (method: string, path: string, body?: unknown): Promise<Reply> => {
    const reply = await call(method, path, body)
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.headers.get('wheelhouse-mode'), 'test', path)
    return reply
  }
  const refused = async (code: string, ...request: Parameters<typeof call>) => {
    const reply = await call(...request)
    assert.equal(reply.body.code, code, reply.text)
    return reply
  }
  const setClock = (now: string) => ok('PUT', '/api/v1/test/clock', { now })
  const open = async (playerId: string) => {
    const link = await ok('POST', '/api/game/sso', { playerId, initialSpin: 5 })
    const session = await ok('POST', '/api/v1/game/session', { token: link.body.token })
    return { ...session.body, link: link.body.token }
  }
  const play = (session: any) =>
    call('POST', '/api/v1/game/plays', {
      session: session.session,
      playId: randomUUID(),
      playerSeed: randomBytes(32).toString('hex'),
      commitment: session.next.commitment,
      versionHash: session.wheel.hash,
    })

  before(async () => {
    server = await makeServer(lifetime)
    live = await makeManagementApi(server)
    const hours = { timeZone: 'Europe/Berlin', openHours: { from: '03:00', to: '04:00' } }
    await live.publish(alwaysWins({ claimWithinSeconds: 3_600 }, hours))
    await live.call('PATCH', '/merchant', {
      dailyGrantMax: 10,
      spinLifetimeDays: 30,
      linkLifetimeSeconds: 7_200,
    })
    const campaign = { name: 'Spring', wheel: 'main', closesAt: '2027-03-28T02:00:00Z' }
    assert.equal((await live.call('POST', '/campaigns', { campaign: 'spring', ...campaign })).status, 200)
    const made = await live.call('POST', '/test-merchant', {})
    assert.equal(made.status, 200, made.text)
    assert.equal(made.body.merchant, `test-${live.merchant.slug}`)
    token = made.body.token
  })

  test('is made once, marks its answers and events, and shares nothing with the live merchant', async () => {
    assert.match(token, new RegExp(`^test-${live.merchant.slug}-[0-9a-f]{10}:[0-9a-f]{64}$`))
    const again = await live.call('POST', '/test-merchant', { scopes: ['spins'] })
    assert.equal(again.body.merchant, `test-${live.merchant.slug}`)
    const granted = await ok('POST', '/api/player/increaseSpin', { playerId: 'alice', spinNumber: 2 })
    assert.deepEqual(granted.body, { playerId: 'alice', spinCount: 2 })
    assert.equal((await live.call('GET', '/players/alice')).status, 404)
    const own = await callApi(server, live.token, 'POST', '/api/player/increaseSpin', {
      body: { playerId: 'bob', spinNumber: 1 },
    })
    assert.equal(own.headers.get('wheelhouse-mode'), null)
    assert.equal((await ok('GET', '/api/v1/merchant')).body.live, false)
    await until(async () =>
      (await ok('GET', '/api/v1/events')).body.events.some((event: any) => event.data.playerId === 'alice'),
    )
    for (const event of (await ok('GET', '/api/v1/events')).body.events) assert.equal(event.live, false)
  })

  test('is the only one that has a clock', async () => {
    await refused('test_merchant_needed', 'GET', '/api/v1/test/clock', undefined, live.token)
    await refused(
      'test_merchant_needed',
      'PUT',
      '/api/v1/test/clock',
      { now: '2027-01-01T00:00:00Z' },
      live.token,
    )
    await refused('test_merchant_needed', 'POST', '/api/v1/test/reset', undefined, live.token)
    await refused('test_merchant_needed', 'POST', '/api/v1/test/events', { type: 'prize.won' }, live.token)
    await refused('live_merchant_needed', 'POST', '/api/v1/test-merchant', {})
    const { db } = server.ctx
    const sql = `update merchants set clock_ahead_ms = 1 where merchant_id = ${live.merchant.merchantId}`
    await assert.rejects(db.query(statement(sql)), /check constraint/)
  })

  test('sees next spring: summer time, closing, expiry and a new day, each on time', async () => {
    await refused('clock_set_back', 'PUT', '/api/v1/test/clock', { now: '2020-01-01T00:00:00Z' })
    await refused('clock_step_too_large', 'PUT', '/api/v1/test/clock', { now: '2099-01-01T00:00:00Z' })
    await refused('validation_failed', 'PUT', '/api/v1/test/clock', { now: 'tomorrow' })
    await refused('validation_failed', 'PUT', '/api/v1/test/clock', {})

    // Before the change to summer time: 01:58 in Berlin, so the wheel opens in two minutes, not in an hour.
    await setClock('2027-03-28T00:58:00Z')
    const early = await open('carla')
    assert.deepEqual([early.wheel.state, early.wheel.opensAt], ['closed', '2027-03-28T01:00:00.000Z'])
    assert.equal((await play(early)).body.code, 'wheel_closed')
    await ok('POST', '/api/player/increaseSpin', { playerId: 'carla', spinNumber: 5 })
    await refused('daily_grant_limit_exceeded', 'POST', '/api/player/increaseSpin', {
      playerId: 'carla',
      spinNumber: 1,
    })

    await setClock('2027-03-28T01:30:00Z')
    const played = await play(early)
    assert.equal(played.status, 200, played.text)
    assert.equal(played.body.play.playedAt.slice(0, 16), '2027-03-28T01:30')
    assert.equal((await ok('GET', '/api/v1/campaigns/spring')).body.state, 'open')

    // The campaign has closed, the prize was not claimed in time, and the link has expired.
    await setClock('2027-03-28T02:58:30Z')
    assert.equal((await ok('GET', '/api/v1/campaigns/spring')).body.state, 'ended')
    const [prize] = (await ok('GET', '/api/v1/prizes?playerId=carla')).body.prizes
    assert.deepEqual([prize.state, prize.wonAt.slice(0, 16)], ['expired', '2027-03-28T01:30'])
    const expired = await refused('game_token_expired', 'POST', '/api/v1/game/session', { token: early.link })
    const late = await play(early)
    assert.equal(late.body.code, 'game_token_expired')
    for (const reply of [expired, late]) assert.equal(reply.headers.get('wheelhouse-mode'), 'test')

    // Another day, and then a month without a grant.
    await setClock('2027-03-29T00:00:00Z')
    await ok('POST', '/api/player/increaseSpin', { playerId: 'carla', spinNumber: 1 })
    await setClock('2027-04-30T00:00:00Z')
    const { body: entries } = await ok('GET', '/api/v1/players/carla/ledger')
    const expiries = entries.entries.filter((entry: any) => entry.kind === 'expiry')
    assert.deepEqual([...new Set(expiries.map((entry: any) => entry.at.slice(0, 10)))], ['2027-04-30'])
    assert.equal(
      expiries.reduce((sum: number, entry: any) => sum + entry.amount, 0),
      -10,
    )

    // Events have the test merchant's times, and their retention ends by its clock.
    await until(async () => {
      const { events } = (await ok('GET', '/api/v1/events/search?types=spins.expired&playerId=carla')).body
      return events.length === expiries.length
    })
    await setClock('2027-07-30T00:00:00Z')
    assert.deepEqual((await ok('GET', '/api/v1/events/search?types=spins.expired')).body.events, [])
    assert.equal((await ok('GET', '/api/v1/test/clock')).body.now.slice(0, 10), '2027-07-30')

    const env = { DATABASE_URL: databaseUrl(server.target) }
    await runCli(['token', 'issue', `test-${live.merchant.slug}`, '--name', 'by a command'], env)
    const { tokens } = (await ok('GET', '/api/v1/tokens')).body
    const issued = tokens.find((one: any) => one.name === 'by a command')
    assert.equal(issued.createdAt.slice(0, 10), '2027-07-30', 'commands go by the clock too')

    // Reports know these days, by the clock.
    const report = async (name: string) =>
      (await ok('GET', `/api/v1/reports/${name}?from=2027-03-27&to=2027-03-29`)).body
    await until(async () => (await report('funnel')).countedUntil?.startsWith('2027-07-'))
    const days = await report('days')
    assert.deepEqual(
      days.days.map(({ day, plays, spinsGranted }: any) => [day, plays, spinsGranted]),
      [
        ['2027-03-27', 0, 0],
        ['2027-03-28', 1, 10],
        ['2027-03-29', 0, 1],
      ],
    )
    assert.equal(days.countedUntil.slice(0, 8), '2027-07-')
    assert.deepEqual(
      (await report('funnel')).stages.map(({ stage, visits }: any) => [stage, visits]).slice(0, 3),
      [
        ['opened', 1],
        ['played', 1],
        ['won', 1],
      ],
    )
    const liveDays = (await live.call('GET', '/reports/days?from=2027-03-27&to=2027-03-29')).body
    assert.ok(new Date(liveDays.countedUntil ?? 0) < new Date())
    assert.equal((await live.call('GET', '/campaigns/spring')).body.state !== 'ended', true)
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  })

  test('forces outcomes by player id, which never verify and which a live merchant cannot have', async () => {
    await setClock('2027-08-01T01:30:00Z')
    const draws = async (playerId: string) => {
      const { body } = await play(await open(playerId))
      return body
    }
    const { play: forced } = await draws('force-nothing-1')
    assert.deepEqual([forced.label, forced.won, forced.proof.forced], ['Nothing', false, true])
    const { play: empty } = await draws('force-out-of-stock-1')
    assert.deepEqual([empty.label, empty.fallbackReason], ['Nothing', 'out_of_stock'])
    // Chance draws the same segment, so only the mark says that it was forced.
    const { play: same } = await draws('force-mug-1')
    const { published } = await server.ctx.wheels.current(
      (await findMerchant(server.ctx.db, `test-${live.merchant.slug}`)).merchantId,
    )
    assert.deepEqual(
      verifyPlay(same, published, hashing)
        .filter(({ holds }) => !holds)
        .map(({ name }) => name),
      ['segment'],
    )
    assert.equal((await draws('force-nothing')).play.label, 'Nothing')
    assert.equal((await draws('force-no-such-1')).code, 'forced_outcome_unknown')
    const once = { playerId: 'force-error-once-1', spinNumber: 1 }
    assert.deepEqual(
      [
        (await call('POST', '/api/player/increaseSpin', once)).status,
        (await call('POST', '/api/player/increaseSpin', once)).status,
      ],
      [503, 200],
    )
    const own = await callApi(server, live.token, 'POST', '/api/player/increaseSpin', { body: once })
    assert.equal(own.status, 200)
    const mark = `insert into forced_plays (shard, player_no, play_no, merchant_id) values (1, 1, 1, ${live.merchant.merchantId})`
    await assert.rejects(server.ctx.db.query(statement(mark)), /foreign key/)
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  })

  test('plays without a page, as the game does: with ledger, proof and events, and once per play id', async () => {
    await setClock('2027-08-02T01:30:00Z')
    const spin = (body: object) => ok('POST', '/api/v1/test/plays', body)
    await ok('POST', '/api/player/increaseSpin', { playerId: 'fay', spinNumber: 2 })
    const order = { playerId: 'fay', playId: randomUUID() }
    const { body: played } = await spin(order)
    assert.equal(played.spinCount, 1)
    assert.equal(played.play.playedAt.slice(0, 16), '2027-08-02T01:30')
    const { published } = await server.ctx.wheels.current(
      (await findMerchant(server.ctx.db, `test-${live.merchant.slug}`)).merchantId,
    )
    for (const { name, holds } of verifyPlay(played.play, published, hashing)) assert.equal(holds, true, name)
    const { body: repeated } = await spin(order)
    assert.deepEqual([repeated.play, repeated.spinCount], [played.play, 1])
    assert.equal((await spin({ playerId: 'fay', campaign: 'main' })).body.spinCount, 0)
    const { entries } = (await ok('GET', '/api/v1/players/fay/ledger')).body
    assert.deepEqual(
      entries.map((entry: any) => entry.amount),
      [-1, -1, 2],
    )
    await until(async () => {
      const { events } = (await ok('GET', '/api/v1/events/search?playerId=fay&types=prize.won')).body
      return events.length === 2
    })

    const path = '/api/v1/test/plays'
    await refused('no_spins', 'POST', path, { playerId: 'fay' })
    await refused('player_not_found', 'POST', path, { playerId: 'nobody' })
    await refused('campaign_not_found', 'POST', path, { playerId: 'fay', campaign: 'winter' })
    await refused('wheel_closed', 'POST', path, { playerId: 'fay', campaign: 'spring' })
    await refused('validation_failed', 'POST', path, { playerId: 'fay', playId: 'one' })
    await refused('test_merchant_needed', 'POST', path, { playerId: 'fay' }, live.token)
    await ok('PUT', '/api/v1/players/fay/block')
    await refused('player_blocked', 'POST', path, { playerId: 'fay' })
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  })

  test('shows the secrets of a paced run once its clock is past the end', async () => {
    const pace = { units: 2, periods: [{ from: '2027-09-01T00:00:00Z', until: '2027-09-02T00:00:00Z' }] }
    await ok('PUT', '/api/v1/wheels/paced', alwaysWins({ pace }))
    await ok('POST', '/api/v1/wheels/paced/publication')
    const [{ commitment }] = (await ok('GET', '/api/v1/wheels/paced/paces')).body.paces
    const keyOfRun = async () =>
      (await callApi(server, undefined, 'GET', `/api/v1/game/runs/${commitment}`)).body.key
    assert.equal(await keyOfRun(), null)
    await setClock('2027-09-03T00:00:00Z')
    assert.match(await keyOfRun(), /^[0-9a-f]{64}$/)
  })

  test('a repeated request for a link gets the same link, which follows the clock', async () => {
    const link = () =>
      callApi(server, token, 'POST', '/api/v1/links', {
        body: { playerId: 'repeated' },
        headers: { 'idempotency-key': 'link-1' },
      })
    const first = await link()
    const again = await link()
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.deepEqual(again.body, first.body)
  })

  test('starts again with its tokens, campaigns and webhooks, and keeps the old ledger', async () => {
    const url = 'https://shop.example/hook'
    const addWebhook = () =>
      callApi(server, token, 'POST', '/api/v1/webhooks', {
        body: { url },
        headers: { 'idempotency-key': 'shop' },
      })
    const { webhookId } = (await addWebhook()).body
    await ok('PUT', `/api/v1/webhooks/${webhookId}/pause`)
    const { merchantId } = await findMerchant(server.ctx.db, `test-${live.merchant.slug}`)
    const earlier = await open('dora')
    const reset = await ok('POST', '/api/v1/test/reset')
    const old = await refused('game_token_revoked', 'POST', '/api/v1/game/session', { token: earlier.link })
    assert.equal(old.headers.get('wheelhouse-mode'), 'test')
    assert.equal(reset.body.now.slice(0, 4), String(new Date().getUTCFullYear()))
    assert.equal((await call('GET', '/api/v1/players/carla')).status, 404)
    assert.notEqual((await ok('GET', '/api/v1/campaigns/spring')).body.state, 'ended')
    const fresh = await findMerchant(server.ctx.db, `test-${live.merchant.slug}`)
    assert.notEqual(fresh.merchantId, merchantId)
    const replaced = await findMerchant(server.ctx.db, `test-${live.merchant.slug}.${merchantId}`)
    assert.equal(replaced.merchantId, merchantId)
    const { webhooks } = (await ok('GET', '/api/v1/webhooks')).body
    assert.deepEqual(
      webhooks.map((one: any) => [one.webhookId, one.url, one.pausedAt === null]),
      [[webhookId, url, false]],
    )
    // A repeat of the creation finds it.
    assert.equal((await addWebhook()).body.webhookId, webhookId)
    await ok('POST', '/api/v1/test/events', { type: 'prize.won' })
    await until(async () => (await ok('GET', '/api/v1/events?types=prize.won')).body.events.length === 1)
    await refused('validation_failed', 'POST', '/api/v1/test/events', { type: 'no.such' })
  })
})

describe('several test merchants of one merchant', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let live: ManagementApi
  const ok = async (token: string, method: string, path: string, body?: unknown) => {
    const reply = await callApi(server, token, method, `/api/v1${path}`, body === undefined ? {} : { body })
    assert.equal(reply.status, 200, reply.text)
    return reply.body
  }
  const open = (name: string) => ok(live.token, 'POST', `/test-merchant?test=${name}`, {})

  before(async () => {
    server = await makeServer(lifetime)
    live = await makeManagementApi(server)
    await live.publish(alwaysWins({}))
  })

  test('have players and clocks of their own, and start again without touching each other', async () => {
    const { slug } = live.merchant
    const [one, two] = [await open('ci-1'), await open('ci-2')]
    assert.deepEqual([one.merchant, one.test], [`test-${slug}_ci-1`, 'ci-1'])
    assert.equal((await open('ci-1')).merchant, one.merchant)
    await ok(one.token, 'PUT', '/test/clock', { now: '2027-03-01T00:00:00Z' })
    await ok(two.token, 'PUT', '/test/clock', { now: '2027-06-01T00:00:00Z' })
    for (const { token } of [one, two]) {
      const granted = { body: { playerId: 'alice', spinNumber: 1 } }
      const { body } = await callApi(server, token, 'POST', '/api/player/increaseSpin', granted)
      assert.equal(body.spinCount, 1)
    }
    const { play } = await ok(one.token, 'POST', '/test/plays', { playerId: 'alice' })
    assert.equal(play.playedAt.slice(0, 7), '2027-03')
    await ok(one.token, 'POST', '/test/reset')
    assert.equal((await callApi(server, one.token, 'GET', '/api/v1/players/alice')).status, 404)
    assert.equal((await ok(two.token, 'GET', '/players/alice')).spinCount, 1)
    assert.equal((await ok(two.token, 'GET', '/test/clock')).now.slice(0, 7), '2027-06')
    await ok(live.token, 'PUT', '/test-merchant')
    const { testMerchants } = await ok(live.token, 'GET', '/test-merchants')
    assert.deepEqual(
      testMerchants.map((made: any) => made.merchant),
      [`test-${slug}`, `test-${slug}_ci-1`, `test-${slug}_ci-2`],
    )
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  })

  test('are promoted by name, removed by name, and limited in number', onLanding, async () => {
    await ok(live.token, 'PUT', '/test-merchant?test=ci-2')
    const { token } = await open('ci-3')
    await ok(token, 'PUT', '/wheels/main', alwaysWins({ label: 'From the third' }))
    await ok(token, 'POST', '/wheels/main/publication')
    const shown = await ok(live.token, 'GET', '/test-merchant/wheels/main/promotion?test=ci-3')
    assert.equal(shown.from, `test-${live.merchant.slug}_ci-3`)
    assert.deepEqual(
      shown.changes.map((change: any) => change.after),
      ['From the third'],
    )
    const promote = (name: string) =>
      callApi(server, live.token, 'POST', `/api/v1/test-merchant/wheels/main/promotion?test=${name}`, {
        body: {},
        headers: { 'If-Match': `"${shown.revision}"` },
      })
    assert.equal((await promote('ci-2')).body.code, 'promotion_changed')
    assert.equal((await promote('ci-3')).body.changes, 1)
    await ok(live.token, 'DELETE', '/test-merchant?test=ci-3')
    for (const method of ['GET', 'DELETE'])
      assert.equal(
        (await live.call(method, '/test-merchant?test=ci-3')).body.code,
        'merchant_not_found',
        method,
      )
    const { status, body } = await callApi(server, token, 'GET', '/api/v1/players')
    assert.deepEqual([status, body.code], [401, 'token_revoked'])
    assert.deepEqual((await callApi(server, token, 'GET', '/readyz')).body, { status: 'ready' })
    assert.equal((await live.call('PUT', '/test-merchant?test=Ci_3')).body.code, 'validation_failed')
    const env = { DATABASE_URL: databaseUrl(server.target) }
    const created = await runCli(['test', 'create', live.merchant.slug, '--name', 'ci-3', '--json'], env)
    const { merchant } = JSON.parse(created.stdout) as { merchant: string }
    assert.equal(merchant, `test-${live.merchant.slug}_ci-3`, created.stderr)
    await runCli(['test', 'remove', merchant], env)
    assert.equal((await live.call('GET', '/test-merchant?test=ci-3')).status, 404)
    const { length } = (await ok(live.token, 'GET', '/test-merchants')).testMerchants
    for (let made = length; made < testMerchantsMax; made++)
      await ok(live.token, 'PUT', `/test-merchant?test=more-${made}`)
    assert.equal(
      (await live.call('PUT', '/test-merchant?test=last')).body.code,
      'test_merchant_limit_reached',
    )
  })
})
