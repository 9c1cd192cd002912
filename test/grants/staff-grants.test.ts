import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { changeSettings } from '../../src/merchants/change-settings.ts'
import type { Merchant, MerchantSettings } from '../../src/merchants/merchants.ts'
import type { Role } from '../../src/staff/roles.ts'
import { makeManagementApi, readAll } from '../scenes/management-scene.ts'
import { databaseUrl, makeServer, runCli, type Server, suiteLifetime, times, until } from '../scenes/scene.ts'
import { makeStaff, signInAs } from '../scenes/staff-scene.ts'

describe('grants by staff', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let second: Server
  let now = new Date('2026-11-16T12:00:00Z')
  before(async () => {
    server = await makeServer(lifetime, { now: () => now })
    const { db, target } = { db: server.ctx.db, target: server.target }
    second = await makeServer(lifetime, { now: () => now, database: { db, target } })
  })

  /** A person with a role at a merchant, with functions for every way to grant spins. */
  async function makePerson(merchant: Merchant, role: Role, at: Server = server) {
    const person = await makeStaff(server.ctx.db, [[merchant, role]])
    const browser = await signInAs(at, person)
    const ask = (path: string, body: unknown, key: string = randomUUID()) =>
      browser.call('POST', path, { merchant: merchant.slug, body, headers: { 'Idempotency-Key': key } })
    return {
      ...person,
      browser,
      ask,
      give: (playerId: string, spins: number, key?: string) =>
        ask(`/api/v1/players/${playerId}/grants`, { spins, reason: 'a bad day' }, key),
      correct: (playerId: string, amount: number) =>
        ask(`/api/v1/players/${playerId}/corrections`, { amount, reason: 'shown twice' }),
      batch: (grants: unknown[], key?: string) =>
        ask('/api/v1/grant-batches', { reason: 'for the outage', grants }, key),
      read: (path: string) => browser.call('GET', path, { merchant: merchant.slug }),
    }
  }

  const setCeiling = (merchant: Merchant, supportDailyGrantMax: number) =>
    set(merchant, { supportDailyGrantMax })
  const set = (merchant: Merchant, change: Partial<MerchantSettings>) =>
    changeSettings(
      server.ctx.db,
      { slug: merchant.slug, change, revision: undefined },
      { actor: { kind: 'command', id: 'test', name: null }, requestId: null, now },
    )

  test('no console session can use the two merchant endpoints, whatever its role', async () => {
    const { merchant } = await makeManagementApi(server)
    for (const role of ['owner', 'editor', 'support', 'viewer'] as const) {
      const { ask } = await makePerson(merchant, role)
      for (const [path, body] of [
        ['/api/player/increaseSpin', { playerId: 'pia', spinNumber: 1_000_000 }],
        ['/api/game/sso', { playerId: 'pia', initialSpin: 1_000_000 }],
      ] as const) {
        const answer = await ask(path, body)
        assert.equal(answer.status, 403, JSON.stringify(answer.body))
        assert.equal(answer.body.code, 'service_token_needed')
      }
    }
  })

  test('a grant records the person and the reason in the ledger, the event and the audit log', async () => {
    const api = await makeManagementApi(server)
    const { email, name, give, read } = await makePerson(api.merchant, 'support')
    const answer = await give('pia', 5)
    assert.deepEqual(answer.body, { playerId: 'pia', spinCount: 5 })
    const [entry] = await readAll(api, '/players/pia/ledger', 'entries')
    assert.equal(entry.origin, `staff:${email}`)
    assert.equal(entry.reason, 'a bad day')
    await until(async () => (await api.call('GET', '/events?types=spins.granted')).body.events.length === 1)
    const { events } = (await api.call('GET', '/events?types=spins.granted')).body
    assert.equal(events[0].data.by, `staff:${email}`)
    assert.equal(events[0].data.reason, 'a bad day')
    const log = (await read('/api/v1/audit-log')).body.entries as any[]
    assert.deepEqual(
      [log[0].action, log[0].subject, log[0].actor, log[0].before, log[0].after],
      [
        'player.grant',
        'pia',
        { kind: 'staff', id: email, name },
        { spinCount: 0 },
        { spinCount: 5, amount: 5, reason: 'a bad day' },
      ],
    )
  })

  test('a grant by a token has no origin, and a correction records its token', async () => {
    const api = await makeManagementApi(server)
    await api.grant('pia', 5)
    await api.call(
      'POST',
      '/players/pia/corrections',
      { amount: 2, reason: 'why' },
      { 'Idempotency-Key': 'k' },
    )
    const entries = await readAll(api, '/players/pia/ledger', 'entries')
    assert.deepEqual(
      entries.map((entry) => entry.origin),
      [`token:${api.token.split(':')[0]}`, null],
    )
  })

  test('a grant without a reason or without a key is refused', async () => {
    const api = await makeManagementApi(server)
    const { ask, browser } = await makePerson(api.merchant, 'owner')
    const path = '/api/v1/players/pia/grants'
    for (const body of [{ spins: 1 }, { spins: 1, reason: '' }, { spins: 0, reason: 'x' }, { reason: 'x' }])
      assert.equal((await ask(path, body)).body.code, 'validation_failed', JSON.stringify(body))
    const keyless = { merchant: api.merchant.slug, body: { spins: 1, reason: 'x' } }
    assert.equal((await browser.call('POST', path, keyless)).body.code, 'idempotency_key_missing')
    const grants = [
      { playerId: 'pia', spinNumber: 1, reason: 'x' },
      { playerId: 'bob', spinNumber: 1 },
    ]
    const batch = await ask('/api/v1/grant-batches', { grants })
    assert.deepEqual((batch.body.errors as any[])[0].pointer, '/grants/1/reason')
    assert.equal((await api.call('GET', '/players')).body.players.length, 0)
  })

  test('a repeat grants and counts once; the same key with another number is refused', async () => {
    const { merchant } = await makeManagementApi(server)
    const { give } = await makePerson(merchant, 'support')
    assert.equal((await give('pia', 60, 'k')).status, 200)
    const again = await give('pia', 60, 'k')
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal(again.body.spinCount, 60)
    assert.equal((await give('pia', 61, 'k')).body.code, 'idempotency_key_reused')
    assert.equal((await give('pia', 40)).status, 200, 'only 60 of 100 were used')
    const refused = await give('pia', 1)
    assert.equal(refused.body.code, 'staff_grant_limit_exceeded')
    assert.match(
      String(refused.body.detail),
      /You can give 0 more spins today \(limit 100\)\. Ask an editor or owner\./,
    )
  })

  test('support can grant 100 spins a day by default, over all players and endpoints, per person', async () => {
    const api = await makeManagementApi(server)
    const anna = await makePerson(api.merchant, 'support')
    const bert = await makePerson(api.merchant, 'support')
    await api.grant('pia', 1_000)
    assert.equal((await anna.give('pia', 30)).status, 200)
    assert.equal((await anna.correct('pia', 30)).status, 200)
    assert.equal(
      (await anna.correct('pia', -500)).status,
      200,
      'a negative correction is not a grant and restores no quota',
    )
    const { body } = await anna.batch([
      { playerId: 'bob', spinNumber: 30 },
      { playerId: 'cat', spinNumber: 11 },
      { playerId: 'dan', spinNumber: 10 },
    ])
    assert.deepEqual(
      (body.verdicts as any[]).map(({ outcome, code }) => code ?? outcome),
      ['granted', 'staff_grant_limit_exceeded', 'granted'],
    )
    assert.equal((await api.call('GET', '/players/cat')).status, 404, 'a refused grant creates no player')
    for (const refused of [await anna.give('eve', 1), await anna.correct('pia', 1)])
      assert.deepEqual([refused.status, refused.body.code], [422, 'staff_grant_limit_exceeded'])
    assert.equal((await api.call('GET', '/players/eve')).status, 404)
    assert.equal((await bert.give('pia', 100)).status, 200)
  })

  test('fifty concurrent requests over two processes grant no more than the limit', async () => {
    const api = await makeManagementApi(server)
    const person = await makeStaff(server.ctx.db, [[api.merchant, 'support']])
    const browsers = await Promise.all([signInAs(server, person), signInAs(second, person)])
    await api.grant('pia', 1)
    const answers = await Promise.all(
      times(50, async (index) => {
        const isCorrection = index % 3 === 0
        const body = { ...(isCorrection ? { amount: 7 } : { spins: 7 }), reason: 'storm' }
        const path = isCorrection ? '/api/v1/players/pia/corrections' : `/api/v1/players/p${index % 5}/grants`
        const headers = { 'Idempotency-Key': `storm-${index}` }
        const order = { merchant: api.merchant.slug, body, headers }
        const browser = browsers[index % 2] as (typeof browsers)[0]
        for (;;) {
          const answer = await browser.call('POST', path, order)
          if (answer.body.retryable !== true) return answer
        }
      }),
    )
    const given = answers.filter((answer) => answer.status === 200).length
    assert.equal(given, Math.floor(100 / 7), JSON.stringify(answers.map((answer) => answer.body.code)))
    assert.ok(
      answers.every(({ status, body }) => status === 200 || body.code === 'staff_grant_limit_exceeded'),
    )
  })

  test("the day follows the merchant's time zone, and changing the zone gives no second allowance", async () => {
    const { merchant } = await makeManagementApi(server)
    await set(merchant, { timeZone: 'Pacific/Auckland' })
    const { give } = await makePerson(merchant, 'support')
    now = new Date('2026-11-16T10:59:00Z')
    assert.equal((await give('pia', 100)).status, 200)
    assert.equal((await give('pia', 1)).status, 422)
    await set(merchant, { timeZone: 'America/Los_Angeles' })
    assert.equal((await give('pia', 1)).status, 422)
    await set(merchant, { timeZone: 'Pacific/Auckland' })
    now = new Date('2026-11-16T11:00:00Z')
    assert.equal((await give('pia', 100)).status, 200, 'after midnight in Auckland')
  })

  test('only the owner sets the limit of support; 0 allows nothing', async () => {
    const { merchant } = await makeManagementApi(server)
    const owner = await makePerson(merchant, 'owner')
    const support = await makePerson(merchant, 'support')
    const change = (person: typeof owner, supportDailyGrantMax: number) =>
      person.browser.call('PATCH', '/api/v1/merchant', {
        merchant: merchant.slug,
        body: { supportDailyGrantMax },
      })
    assert.equal((await change(support, 1_000)).body.code, 'role_missing')
    assert.equal((await change(owner, 1_000_001)).body.code, 'validation_failed')
    const changed = await change(owner, 0)
    assert.equal(changed.body.supportDailyGrantMax, 0)
    assert.equal((await support.give('pia', 1)).body.code, 'staff_grant_limit_exceeded')
    const cli = await runCli(['merchant', 'set', merchant.slug, '--support-daily-grant-max', '7', '--json'], {
      DATABASE_URL: databaseUrl(server.target),
    })
    assert.equal((JSON.parse(cli.stdout) as { supportDailyGrantMax: number }).supportDailyGrantMax, 7)
    assert.equal((await support.give('pia', 7)).status, 200)
  })

  test('an owner or editor can grant up to a million a day', async () => {
    const { merchant } = await makeManagementApi(server)
    for (const role of ['owner', 'editor'] as const) {
      const { give } = await makePerson(merchant, role)
      assert.equal((await give('pia', 1_000_000)).status, 200)
      assert.equal((await give('pia', 1)).body.code, 'staff_grant_limit_exceeded')
    }
  })

  test('an import is in the audit log with person, spins and reason, and a repeat adds no entry', async () => {
    const api = await makeManagementApi(server)
    await setCeiling(api.merchant, 1_000)
    const { email, batch, read } = await makePerson(api.merchant, 'support')
    const grants = times(300, (index) => ({ playerId: `p${index}`, spinNumber: 2 }))
    assert.equal((await batch(grants, 'import-1')).body.granted, 300)
    const again = await batch(grants, 'import-1')
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    const log = (await read('/api/v1/audit-log?action=grants.batch')).body.entries as any[]
    assert.deepEqual(
      log.map(({ actor, subject, after }) => [actor.id, subject, after]),
      [[email, 'import-1', { grants: 300, granted: 300, spins: 600, reasons: ['for the outage'] }]],
    )
    const [entry] = await readAll(api, '/players/p7/ledger', 'entries')
    assert.deepEqual([entry.origin, entry.reason], [`staff:${email}`, 'for the outage'])
  })

  test('spins for another campaign have the same rules: name, reason and daily limit', async () => {
    const api = await makeManagementApi(server)
    await api.call('POST', '/campaigns', { campaign: 'winter', name: 'Winter sale', wheel: 'main' })
    const { email, ask, batch, read } = await makePerson(api.merchant, 'support')
    const give = (body: object) => ask('/api/v1/players/kim/grants', { campaign: 'winter', ...body })
    assert.equal((await give({ spins: 6 })).body.code, 'validation_failed')
    assert.equal((await give({ spins: 60, reason: 'a bad day' })).status, 200)
    assert.equal((await give({ spins: 60, reason: 'again' })).body.code, 'staff_grant_limit_exceeded')
    const line = { playerId: 'kim', spinNumber: 40, campaign: 'winter' }
    assert.equal((await batch([line], 'import-2')).body.granted, 1)
    const { spinCount, purses } = (await api.call('GET', '/players/kim')).body
    assert.deepEqual([spinCount, purses], [0, [{ campaign: 'winter', spinCount: 100 }]])
    const entries = await readAll(api, '/players/kim/ledger', 'entries')
    assert.deepEqual(
      entries.map(({ origin, reason, campaign }) => [origin, reason, campaign]),
      ['for the outage', 'a bad day'].map((reason) => [`staff:${email}`, reason, 'winter']),
    )
    const log = (await read('/api/v1/audit-log?action=grants.batch')).body.entries as any[]
    assert.deepEqual(log[0].after.campaigns, ['winter'])
  })

  test('a link created by staff grants no spins, records the person, and by support needs a player who exists', async () => {
    const api = await makeManagementApi(server)
    const { email, ask, read } = await makePerson(api.merchant, 'support')
    await api.grant('pia', 1)
    const made = await ask('/api/v1/players/pia/links', undefined)
    assert.match(String(made.body.link), /\/spinthewheel\/\?token=/)
    assert.equal((await api.call('GET', '/players/pia')).body.spinCount, 1)
    const log = (await read('/api/v1/audit-log?action=link.create')).body.entries as any[]
    assert.deepEqual([log[0].subject, log[0].actor.id], ['pia', email])
    await until(async () => (await api.call('GET', '/events?types=link.created')).body.events.length === 1)
    const { events } = (await api.call('GET', '/events?types=link.created')).body
    assert.equal(events[0].data.by, `staff:${email}`)
    const invented = await ask('/api/v1/players/nobody/links', undefined)
    assert.deepEqual([invented.status, invented.body.code], [404, 'player_not_found'])
    assert.equal((await api.call('GET', '/players/nobody')).status, 404)
    const editor = await makePerson(api.merchant, 'editor')
    assert.equal((await editor.ask('/api/v1/players/nobody/links', undefined)).status, 200)
    const viewer = await makePerson(api.merchant, 'viewer')
    assert.equal((await viewer.ask('/api/v1/players/pia/links', undefined)).body.code, 'role_missing')
    assert.equal((await viewer.give('pia', 1)).body.code, 'role_missing')
  })
})
