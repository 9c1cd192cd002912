import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { readEvents } from '../../src/events/event-log.ts'
import { auditLedger } from '../../src/integrity/audit.ts'
import { prizesExpiredAtOnceMax } from '../../src/limits.ts'
import {
  decideSettlement,
  nextStep,
  type SettlementAction,
  stateAfter,
} from '../../src/prizes/decide-settlement.ts'
import { expirePrizes } from '../../src/prizes/expire-prizes.ts'
import type { Settlement } from '../../src/prizes/prize-settlements.ts'
import { prizeNumber } from '../../src/prize-kinds/prize-number.ts'
import { uploadCodes } from '../../src/stock/code-pools.ts'
import { readStocks } from '../../src/stock/prize-stocks.ts'
import { findWheel } from '../../src/wheels/wheels.ts'
import { numberAllPages } from '../scenes/event-scene.ts'
import {
  alwaysWins,
  callApi,
  type ManagementApi,
  makeManagementApi,
  readAll,
} from '../scenes/management-scene.ts'
import {
  asSuperuser,
  makeMerchant,
  makeServer,
  notOnCluster,
  post,
  type Server,
  suiteLifetime,
  times,
  until,
} from '../scenes/scene.ts'
import { makeStaff, signInAs } from '../scenes/staff-scene.ts'

test('a prize reaches one final state at a time, whatever is tried in whatever order', () => {
  const actions = fc.constantFrom<SettlementAction>('claim', 'redeem', 'cancel', 'reverse')
  fc.assert(
    fc.property(
      fc.array(fc.tuple(actions, fc.constantFrom('k1', 'k2'), fc.integer({ min: 0, max: 9 }))),
      (tries) => {
        const steps: Settlement[] = []
        const claimBefore = new Date(5)
        for (const [action, key, at] of tries) {
          const about = { reason: null, returnsStock: true, reversalHours: 3 / 3_600_000 }
          const request = { key, now: new Date(at), ...about }
          const verdict = decideSettlement(action, { steps, claimBefore, isHeld: false }, request)
          if (verdict.outcome !== 'settle') continue
          if (action !== 'cancel') assert.ok(at < 5 || steps.length > 0, 'too late')
          if (action === 'reverse') assert.ok(at < (steps.at(-1)?.settledAt.getTime() ?? 0) + 3, 'final')
          const step = nextStep(action, steps)
          const done = { step, state: stateAfter[action], key, settledAt: new Date(at), reason: null }
          steps.push(done as Settlement)
        }
        const names = steps.map(({ step, state }) => `${step % 2} ${state}`).join()
        assert.match(names, /^(1 claimed)?,?(0 redeemed,1 claimed,?)*(0 redeemed|0 cancelled)?$/)
        assert.equal(
          new Set(steps.map(({ state, key, step }) => `${state} ${key} ${step > 1}`)).size,
          steps.length,
        )
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
  const settle = (
    api: ManagementApi,
    play: any,
    noun: string,
    body: object = {},
    headers?: Record<string, string>,
  ) => api.call('PUT', `/prizes/${play.playId}/${noun}`, body, headers)
  const stockOf = async (api: ManagementApi) =>
    (await readStocks(server.ctx.db, await findWheel(server.ctx.db, api.merchant.merchantId, 'main')))[0]
  const eventsOf = async (api: ManagementApi) => {
    await numberAllPages(server.ctx.db)
    const events = await readEvents(server.ctx.db, {
      merchantId: api.merchant.merchantId,
      after: 0,
      limit: 1_000,
    })
    return events.filter((event) => event.type.startsWith('prize.') && event.type !== 'prize.won')
  }

  test('a prize is claimed, then redeemed once: the second cashier is refused and sees who redeemed it', async () => {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({}))
    const play = await api.play('p')
    const read = await api.call('GET', `/prizes/${play.playId}`)
    assert.deepEqual([read.body.state, read.body.prizeId, read.body.playerId], ['won', 'mug', 'p'])
    const claimKey = { 'Idempotency-Key': 'claim-1' }
    assert.equal((await settle(api, play, 'claim', {}, claimKey)).body.state, 'claimed')
    assert.equal((await settle(api, play, 'claim')).status, 200, 'a second claim is harmless')
    const redeemed = await settle(api, play, 'redemption', {}, { 'Idempotency-Key': 'till-1' })
    assert.deepEqual([redeemed.status, redeemed.body.state], [200, 'redeemed'])
    const repeat = await settle(api, play, 'redemption', {}, { 'Idempotency-Key': 'till-1' })
    assert.deepEqual([repeat.status, repeat.headers.get('idempotent-replayed')], [200, 'true'])
    for (const headers of [undefined, { 'Idempotency-Key': 'till-2' }]) {
      const second = await settle(api, play, 'redemption', {}, headers)
      assert.deepEqual([second.status, second.body.code], [409, 'prize_settled'])
      assert.match(second.body.detail, new RegExp(`redeemed at .* by token:${api.merchant.slug}`))
    }
    assert.equal((await settle(api, play, 'cancellation', { reason: 'late' })).body.code, 'prize_settled')
    assert.equal((await settle(api, play, 'claim')).body.code, 'prize_settled')
    const late = await settle(api, play, 'claim', {}, claimKey)
    assert.deepEqual(
      [late.status, late.headers.get('idempotent-replayed'), late.body.state],
      [200, 'true', 'redeemed'],
      'the claim whose response was lost',
    )
    const data = {
      playerId: 'p',
      playId: play.playId,
      prizeId: 'mug',
      by: `token:${api.token.split(':')[0]}`,
    }
    assert.deepEqual(
      (await eventsOf(api)).map((event) => [event.type, event.data]),
      [
        ['prize.claimed', data],
        ['prize.redeemed', data],
      ],
    )
  })

  test('a prize redeemed by a server with a slow clock has no redemption time before its claim', async (t) => {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({}))
    const play = await api.play('alice')
    t.after(() => (laterMs = 0))
    laterMs = 3_600_000
    const { body: claimed } = await settle(api, play, 'claim')
    laterMs = 0
    const { body: redeemed } = await settle(api, play, 'redemption')
    assert.equal(redeemed.state, 'redeemed')
    assert.equal(redeemed.settledAt, claimed.claimedAt)
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  })

  test('of fifty concurrent redemptions of one prize, one succeeds', async () => {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({}))
    const play = await api.play('p')
    const answers = await Promise.all(times(50, () => settle(api, play, 'redemption')))
    const statuses = Map.groupBy(answers, (answer) => answer.status)
    assert.deepEqual([statuses.get(200)?.length, statuses.get(409)?.length], [1, 49])
    assert.equal((await eventsOf(api)).length, 1)
  })

  test('a cancelled prize is returned to its total and daily stock once and can be won again', async () => {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({ stock: 2, stockPerDay: 1 }))
    const play = await api.play('p')
    assert.equal((await api.play('q')).won, false, 'the daily stock is one')
    const stock = await stockOf(api)
    assert.deepEqual([stock?.given, stock?.dayGiven], [1, 1])
    const answers = await Promise.all(times(10, () => settle(api, play, 'cancellation', { reason: 'fraud' })))
    assert.equal(answers.filter((answer) => answer.status === 200).length, 1)
    const returned = await stockOf(api)
    assert.deepEqual([returned?.given, returned?.dayGiven], [0, 0])
    const read = await api.call('GET', `/prizes/${play.playId}`)
    assert.deepEqual(
      [read.body.state, read.body.stockReturned, read.body.reason],
      ['cancelled', true, 'fraud'],
    )
    const again = await api.play('q')
    assert.equal(again.won, true)
    const kept = await settle(api, again, 'cancellation', { reason: 'broken', returnStock: false })
    assert.deepEqual([kept.body.stockReturned, (await stockOf(api))?.given], [false, 1])
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  })

  test('loyalty points are named in the play, the prize, the event and the export, and are settled', async () => {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({ prize: { kind: 'points', points: 500 }, label: '500 points' }))
    const play = await api.play('alice')
    assert.deepEqual([play.prize.kind, play.prize.points, play.prize.code], ['points', 500, null])
    const { body } = await api.call('GET', `/prizes/${play.playId}`)
    assert.deepEqual([body.kind, body.points, body.code, body.state], ['points', 500, null, 'won'])
    const won = async () => (await api.call('GET', '/events?types=prize.won')).body.events
    await until(async () => (await won()).length === 1)
    const [{ data }] = await won()
    assert.deepEqual([data.kind, data.points, 'code' in data], ['points', 500, false])
    const csv = await api.call('GET', '/exports/prizes?format=csv')
    const [row] = parse(csv.text, { columns: true }) as Record<string, string>[]
    assert.equal(row?.points, '500')
    assert.equal((await settle(api, play, 'redemption')).body.state, 'redeemed')
    const draft = alwaysWins({ prize: { kind: 'points' } as never })
    await api.call('PUT', '/wheels/main', draft)
    const refused = await api.call('POST', '/wheels/main/publication')
    assert.equal(refused.body.errors[0].pointer, '/segments/0/prize/points')
  })

  test('a service token can cancel a prize without a reason, and a person cannot', async () => {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({}))
    const [first, second] = [await api.play('p'), await api.play('q')]
    assert.equal((await api.call('PUT', `/prizes/${first.playId}/cancellation`)).status, 200)
    const staff = await signInAs(server, await makeStaff(server.ctx.db, [[api.merchant, 'support']]))
    const path = `/api/v1/prizes/${second.playId}/cancellation`
    const refused = await staff.call('PUT', path, { merchant: api.merchant.slug, body: {} })
    assert.deepEqual(
      [refused.status, refused.body.errors],
      [400, [{ pointer: '/reason', detail: 'is required from people' }]],
    )
    assert.equal((await api.call('GET', `/prizes/${second.playId}`)).body.state, 'won')
  })

  test('a repeated cancellation with the same key returns the prize, and stock is returned once', async () => {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({ stock: 5 }))
    const play = await api.play('p')
    for (const _ of times(3, () => 0)) {
      const answer = await settle(api, play, 'cancellation', { reason: 'r' }, { 'Idempotency-Key': 'c' })
      assert.equal(answer.status, 200)
    }
    assert.equal((await stockOf(api))?.given, 0)
    for (const other of [{ reason: 'other' }, { reason: 'r', returnStock: false }]) {
      const answer = await settle(api, play, 'cancellation', other, { 'Idempotency-Key': 'c' })
      assert.equal(answer.body.code, 'idempotency_key_reused')
    }
  })

  test('a code is found in any case and with spaces around it, and the code of a cancelled prize is not issued again', async () => {
    const api = await makeManagementApi(server)
    const { merchantId } = api.merchant
    await uploadCodes(server.ctx.db, { merchantId, pool: 'p' }, ['CODE-1', 'CODE-2'], new Date())
    await api.publish(alwaysWins({ prize: { kind: 'pool', pool: 'p' }, stock: 2 }))
    const first = await api.play('p')
    assert.equal(first.prize.code, 'CODE-1')
    for (const code of ['CODE-1', 'code-1', 'Code-1', '%20code-1%20'])
      assert.deepEqual(
        (await api.call('GET', `/prizes?code=${code}`)).body.prizes.map((prize: any) => [
          prize.playId,
          prize.code,
          prize.kind,
        ]),
        [[first.playId, 'CODE-1', 'pool']],
        code,
      )
    // Only a prize that is handed over has a number.
    const number = prizeNumber({ playId: first.playId, wonAt: first.playedAt })
    for (const code of ['CODE', 'CODE-2', '%20', number])
      assert.deepEqual((await api.call('GET', `/prizes?code=${code}`)).body.prizes, [], code)
    await settle(api, first, 'cancellation', { reason: 'r' })
    assert.equal((await api.play('p')).prize.code, 'CODE-2')
    assert.equal((await api.play('p')).fallbackReason, 'out_of_stock')
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  })

  test('prizes are listed newest first, filtered by state, prize and player, each once over all pages', async () => {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({}))
    const plays = []
    for (const index of times(12, (one) => one)) plays.push(await api.play(`p${index % 3}`))
    const [a, b, c] = plays as [any, any, any]
    await settle(api, a, 'claim')
    await settle(api, b, 'redemption')
    await settle(api, c, 'cancellation', { reason: 'r' })
    const ids = (prizes: any[]) => prizes.map((prize) => prize.playId)
    assert.deepEqual(ids(await readAll(api, '/prizes?limit=5', 'prizes')), ids(plays.toReversed()))
    assert.deepEqual(
      ids(await readAll(api, '/prizes?limit=2&state=won', 'prizes')),
      ids(plays.slice(3).toReversed()),
    )
    for (const [state, play] of [
      ['claimed', a],
      ['redeemed', b],
      ['cancelled', c],
    ] as const)
      assert.deepEqual(ids(await readAll(api, `/prizes?state=${state}`, 'prizes')), [play.playId], state)
    await settle(api, a, 'redemption')
    assert.deepEqual(await readAll(api, '/prizes?state=claimed', 'prizes'), [])
    assert.deepEqual(ids(await readAll(api, '/prizes?state=redeemed&limit=1', 'prizes')), ids([b, a]))
    assert.equal((await readAll(api, '/prizes?playerId=p1&limit=2', 'prizes')).length, 4)
    assert.equal((await readAll(api, '/prizes?prizeId=mug&wheel=main', 'prizes')).length, 12)
    assert.deepEqual(await readAll(api, '/prizes?prizeId=other', 'prizes'), [])
    assert.equal((await api.call('GET', '/prizes?wheel=nowhere')).body.code, 'wheel_not_found')
    const future = new Date(Date.now() + laterMs + 1_000).toISOString()
    assert.deepEqual(await readAll(api, `/prizes?from=${future}`, 'prizes'), [])
  })

  test("a prize's claim is never later than its redemption, whatever the clocks of two servers say", async () => {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({}))
    const play = await api.play('p')
    await settle(api, play, 'claim')
    laterMs -= 60_000
    try {
      const redeemed = await settle(api, play, 'redemption')
      assert.deepEqual([redeemed.status, redeemed.body.settledAt], [200, redeemed.body.claimedAt])
    } finally {
      laterMs += 60_000
    }
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  })

  test('a prize is redeemed even if its player is erased at the same time', notOnCluster, async () => {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({}))
    const play = await api.play('p')
    const { merchantId } = api.merchant
    const redeemed = await asSuperuser(server.target.database, async (client) => {
      await client.query('begin')
      await client.query(`update players set player_id = 'erased-x' where merchant_id = ${merchantId}`)
      const answer = settle(api, play, 'redemption')
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
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({ prize: { kind: 'spins', spins: 2 } }))
    const play = await api.play('p')
    assert.deepEqual(await readAll(api, '/prizes', 'prizes'), [])
    assert.equal((await api.call('GET', `/prizes/${play.playId}`)).body.code, 'play_not_found')
    assert.equal((await settle(api, play, 'redemption')).status, 404)
  })

  test('a play id copied by another player does not cost the winner the prize: the player id tells the plays apart', async () => {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({}))
    const play = await api.play('honest', undefined)
    await api.play('copycat', play.playId)
    assert.equal((await api.call('GET', `/prizes/${play.playId}`)).body.code, 'play_ambiguous')
    assert.equal((await settle(api, play, 'redemption')).body.code, 'play_ambiguous')
    const mine = await api.call('PUT', `/prizes/${play.playId}/redemption?playerId=honest`, {})
    assert.deepEqual([mine.body.state, mine.body.playerId], ['redeemed', 'honest'])
    assert.equal((await api.call('GET', `/prizes/${play.playId}?playerId=copycat`)).body.state, 'won')
    assert.equal((await api.call('GET', `/plays/${play.playId}?playerId=copycat`)).body.playerId, 'copycat')
  })

  test('an unclaimed prize expires once, with one event, over several processes', async () => {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({ claimWithinSeconds: 60, stock: 10 }))
    const late = await api.play('p')
    const claimed = await api.play('q')
    await settle(api, claimed, 'claim')
    await expirePrizes(server.ctx.db, server.ctx.now())
    assert.equal((await api.call('GET', `/prizes/${late.playId}`)).body.state, 'won')
    const sessionOf = async (playerId: string): Promise<any> => {
      const { body } = await post(`${server.url}/api/game/sso`, api.token, { playerId })
      return (await post(`${server.url}/api/v1/game/session`, undefined, { token: body.token })).body
    }
    const settledWinsOf = async (playerId: string) => (await sessionOf(playerId)).settledWins
    assert.deepEqual([await settledWinsOf('p'), await settledWinsOf('q')], [[], []])
    const deadlinesOf = async (playerId: string) => {
      const { wins, lastPlay } = await sessionOf(playerId)
      return [wins[0], lastPlay].map(({ prize }) => typeof prize.claimBefore)
    }
    assert.deepEqual(await deadlinesOf('p'), ['string', 'string'])
    assert.deepEqual(await deadlinesOf('q'), ['object', 'object'], 'a claimed prize has no deadline')
    laterMs += 61_000
    assert.deepEqual(await settledWinsOf('p'), [{ playNumber: 1, state: 'expired' }], 'before it is recorded')
    assert.equal((await settle(api, late, 'claim')).body.code, 'prize_expired')
    assert.equal((await settle(api, late, 'redemption')).body.code, 'prize_expired')
    assert.equal((await api.call('GET', `/prizes/${late.playId}`)).body.state, 'expired')
    await Promise.all(times(8, () => expirePrizes(server.ctx.db, server.ctx.now())))
    await until(async () => (await readAll(api, '/prizes?state=expired', 'prizes')).length > 0)
    const events = (await eventsOf(api)).filter((event) => event.type === 'prize.expired')
    assert.deepEqual(
      events.map((event) => event.data),
      [{ playerId: 'p', playId: late.playId, prizeId: 'mug' }],
    )
    assert.deepEqual(
      (await readAll(api, '/prizes?state=expired', 'prizes')).map((prize) => [prize.playId, prize.settledBy]),
      [[late.playId, 'worker:prize-expiry']],
    )
    assert.equal((await settle(api, late, 'redemption')).body.code, 'prize_expired', 'also afterwards')
    assert.deepEqual(await settledWinsOf('p'), [{ playNumber: 1, state: 'expired' }])
    assert.equal(
      (await settle(api, claimed, 'redemption')).body.state,
      'redeemed',
      'a claimed prize does not expire',
    )
    assert.deepEqual(await settledWinsOf('q'), [{ playNumber: 1, state: 'redeemed' }])
    await api.call('PUT', `/prizes/${claimed.playId}/redemption-reversal`, { reason: 'wrong customer' })
    assert.deepEqual(await settledWinsOf('q'), [])
    assert.deepEqual(await deadlinesOf('q'), ['object', 'object'], 'also after a redemption was taken back')
    assert.equal((await stockOf(api))?.given, 2, 'an expired prize still counts as given')
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  })

  test('many prizes expire in bounded batches', async () => {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({ claimWithinSeconds: 60 }))
    const players = times(40, (index) => `x${index}`)
    for (const _ of times(3, () => 0)) await Promise.all(players.map((player) => api.play(player)))
    laterMs += 61_000
    // The server's own worker may expire some of them.
    assert.ok((await expirePrizes(server.ctx.db, server.ctx.now())) <= prizesExpiredAtOnceMax)
    const expired = async () => (await readAll(api, '/prizes?state=expired&limit=100', 'prizes')).length
    await until(async () => (await expired()) === 120)
  })

  test('a token with the scope prizes settles prizes and can do nothing else', async () => {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({}))
    const play = await api.play('p')
    const { token } = (await api.call('POST', '/tokens', { name: 'till', scopes: ['prizes'] })).body
    const till = (method: string, path: string, body?: unknown) =>
      callApi(server, token, method, `/api/v1${path}`, body === undefined ? {} : { body })
    assert.equal((await till('GET', '/prizes')).status, 200)
    assert.equal((await till('PUT', `/prizes/${play.playId}/redemption`, {})).status, 200)
    for (const path of ['/players', '/plays', '/audit-log', '/wheels', '/tokens'])
      assert.equal((await till('GET', path)).body.code, 'scope_missing', path)
    const back = await till('PUT', `/prizes/${play.playId}/redemption-reversal`, { reason: 'mine' })
    assert.equal(back.body.code, 'scope_missing', 'a till takes no redemption back')
    const reverse = async (role: 'support' | 'editor') =>
      (await signInAs(server, await makeStaff(server.ctx.db, [[api.merchant, role]]))).call(
        'PUT',
        `/api/v1/prizes/${play.playId}/redemption-reversal`,
        { body: { reason: 'wrong customer' }, merchant: api.merchant.slug },
      )
    assert.equal((await reverse('support')).body.code, 'role_missing')
    assert.equal((await reverse('editor')).body.state, 'claimed')
    const reader = await makeMerchant(server.ctx.db, { scopes: ['read'] })
    assert.equal((await callApi(server, reader.token, 'GET', '/api/v1/prizes')).status, 200)
    const tried = await callApi(server, reader.token, 'PUT', `/api/v1/prizes/${play.playId}/claim`, {
      body: {},
    })
    assert.equal(tried.body.code, 'scope_missing')
  })
})
