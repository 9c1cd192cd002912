import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { statement } from '../../src/db/database.ts'
import { readEvents } from '../../src/events/event-log.ts'
import { auditLedger } from '../../src/integrity/audit.ts'
import type { HoldRule } from '../../src/prize-kinds/hold-rule.ts'
import { countOverdueHolds } from '../../src/plays/prize-holds.ts'
import { expirePrizes } from '../../src/prizes/expire-prizes.ts'
import { countActivity } from '../../src/reports/count-activity.ts'
import { numberAllPages } from '../scenes/event-scene.ts'
import { alwaysWins, callApi, type ManagementApi, makeManagementApi } from '../scenes/management-scene.ts'
import { makeServer, type Server, suiteLifetime, times, until } from '../scenes/scene.ts'
import { makeStaff, signInAs } from '../scenes/staff-scene.ts'

const hourMs = 3_600_000

describe('a prize with a rule to hold it', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let laterMs = 0
  before(async () => {
    server = await makeServer(lifetime, { now: () => new Date(Date.now() + laterMs) })
  })

  const publish = async (api: ManagementApi, hold: HoldRule = {}, rest: object = {}) => {
    const path = '/code-pools/cups/codes'
    const uploaded = await api.call('POST', path, { codes: ['CUP-A', 'CUP-B'] })
    assert.equal(uploaded.status, 200, uploaded.text)
    const prize = { kind: 'pool', pool: 'cups' } as const
    await api.publish(alwaysWins({ id: 'cup', prize, stock: 2, claimWithinSeconds: 7_200, hold, ...rest }))
  }
  const decide = (api: ManagementApi, playId: string, noun: string, body: object = {}) =>
    api.call('PUT', `/prizes/${playId}/${noun}`, body)
  const refuse = (api: ManagementApi, playId: string, reason = 'terms_not_met') =>
    decide(api, playId, 'refusal', { reason })
  const walletOf = async (api: ManagementApi, playerId: string) => {
    const { token } = (await api.call('POST', `/players/${playerId}/wallet-links`, {})).body
    const path = '/api/v1/wallet/prizes'
    const { body } = await callApi(server, undefined, 'POST', path, { body: { token } })
    return { token, prizes: body.prizes as any[] }
  }
  const eventsOf = async (api: ManagementApi, last: string) => {
    const query = { merchantId: api.merchant.merchantId, after: 0, limit: 1_000 }
    const read = async () => {
      const events = await readEvents(server.ctx.db, query)
      return events.filter(({ type }) => type.startsWith('prize.'))
    }
    await until(async () => {
      await numberAllPages(server.ctx.db)
      return (await read()).at(-1)?.type === last
    })
    return read()
  }
  const audit = async () => assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])

  test('is won at once, but neither its code nor its claim period begins before staff release it', async () => {
    const api = await makeManagementApi(server)
    await publish(api)
    const play = await api.play('pia')
    assert.deepEqual([play.won, play.prize.code, play.prize.claimBefore], [true, null, null])
    assert.equal(play.prize.withheld, 'check')
    assert.equal(Date.parse(play.prize.heldUntil) - Date.parse(play.playedAt), 72 * hourMs, 'by default')
    const { token, prizes } = await walletOf(api, 'pia')
    assert.deepEqual(
      prizes.map(({ state, code, heldUntil }) => [state, code, heldUntil]),
      [['held', null, play.prize.heldUntil]],
    )
    const { body: list } = await api.call('GET', '/prizes?state=held')
    assert.deepEqual(
      list.prizes.map((prize: any) => [prize.playId, prize.state, prize.code, prize.heldBecause]),
      [[play.playId, 'held', null, 'always']],
    )
    assert.equal((await api.call('GET', `/plays/${play.playId}`)).body.prize.code, null)
    assert.deepEqual((await api.call('GET', '/prizes?code=cup-a')).body.prizes, [], 'nor does a guess help')
    for (const noun of ['claim', 'redemption', 'cancellation'])
      assert.equal((await decide(api, play.playId, noun)).body.code, 'prize_held', noun)
    const claim = { body: { token, playId: play.playId } }
    const claimed = await callApi(server, undefined, 'POST', '/api/v1/wallet/claims', claim)
    assert.equal(claimed.body.code, 'claim_not_offered')
    await audit()

    laterMs += 5 * hourMs
    assert.equal(await expirePrizes(server.ctx.db, server.ctx.now()), 0)
    const overdueIn = (hours: number) =>
      countOverdueHolds(server.ctx.db, new Date(server.ctx.now().getTime() + hours * hourMs))
    assert.deepEqual([await overdueIn(66), await overdueIn(68)], [0, 1])
    const { status, body: released } = await decide(api, play.playId, 'release')
    assert.deepEqual(
      [status, released.state, released.code, released.heldUntil, released.heldBecause],
      [200, 'won', 'CUP-A', null, 'always'],
    )
    const events = await eventsOf(api, 'prize.won')
    assert.deepEqual(
      events.map(({ type }) => type),
      ['prize.held', 'prize.released', 'prize.won'],
    )
    const [held, { at }, won] = events as [any, any, any]
    const told = ['playerId', 'playId', 'prizeId', 'wheel', 'label', 'kind', 'heldUntil']
    assert.deepEqual(Object.keys(held.data), told)
    assert.deepEqual([won.data.code, won.data.claimBefore], ['CUP-A', released.claimBefore])
    assert.equal(Date.parse(released.claimBefore) - Date.parse(at), 2 * hourMs, 'from the release on')
    const [shown] = (await walletOf(api, 'pia')).prizes
    assert.deepEqual([shown.state, shown.code, shown.heldUntil], ['won', 'CUP-A', null])
    assert.equal((await api.call('GET', '/prizes?code=cup-a')).body.prizes[0].playId, play.playId)
    const again = await decide(api, play.playId, 'release')
    assert.deepEqual([again.body, again.headers.get('idempotent-replayed')], [released, 'true'])
    assert.equal((await refuse(api, play.playId)).body.code, 'prize_not_held')
    assert.equal((await decide(api, play.playId, 'redemption')).body.state, 'redeemed')
    assert.equal((await decide(api, play.playId, 'release')).body.state, 'redeemed', 'still a repeat')
    await audit()
  })

  test('that is refused gives its code to the next winner, and the figures of the pool stay true', async () => {
    const api = await makeManagementApi(server)
    await publish(api, {}, { stock: null })
    const wins = [await api.play('ann'), await api.play('bob')]
    const poolNow = async () => {
      const [pool] = (await api.call('GET', '/code-pools')).body.pools
      return [pool.uploaded, pool.taken]
    }
    assert.deepEqual(await poolNow(), [2, 2])
    await refuse(api, wins[0]?.playId)
    assert.deepEqual(await poolNow(), [2, 1])
    const next = await api.play('cid')
    const released = await decide(api, next.playId, 'release')
    assert.equal(released.body.code, 'CUP-A')
    assert.equal((await decide(api, wins[1]?.playId, 'release')).body.code, 'CUP-B')
    assert.deepEqual(await poolNow(), [2, 2])
    await audit()
  })

  test('gives its unit and its unseen code back if it is refused, and the player reads why', async () => {
    const api = await makeManagementApi(server)
    await publish(api)
    const replyTo = 'help@shop.example'
    const settings = { replyTo, kinds: {} }
    assert.equal((await api.call('PUT', '/campaigns/main/messages', settings)).status, 200)
    const play = await api.play('pia')
    const free = await refuse(api, play.playId, 'somebody told us')
    assert.deepEqual([free.status, free.body.errors[0].pointer], [400, '/reason'])
    const { status, body: refused } = await refuse(api, play.playId)
    assert.deepEqual(
      [status, refused.state, refused.reason, refused.stockReturned, refused.code],
      [200, 'refused', 'terms_not_met', true, null],
    )
    const [shown] = (await walletOf(api, 'pia')).prizes
    assert.deepEqual(
      [shown.state, shown.code, shown.refusal, shown.contact],
      ['refused', null, 'terms_not_met', replyTo],
    )
    assert.equal((await refuse(api, play.playId)).headers.get('idempotent-replayed'), 'true')
    assert.equal((await refuse(api, play.playId, 'technical_error')).body.code, 'prize_not_held')
    assert.equal((await decide(api, play.playId, 'release')).body.code, 'prize_not_held')
    const late = await decide(api, play.playId, 'redemption')
    assert.equal(late.body.code, 'prize_settled')
    assert.match(late.body.detail, /refused/)
    const told = (await eventsOf(api, 'prize.refused')).map(({ type, data }) => [type, (data as any).reason])
    assert.deepEqual(told, [
      ['prize.held', undefined],
      ['prize.refused', 'terms_not_met'],
    ])
    const codes = []
    for (const playerId of ['paul', 'petra']) {
      const { playId } = await api.play(playerId)
      codes.push((await decide(api, playId, 'release')).body.code)
    }
    assert.deepEqual(codes, ['CUP-A', 'CUP-B'], 'both codes and both units are there')
    const { body: log } = await api.call('GET', '/audit-log?action=prize.refuse')
    assert.deepEqual(
      log.entries.map((entry: any) => [entry.before, entry.after]),
      [
        [
          { state: 'held', because: 'always' },
          { state: 'refused', prize: 'cup', reason: 'terms_not_met', stockReturned: true },
        ],
      ],
    )
    await audit()
    laterMs += 24 * hourMs
    while (await countActivity(server.ctx.db, server.ctx.now())) continue
    const { body } = await api.call('GET', '/reports/prizes')
    const [cup] = body.prizes.filter(({ prizeId }: any) => prizeId === 'cup')
    assert.deepEqual([cup.given, cup.held, cup.refused], [3, 3, 1])
  })

  test('has one decision, however many come at once', async () => {
    const api = await makeManagementApi(server)
    await publish(api)
    const { playId } = await api.play('pia')
    const answers = await Promise.all(
      times(12, (index) => (index % 2 === 0 ? decide(api, playId, 'release') : refuse(api, playId))),
    )
    const done = answers.filter(({ status }) => status === 200)
    assert.equal(done.length, 6, 'those that agree with the first')
    assert.equal(new Set(done.map(({ text }) => text)).size, 1)
    assert.equal(done.filter(({ headers }) => !headers.has('idempotent-replayed')).length, 1)
    for (const { status, body } of answers)
      if (status !== 200) assert.deepEqual([status, body.code], [409, 'prize_not_held'])
    const isReleased = done[0]?.body.state === 'won'
    const events = await eventsOf(api, isReleased ? 'prize.won' : 'prize.refused')
    assert.equal(events.length, isReleased ? 3 : 2)
    await audit()
  })

  test('is held only if a condition is true, and every play of it shows whether', async () => {
    const api = await makeManagementApi(server)
    const stateAfter = async (playerId: string) => {
      const { playId } = await api.play(playerId)
      const { body } = await api.call('GET', `/prizes/${playId}`)
      return body.heldBecause ?? body.state
    }
    const handover = { id: 'mug', prize: { kind: 'handover' }, cost: 4, stock: 100 }
    await publish(api, { newPlayerHours: 2 }, handover)
    assert.equal(await stateAfter('new'), 'new_player')
    laterMs += 3 * hourMs
    assert.equal(await stateAfter('new'), 'won', 'known for long enough')
    await publish(api, { winsPerDay: 2 }, handover)
    const wins = [await stateAfter('often'), await stateAfter('often'), await stateAfter('often')]
    assert.deepEqual(wins, ['won', 'won', 'many_wins'])
    laterMs += 25 * hourMs
    assert.equal(await stateAfter('often'), 'won', 'on another day')
    await publish(api, { costPerDay: 8 }, handover)
    const dear = [await stateAfter('dear'), await stateAfter('dear'), await stateAfter('dear')]
    assert.deepEqual(dear, ['won', 'won', 'high_cost'])
  })

  test('expires by the period that began with its release', async () => {
    const api = await makeManagementApi(server)
    await publish(api)
    const { playId } = await api.play('pia')
    await decide(api, playId, 'release')
    laterMs += 3 * hourMs
    assert.equal((await decide(api, playId, 'redemption')).body.code, 'prize_expired')
    await expirePrizes(server.ctx.db, server.ctx.now())
    assert.deepEqual(
      (await eventsOf(api, 'prize.expired')).map(({ type }) => type),
      ['prize.held', 'prize.released', 'prize.won', 'prize.expired'],
    )
    await audit()
  })

  test('is decided by owners, editors and tokens that manage the whole merchant, and by nobody else', async () => {
    const api = await makeManagementApi(server)
    await publish(api)
    const { playId } = await api.play('pia')
    const { merchant } = api
    await api.call('POST', '/campaigns', { campaign: 'summer', name: 'Summer', wheel: 'main' })
    const till = { name: 'till', scopes: ['prizes'] }
    for (const body of [till, { ...till, campaign: 'summer' }]) {
      const { token } = (await api.call('POST', '/tokens', body)).body
      const path = `/api/v1/prizes/${playId}/release`
      const answer = await callApi(server, token, 'PUT', path, { body: {} })
      assert.deepEqual([answer.status, answer.body.code], [403, 'scope_missing'])
    }
    const bound = await api.call('POST', '/tokens', {
      name: 'agency',
      scopes: ['manage'],
      campaign: 'summer',
    })
    assert.equal(bound.body.code, 'token_not_bindable', 'so no bound token decides')
    for (const [role, status] of [
      ['viewer', 403],
      ['support', 403],
      ['editor', 200],
    ] as const) {
      const browser = await signInAs(server, await makeStaff(server.ctx.db, [[merchant, role]]))
      const answer = await browser.call('PUT', `/api/v1/prizes/${playId}/release`, {
        body: {},
        merchant: merchant.slug,
      })
      assert.equal(answer.status, status, role)
    }
    const other = await makeManagementApi(server)
    assert.equal((await refuse(other, playId)).body.code, 'play_not_found')
    await api.publish(alwaysWins({}))
    const free = await api.play('paul')
    assert.equal((await decide(api, free.playId, 'release')).body.code, 'prize_not_held')
  })

  test('follows the clock of a test merchant, and alarms nobody there', async () => {
    const live = await makeManagementApi(server)
    await live.publish(alwaysWins({ claimWithinSeconds: 3_600, hold: {} }))
    const { token } = (await live.call('POST', '/test-merchant', {})).body
    const inTest = (method: string, path: string, body?: object) =>
      callApi(server, token, method, path, body === undefined ? {} : { body })
    await inTest('POST', '/api/player/increaseSpin', { playerId: 'tess', spinNumber: 1 })
    const { play } = (await inTest('POST', '/api/v1/test/plays', { playerId: 'tess' })).body
    const path = `/api/v1/prizes/${play.playId}`
    const at = (hours: number) => new Date(Date.parse(play.playedAt) + hours * hourMs)
    await inTest('PUT', '/api/v1/test/clock', { now: at(80).toISOString() })
    assert.equal((await inTest('GET', path)).body.state, 'held')
    const merchantsOverdue = await server.ctx.db.query(
      statement(`select merchant_id from prize_holds where decision is null and due_at < $1`),
      [at(80)],
    )
    assert.equal(await countOverdueHolds(server.ctx.db, at(80)), merchantsOverdue.length - 1)
    const { body: released } = await inTest('PUT', `${path}/release`, {})
    assert.ok(
      Math.abs(Date.parse(released.claimBefore) - at(81).getTime()) < hourMs / 2,
      released.claimBefore,
    )
    await inTest('PUT', '/api/v1/test/clock', { now: at(83).toISOString() })
    assert.equal((await inTest('GET', path)).body.state, 'expired')
  })

  test('can have a rule only if it is settled later, and a limit of cost only with a cost', async () => {
    const api = await makeManagementApi(server)
    const draft = alwaysWins({ prize: { kind: 'spins', spins: 1 }, hold: { costPerDay: 5 } })
    await api.call('PUT', '/wheels/main', draft)
    const { status, body } = await api.call('POST', '/wheels/main/publication', {})
    assert.deepEqual(
      [status, body.errors.map(({ pointer }: any) => pointer)],
      [422, ['/segments/0/hold', '/segments/0/hold/costPerDay']],
    )
  })
})
