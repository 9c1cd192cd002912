import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { statement } from '../../src/db/database.ts'
import { watchDraws } from '../../src/reports/draw-drift.ts'
import type { AlertCause } from '../../src/staff-alerts/alert-causes.ts'
import { findFindings } from '../../src/staff-alerts/find-findings.ts'
import { alwaysWins, makeManagementApi, type ManagementApi } from '../scenes/management-scene.ts'
import { makeServer, type Server, suiteLifetime, times, until } from '../scenes/scene.ts'

const hour = 3_600_000
const day = 24 * hour
/** Midday in UTC. */
const noon = Date.parse('2027-06-01T12:00:00Z')

describe('what staff are told', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let now = noon
  before(async () => {
    server = await makeServer(lifetime, { now: () => new Date(now) })
  })

  async function makeShop(first: Parameters<typeof alwaysWins>[0], rest = {}) {
    now = noon
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins(first, { timeZone: 'UTC', name: 'Wheel', ...rest }))
    return api
  }
  const find = async (api: ManagementApi, cause: AlertCause) => {
    const { merchantId } = api.merchant
    return findFindings[cause](server.ctx.db, [merchantId], new Date(now))
  }
  const told = async (api: ManagementApi, cause: AlertCause) =>
    (await find(api, cause)).map(({ name, value }) => `${name}: ${value}`)
  const play = async (api: ManagementApi, count: number) => {
    for (const index of times(count, (one) => one)) assert.ok((await api.play(`player-${index}`)).won)
  }

  test('a stock is low when a tenth is left, and gone when nothing is, as long as its campaign is not over', async () => {
    const api = await makeShop({ stock: 20 })
    await play(api, 17)
    assert.deepEqual(await told(api, 'stock_low'), [])
    await play(api, 1)
    assert.deepEqual(await told(api, 'stock_low'), ['A mug (Wheel): 2 of 20 left'])
    assert.deepEqual((await find(api, 'stock_low'))[0]?.campaigns, [0])
    await play(api, 2)
    assert.deepEqual(await told(api, 'stock_low'), [])
    assert.deepEqual(await told(api, 'stock_gone'), ['A mug (Wheel): 0 of 20 left'])
    const closesAt = new Date(noon + hour).toISOString()
    const reply = await api.call('PATCH', '/campaigns/main', { closesAt })
    assert.equal(reply.status, 200, reply.text)
    now = noon + 2 * hour
    assert.deepEqual(await told(api, 'stock_gone'), [])
  })

  test('a prize whose new version has no stock is not gone', async () => {
    const api = await makeShop({ stock: 1 })
    await play(api, 1)
    assert.equal((await told(api, 'stock_gone')).length, 1)
    await api.publish(alwaysWins({}, { timeZone: 'UTC' }))
    assert.deepEqual(await told(api, 'stock_gone'), [])
  })

  const periods = [{ from: new Date(noon).toISOString(), until: new Date(noon + 9 * day).toISOString() }]

  test('of a paced prize only whole past days are told, in the zone of its wheel', async () => {
    const later = {
      from: new Date(noon + 12 * day).toISOString(),
      until: new Date(noon + 12.1 * day).toISOString(),
    }
    const pace = { units: 10, periods: [...periods, later] }
    const api = await makeShop({ pace }, { timeZone: 'Asia/Tokyo' })
    // By now at least nine are released. In Tokyo, it is 8 in the evening.
    now = noon + 9 * day - hour
    let won = 0
    for (let tries = 0; won < 9 && tries < 40; tries++) {
      won += (await api.play(`player-${tries}`)).won ? 1 : 0
      now += 1_000
    }
    assert.equal(won, 9)
    assert.deepEqual(await told(api, 'stock_low'), [])
    now = noon + 9 * day + 3 * hour - 1
    assert.deepEqual(await told(api, 'stock_low'), [], 'it is still that day in Tokyo')
    now += 1
    assert.deepEqual(await told(api, 'stock_low'), ['A mug (Wheel): 1 of 10 left when the day began'])
    now = noon + 13 * day
    assert.deepEqual(await told(api, 'stock_low'), [], 'the run is over')
  })

  /** The only run of a merchant gives units, up to this one. */
  const giveInRun = async (merchantId: number, unit: number, at: number) => {
    const { db } = server.ctx
    const update = `update pace_runs set awards = $2, entries = entries + 1 where merchant_id = $1`
    await db.query(statement(update), [merchantId, unit])
    const insert = `
      insert into pace_entries (merchant_id, wheel_id, prize_id, run, entry_no, kind, unit, at, play)
      select merchant_id, wheel_id, prize_id, run, entries, 'award', $2, $3, 'x'
      from pace_runs
      where merchant_id = $1`
    await db.query(statement(insert), [merchantId, unit, new Date(at)])
  }

  test('a budget is told by what was left when the day began', async () => {
    const api = await makeShop({ cost: 10 }, { budget: { amount: 100, periods } })
    const { merchantId } = api.merchant
    now = noon + 3 * day
    const give = (cents: number, at: number) => giveInRun(merchantId, cents, at)
    await give(8_000, now - 2 * day)
    await give(9_500, now)
    assert.deepEqual(await told(api, 'budget_low'), [], 'that was today')
    now = noon + 4 * day
    assert.deepEqual(await told(api, 'budget_low'), ['Wheel: 5.00 of 100.00 left when the day began'])
    await server.ctx.db.query(statement(`update merchants set currency = 'EUR' where merchant_id = $1`), [
      merchantId,
    ])
    assert.deepEqual(await told(api, 'budget_low'), ['Wheel: €5.00 of €100.00 left when the day began'])
    now = noon + 9 * day
    assert.deepEqual(await told(api, 'budget_low'), [], 'the run is over')
  })

  test('codes are low when a tenth is left, if a wheel gives them out', async () => {
    const api = await makeManagementApi(server)
    await api.call('POST', '/code-pools/ten/codes', { codes: times(10, (one) => `CODE-${one}`) })
    await api.call('POST', '/code-pools/unused/codes', { codes: ['UNUSED'] })
    await api.publish(alwaysWins({ prize: { kind: 'pool', pool: 'ten' } }, { timeZone: 'UTC' }))
    await play(api, 8)
    assert.deepEqual(await told(api, 'codes_low'), [])
    await play(api, 1)
    assert.deepEqual(await told(api, 'codes_low'), ['ten: 1 of 10 codes left'])
  })

  test('held prizes are told once their time is over, until they are decided', async () => {
    const api = await makeShop({ hold: { checkHours: 2 } })
    await play(api, 2)
    now = noon + hour
    assert.deepEqual(await told(api, 'prizes_unchecked'), [])
    now = noon + 2 * hour
    assert.deepEqual(await told(api, 'prizes_unchecked'), [
      'Main: 2 waiting for longer than the player was told',
    ])
    assert.deepEqual((await find(api, 'prizes_unchecked'))[0]?.campaigns, [0])
    for (const { playId } of (await api.call('GET', '/prizes?state=held')).body.prizes)
      await api.call('PUT', `/prizes/${playId}/release`, {})
    assert.deepEqual(await told(api, 'prizes_unchecked'), [])
  })

  test('of codes that a paced prize gives, only those of past days are told', async () => {
    now = noon
    const api = await makeManagementApi(server)
    await api.call('POST', '/code-pools/ten/codes', { codes: times(10, (one) => `CODE-${one}`) })
    const prize = { kind: 'pool', pool: 'ten' } as const
    await api.publish(alwaysWins({ prize, pace: { units: 10, periods } }, { timeZone: 'UTC' }))
    const { merchantId } = api.merchant
    now = noon + 3 * day
    await giveInRun(merchantId, 9, now)
    await server.ctx.db.query(statement(`update code_pools set taken = 9 where merchant_id = $1`), [
      merchantId,
    ])
    assert.deepEqual(await told(api, 'codes_low'), [])
    now += day
    assert.deepEqual(await told(api, 'codes_low'), ['ten: 1 of 10 codes left when the day began'])
  })

  test('a campaign opens and ends by its dates, and is told for a day', async () => {
    const api = await makeShop({})
    const dates = {
      opensAt: new Date(noon + hour).toISOString(),
      closesAt: new Date(noon + 10 * day).toISOString(),
    }
    const order = { campaign: 'summer', name: 'Summer', wheel: 'main', ...dates }
    const reply = await api.call('POST', '/campaigns', order)
    assert.ok(reply.status < 300, reply.text)
    assert.deepEqual(await told(api, 'campaign_opened'), [])
    now = noon + hour
    assert.deepEqual(await told(api, 'campaign_opened'), ['Summer: open since June 1, 2027 at 1:00 PM'])
    now += day
    assert.deepEqual(await told(api, 'campaign_opened'), [])
    now = noon + 10 * day
    assert.deepEqual(await told(api, 'campaign_ended'), ['Summer: ended June 11, 2027 at 12:00 PM'])
    now += day
    assert.deepEqual(await told(api, 'campaign_ended'), [])
  })

  test('a webhook fails after an hour of failures, and its URL shows no key', async () => {
    const api = await makeShop({})
    const { merchantId } = api.merchant
    const url = 'https://shop.example/hooks?key=SECRET'
    const reply = await api.call('POST', '/webhooks', { url })
    assert.ok(reply.status < 300, reply.text)
    const failing = `update webhook_cursors set failing_since = $2 where merchant_id = $1`
    await server.ctx.db.query(statement(failing), [merchantId, new Date(noon)])
    assert.deepEqual(await told(api, 'webhook_failing'), [])
    now = noon + hour
    const failed = 'https://shop.example/hooks?…: failing for more than an hour'
    assert.deepEqual(await told(api, 'webhook_failing'), [failed])
    await api.call('PUT', `/webhooks/${reply.body.webhookId}/pause`)
    assert.deepEqual(await told(api, 'webhook_failing'), [])
  })

  test('draws that drift are told until a daily check finds none', async () => {
    const api = await makeShop({})
    const { db, wheels } = server.ctx
    const { merchantId } = api.merchant
    const { wheelId, version } = await wheels.current(merchantId)
    const count = `
      insert into play_counts (quarter, plays, merchant_id, wheel_id, wheel_version, drawn, segment)
      values ($1, 30, $2, $3, $4, 1, 1)`
    await db.query(statement(count), [new Date(noon), merchantId, wheelId, version])
    const untilChecked = (expected: number) =>
      until(async () => {
        now += day
        await watchDraws(db, new Date(now))
        return (await find(api, 'draws_drift')).length === expected
      })
    await untilChecked(2)
    const lines = ['A mug (main): drawn 0 times, expected 30', 'Nothing (main): drawn 30 times, expected 0']
    assert.deepEqual(new Set(await told(api, 'draws_drift')), new Set(lines))
    await db.query(statement(`delete from play_counts where merchant_id = $1`), [merchantId])
    await untilChecked(0)
  })

  test('a summary is about yesterday, from eight in the morning in the zone of the merchant', async () => {
    const api = await makeShop({})
    const zone = statement(`update merchants set time_zone = 'America/New_York' where merchant_id = $1`)
    await server.ctx.db.query(zone, [api.merchant.merchantId])
    // 7:59 in New York.
    now = noon - 60_000
    assert.deepEqual(await find(api, 'daily_summary'), [])
    now = noon
    assert.deepEqual(
      (await find(api, 'daily_summary')).map(({ subject }) => subject),
      ['2027-05-31'],
    )
  })
})
