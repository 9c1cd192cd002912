import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { readEvents } from '../src/events/event-log.ts'
import { numberNextPages } from '../src/events/sequencer.ts'
import { auditLedger } from '../src/audit/audit.ts'
import { prizesExpiredAtOnceMax } from '../src/limits.ts'
import { decideSettlement, pastOf, type SettlementAction } from '../src/prizes/decide-settlement.ts'
import { expirePrizes } from '../src/prizes/expire-prizes.ts'
import type { Settlement } from '../src/prizes/prize-settlements.ts'
import { uploadCodes } from '../src/stock/code-pools.ts'
import { readStocks } from '../src/stock/prize-stocks.ts'
import { findWheel } from '../src/wheels/wheels.ts'
import { alwaysWins, callApi, type Desk, makeDesk, readAll } from './management-scene.ts'
import { asSuperuser, makeMerchant, makeServer, type Server, suiteLifetime, times, until } from './scene.ts'

test('a prize reaches one final state, whatever is tried in whatever order', () => {
  const actions = fc.constantFrom<SettlementAction>('claim', 'redeem', 'cancel')
  fc.assert(
    fc.property(
      fc.array(fc.tuple(actions, fc.constantFrom('k1', 'k2'), fc.integer({ min: 0, max: 9 }))),
      (tries) => {
        const steps: Settlement[] = []
        const claimBefore = new Date(5)
        for (const [action, key, at] of tries) {
          const verdict = decideSettlement(action, { steps, claimBefore }, { key, now: new Date(at) })
          if (verdict.outcome !== 'settle') continue
          if (action !== 'cancel') assert.ok(at < 5 || steps.length > 0, 'too late')
          steps.push({ state: pastOf[action], key } as Settlement)
        }
        const names = steps.map((step) => step.state).join()
        assert.match(names, /^(claimed)?,?(redeemed|cancelled)?$/)
      },
    ),
  )
})

describe('/api/v1/prizes', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let laterMs = 0
  before(async () => {
    server = await makeServer(lifetime, { now: () => new Date(Date.now() + laterMs) })
  })
  const settle = (desk: Desk, play: any, noun: string, body: object = {}, headers?: Record<string, string>) =>
    desk.call('PUT', `/prizes/${play.playId}/${noun}`, body, headers)
  const stockOf = async (desk: Desk) =>
    (await readStocks(server.ctx.db, await findWheel(server.ctx.db, desk.merchant.merchantId, 'main')))[0]
  const eventsOf = async (desk: Desk) => {
    while ((await numberNextPages(server.ctx.db)).pages > 0);
    const events = await readEvents(server.ctx.db, {
      merchantId: desk.merchant.merchantId,
      after: 0,
      limit: 1_000,
    })
    return events.filter((event) => event.type.startsWith('prize.') && event.type !== 'prize.won')
  }

  test('a prize is claimed, then redeemed once: the second cashier is refused and sees who redeemed it', async () => {
    const desk = await makeDesk(server)
    await desk.publish(alwaysWins({}))
    const play = await desk.play('p')
    const read = await desk.call('GET', `/prizes/${play.playId}`)
    assert.deepEqual([read.body.state, read.body.prizeId, read.body.playerId], ['won', 'mug', 'p'])
    const claimKey = { 'Idempotency-Key': 'claim-1' }
    assert.equal((await settle(desk, play, 'claim', {}, claimKey)).body.state, 'claimed')
    assert.equal((await settle(desk, play, 'claim')).status, 200, 'to claim again does no harm')
    const redeemed = await settle(desk, play, 'redemption', {}, { 'Idempotency-Key': 'till-1' })
    assert.deepEqual([redeemed.status, redeemed.body.state], [200, 'redeemed'])
    const repeat = await settle(desk, play, 'redemption', {}, { 'Idempotency-Key': 'till-1' })
    assert.deepEqual([repeat.status, repeat.headers.get('idempotent-replayed')], [200, 'true'])
    for (const headers of [undefined, { 'Idempotency-Key': 'till-2' }]) {
      const second = await settle(desk, play, 'redemption', {}, headers)
      assert.deepEqual([second.status, second.body.code], [409, 'prize_settled'])
      assert.match(second.body.detail, new RegExp(`redeemed at .* by token:${desk.merchant.slug}`))
    }
    assert.equal((await settle(desk, play, 'cancellation', { reason: 'late' })).body.code, 'prize_settled')
    assert.equal((await settle(desk, play, 'claim')).body.code, 'prize_settled')
    const late = await settle(desk, play, 'claim', {}, claimKey)
    assert.deepEqual(
      [late.status, late.headers.get('idempotent-replayed'), late.body.state],
      [200, 'true', 'redeemed'],
      'the claim whose answer was lost',
    )
    const data = {
      playerId: 'p',
      playId: play.playId,
      prizeId: 'mug',
      by: `token:${desk.token.split(':')[0]}`,
    }
    assert.deepEqual(
      (await eventsOf(desk)).map((event) => [event.type, event.data]),
      [
        ['prize.claimed', data],
        ['prize.redeemed', data],
      ],
    )
  })

  test('a prize redeemed by a server with a slow clock still has a claim time before its redemption', async (t) => {
    const desk = await makeDesk(server)
    await desk.publish(alwaysWins({}))
    const play = await desk.play('alice')
    t.after(() => (laterMs = 0))
    laterMs = 3_600_000
    const { body: claimed } = await settle(desk, play, 'claim')
    laterMs = 0
    const { body: redeemed } = await settle(desk, play, 'redemption')
    assert.equal(redeemed.state, 'redeemed')
    assert.equal(redeemed.settledAt, claimed.claimedAt)
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  })

  test('of fifty concurrent redemptions of one prize, one succeeds', async () => {
    const desk = await makeDesk(server)
    await desk.publish(alwaysWins({}))
    const play = await desk.play('p')
    const answers = await Promise.all(times(50, () => settle(desk, play, 'redemption')))
    const statuses = Map.groupBy(answers, (answer) => answer.status)
    assert.deepEqual([statuses.get(200)?.length, statuses.get(409)?.length], [1, 49])
    assert.equal((await eventsOf(desk)).length, 1)
  })

  test('a cancelled prize is returned to its total and daily stock once and can be won again', async () => {
    const desk = await makeDesk(server)
    await desk.publish(alwaysWins({ stock: 2, stockPerDay: 1 }))
    const play = await desk.play('p')
    assert.equal((await desk.play('q')).won, false, 'one a day')
    const stock = await stockOf(desk)
    assert.deepEqual([stock?.given, stock?.dayGiven], [1, 1])
    const answers = await Promise.all(
      times(10, () => settle(desk, play, 'cancellation', { reason: 'fraud' })),
    )
    assert.equal(answers.filter((answer) => answer.status === 200).length, 1)
    const returned = await stockOf(desk)
    assert.deepEqual([returned?.given, returned?.dayGiven], [0, 0])
    const read = await desk.call('GET', `/prizes/${play.playId}`)
    assert.deepEqual(
      [read.body.state, read.body.stockReturned, read.body.reason],
      ['cancelled', true, 'fraud'],
    )
    const again = await desk.play('q')
    assert.equal(again.won, true)
    const kept = await settle(desk, again, 'cancellation', { reason: 'broken', returnStock: false })
    assert.deepEqual([kept.body.stockReturned, (await stockOf(desk))?.given], [false, 1])
    assert.equal(
      (await settle(desk, play, 'cancellation', {})).body.code,
      'validation_failed',
      'a reason is a must',
    )
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  })

  test('a repeated cancellation with the same key returns the prize, and stock is returned once', async () => {
    const desk = await makeDesk(server)
    await desk.publish(alwaysWins({ stock: 5 }))
    const play = await desk.play('p')
    for (const _ of times(3, () => 0)) {
      const answer = await settle(desk, play, 'cancellation', { reason: 'r' }, { 'Idempotency-Key': 'c' })
      assert.equal(answer.status, 200)
    }
    assert.equal((await stockOf(desk))?.given, 0)
  })

  test('a code is found by exact match, and the code of a cancelled prize is not issued again', async () => {
    const desk = await makeDesk(server)
    const { merchantId } = desk.merchant
    await uploadCodes(server.ctx.db, { merchantId, pool: 'p' }, ['CODE-1', 'CODE-2'], new Date())
    await desk.publish(alwaysWins({ prize: { kind: 'pool', pool: 'p' }, stock: 2 }))
    const first = await desk.play('p')
    assert.equal(first.prize.code, 'CODE-1')
    const found = await desk.call('GET', '/prizes?code=CODE-1')
    assert.deepEqual(
      found.body.prizes.map((prize: any) => [prize.playId, prize.code, prize.kind]),
      [[first.playId, 'CODE-1', 'pool']],
    )
    for (const code of ['code-1', 'CODE', 'CODE-2'])
      assert.deepEqual((await desk.call('GET', `/prizes?code=${code}`)).body.prizes, [], code)
    await settle(desk, first, 'cancellation', { reason: 'r' })
    assert.equal((await desk.play('p')).prize.code, 'CODE-2')
    assert.equal((await desk.play('p')).fallbackReason, 'out_of_stock')
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  })

  test('prizes are listed newest first, filtered by state, prize and player, each once over all pages', async () => {
    const desk = await makeDesk(server)
    await desk.publish(alwaysWins({}))
    const plays = []
    for (const index of times(12, (one) => one)) plays.push(await desk.play(`p${index % 3}`))
    const [a, b, c] = plays as [any, any, any]
    await settle(desk, a, 'claim')
    await settle(desk, b, 'redemption')
    await settle(desk, c, 'cancellation', { reason: 'r' })
    const ids = (prizes: any[]) => prizes.map((prize) => prize.playId)
    assert.deepEqual(ids(await readAll(desk, '/prizes?limit=5', 'prizes')), ids(plays.toReversed()))
    assert.deepEqual(
      ids(await readAll(desk, '/prizes?limit=2&state=won', 'prizes')),
      ids(plays.slice(3).toReversed()),
    )
    for (const [state, play] of [
      ['claimed', a],
      ['redeemed', b],
      ['cancelled', c],
    ] as const)
      assert.deepEqual(ids(await readAll(desk, `/prizes?state=${state}`, 'prizes')), [play.playId], state)
    await settle(desk, a, 'redemption')
    assert.deepEqual(await readAll(desk, '/prizes?state=claimed', 'prizes'), [])
    assert.deepEqual(ids(await readAll(desk, '/prizes?state=redeemed&limit=1', 'prizes')), ids([b, a]))
    assert.equal((await readAll(desk, '/prizes?playerId=p1&limit=2', 'prizes')).length, 4)
    assert.equal((await readAll(desk, '/prizes?prizeId=mug&wheel=main', 'prizes')).length, 12)
    assert.deepEqual(await readAll(desk, '/prizes?prizeId=other', 'prizes'), [])
    assert.equal((await desk.call('GET', '/prizes?wheel=nowhere')).body.code, 'wheel_not_found')
    const future = new Date(Date.now() + laterMs + 1_000).toISOString()
    assert.deepEqual(await readAll(desk, `/prizes?from=${future}`, 'prizes'), [])
  })

  test("a prize's claim is never later than its redemption, whatever the clocks of two servers say", async () => {
    const desk = await makeDesk(server)
    await desk.publish(alwaysWins({}))
    const play = await desk.play('p')
    await settle(desk, play, 'claim')
    laterMs -= 60_000
    try {
      const redeemed = await settle(desk, play, 'redemption')
      assert.deepEqual([redeemed.status, redeemed.body.settledAt], [200, redeemed.body.claimedAt])
    } finally {
      laterMs += 60_000
    }
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  })

  test('a prize is redeemed even if its player is erased at the same time', async () => {
    const desk = await makeDesk(server)
    await desk.publish(alwaysWins({}))
    const play = await desk.play('p')
    const { merchantId } = desk.merchant
    const redeemed = await asSuperuser(server.target.database, async (client) => {
      await client.query('begin')
      await client.query(`update players set player_id = 'erased-x' where merchant_id = ${merchantId}`)
      const answer = settle(desk, play, 'redemption')
      await until(async () => {
        const { rows } = await client.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return rows.length > 0
      })
      await client.query('commit')
      return answer
    })
    assert.deepEqual([redeemed.status, redeemed.body.playerId], [200, 'erased-x'])
    await asSuperuser(server.target.database, (client) =>
      client.query(`update players set player_id = 'p' where merchant_id = ${merchantId}`),
    )
  })

  test('spins that were won need no settlement', async () => {
    const desk = await makeDesk(server)
    await desk.publish(alwaysWins({ prize: { kind: 'spins', spins: 2 } }))
    const play = await desk.play('p')
    assert.deepEqual(await readAll(desk, '/prizes', 'prizes'), [])
    assert.equal((await desk.call('GET', `/prizes/${play.playId}`)).body.code, 'play_not_found')
    assert.equal((await settle(desk, play, 'redemption')).status, 404)
  })

  test('a play id copied by another player costs nobody a prize: the player id tells them apart', async () => {
    const desk = await makeDesk(server)
    await desk.publish(alwaysWins({}))
    const play = await desk.play('honest', undefined)
    await desk.play('copycat', play.playId)
    assert.equal((await desk.call('GET', `/prizes/${play.playId}`)).body.code, 'play_ambiguous')
    assert.equal((await settle(desk, play, 'redemption')).body.code, 'play_ambiguous')
    const mine = await desk.call('PUT', `/prizes/${play.playId}/redemption?playerId=honest`, {})
    assert.deepEqual([mine.body.state, mine.body.playerId], ['redeemed', 'honest'])
    assert.equal((await desk.call('GET', `/prizes/${play.playId}?playerId=copycat`)).body.state, 'won')
    assert.equal((await desk.call('GET', `/plays/${play.playId}?playerId=copycat`)).body.playerId, 'copycat')
  })

  test('an unclaimed prize expires once, with one event, over several processes', async () => {
    const desk = await makeDesk(server)
    await desk.publish(alwaysWins({ claimWithinSeconds: 60, stock: 10 }))
    const late = await desk.play('p')
    const claimed = await desk.play('q')
    await settle(desk, claimed, 'claim')
    await expirePrizes(server.ctx.db, server.ctx.now())
    assert.equal((await desk.call('GET', `/prizes/${late.playId}`)).body.state, 'won')
    laterMs += 61_000
    assert.equal((await settle(desk, late, 'claim')).body.code, 'prize_expired')
    assert.equal((await settle(desk, late, 'redemption')).body.code, 'prize_expired')
    assert.equal((await desk.call('GET', `/prizes/${late.playId}`)).body.state, 'expired')
    await Promise.all(times(8, () => expirePrizes(server.ctx.db, server.ctx.now())))
    await until(async () => (await readAll(desk, '/prizes?state=expired', 'prizes')).length > 0)
    const events = (await eventsOf(desk)).filter((event) => event.type === 'prize.expired')
    assert.deepEqual(
      events.map((event) => event.data),
      [{ playerId: 'p', playId: late.playId, prizeId: 'mug' }],
    )
    assert.deepEqual(
      (await readAll(desk, '/prizes?state=expired', 'prizes')).map((prize) => [
        prize.playId,
        prize.settledBy,
      ]),
      [[late.playId, 'worker:prize-expiry']],
    )
    assert.equal(
      (await settle(desk, claimed, 'redemption')).body.state,
      'redeemed',
      'a claimed one does not expire',
    )
    assert.equal((await stockOf(desk))?.given, 2, 'an expired prize stays given')
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  })

  test('many prizes expire in bounded batches', async () => {
    const desk = await makeDesk(server)
    await desk.publish(alwaysWins({ claimWithinSeconds: 60 }))
    const players = times(40, (index) => `x${index}`)
    for (const _ of times(3, () => 0)) await Promise.all(players.map((player) => desk.play(player)))
    laterMs += 61_000
    // The server's own worker may expire some of them.
    assert.ok((await expirePrizes(server.ctx.db, server.ctx.now())) <= prizesExpiredAtOnceMax)
    const expired = async () => (await readAll(desk, '/prizes?state=expired&limit=100', 'prizes')).length
    await until(async () => (await expired()) === 120)
  })

  test('a token with the scope prizes settles prizes and can do nothing else', async () => {
    const desk = await makeDesk(server)
    await desk.publish(alwaysWins({}))
    const play = await desk.play('p')
    const { token } = (await desk.call('POST', '/tokens', { name: 'till', scopes: ['prizes'] })).body
    const till = (method: string, path: string, body?: unknown) =>
      callApi(server, token, method, `/api/v1${path}`, body === undefined ? {} : { body })
    assert.equal((await till('GET', '/prizes')).status, 200)
    assert.equal((await till('PUT', `/prizes/${play.playId}/redemption`, {})).status, 200)
    for (const path of ['/players', '/plays', '/audit-log', '/wheels', '/tokens'])
      assert.equal((await till('GET', path)).body.code, 'scope_missing', path)
    const reader = await makeMerchant(server.ctx.db, { scopes: ['read'] })
    assert.equal((await callApi(server, reader.token, 'GET', '/api/v1/prizes')).status, 200)
    const tried = await callApi(server, reader.token, 'PUT', `/api/v1/prizes/${play.playId}/claim`, {
      body: {},
    })
    assert.equal(tried.body.code, 'scope_missing')
  })
})
