import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { auditLedger } from '../../src/integrity/audit.ts'
import {
  type Answer,
  asSuperuser,
  makeDatabase,
  makeMerchant,
  makeServer,
  post,
  type Server,
  spawnServer,
  databaseUrl,
  suiteLifetime,
  times,
} from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'
import { setSuspension } from '../../src/merchants/merchants.ts'
import { setBlock } from '../../src/players/players.ts'

const contract = (isBound: boolean) => () => {
  let server: Server
  let token: string
  const lifetime = suiteLifetime()
  before(async () => {
    server = await makeServer(lifetime)
    ;({ token } = await makeMerchant(server.ctx.db, { isBound }))
  })
  const grant = (body: unknown, headers: Record<string, string> = {}, by = token): Promise<Answer> =>
    post(`${server.url}/api/player/increaseSpin`, by, body, headers)

  test('the response has exactly playerId and the spins that the player can use now', async () => {
    const first = await grant({ playerId: 'ann', spinNumber: 5 })
    assert.equal(first.status, 200)
    assert.match(first.headers.get('content-type') ?? '', /^application\/json/)
    assert.deepEqual(first.body, { playerId: 'ann', spinCount: 5 })
    const second = await grant({ playerId: 'ann', spinNumber: 2 })
    assert.deepEqual(second.body, { playerId: 'ann', spinCount: 7 })
  })

  test('whole numbers in any JSON spelling are accepted', async () => {
    for (const spelling of ['5', '5.0', '5e0', '0.5e1']) {
      const answer = await grant(`{"playerId":"spelling-${spelling}","spinNumber":${spelling}}`)
      assert.equal(answer.body.spinCount, 5, spelling)
    }
  })

  test('one hundred concurrent grants to one player add up', async () => {
    // More than a slow machine accepts at once. Like a merchant's server, repeat what is refused.
    const untilGranted = async (key: string) => {
      const order = () => grant({ playerId: 'busy', spinNumber: 3 }, { 'Idempotency-Key': key })
      let answer = await order()
      for (let attempt = 1; answer.status === 503 && attempt < 20; attempt++) {
        await sleep(1_000 * Number(answer.headers.get('retry-after')))
        answer = await order()
      }
      return answer
    }
    const answers = await Promise.all(times(100, (index) => untilGranted(`busy-${index}`)))
    assert.ok(answers.every((answer) => answer.status === 200))
    const counts = answers
      .map((answer) => Number(answer.body.spinCount))
      .toSorted((one, other) => one - other)
    assert.deepEqual(
      counts,
      times(100, (index) => 3 * (index + 1)),
    )
  })

  test('a repeated key returns the first answer and adds no second spin', async () => {
    const key = { 'Idempotency-Key': 'order-1' }
    const first = await grant({ playerId: 'bob', spinNumber: 5 }, key)
    assert.equal(first.headers.get('idempotent-replayed'), null)
    await grant({ playerId: 'bob', spinNumber: 10 })
    const repeat = await grant({ playerId: 'bob', spinNumber: 5 }, key)
    assert.equal(repeat.status, 200)
    assert.deepEqual(repeat.body, first.body)
    assert.equal(repeat.headers.get('idempotent-replayed'), 'true')
    const next = await grant({ playerId: 'bob', spinNumber: 1 })
    assert.equal(next.body.spinCount, 16)
  })

  test('the same key with another spinNumber is refused and changes nothing', async () => {
    const key = { 'Idempotency-Key': 'order-2' }
    await grant({ playerId: 'carl', spinNumber: 5 }, key)
    const other = await grant({ playerId: 'carl', spinNumber: 6 }, key)
    assert.equal(other.status, 422)
    assert.equal(other.body.code, 'idempotency_key_reused')
    assert.match(String(other.body.detail), /had another number of spins/)
    assert.equal((await grant({ playerId: 'carl', spinNumber: 1 })).body.spinCount, 6)
  })

  test('a key belongs to one player', async () => {
    const key = { 'Idempotency-Key': 'order-3' }
    assert.equal((await grant({ playerId: 'dora', spinNumber: 5 }, key)).body.spinCount, 5)
    assert.equal((await grant({ playerId: 'dave', spinNumber: 7 }, key)).body.spinCount, 7)
  })

  test('a malformed key is refused and changes nothing', async () => {
    for (const key of ['', ' ', 'with space', 'ü', 'x'.repeat(256)]) {
      const answer = await grant({ playerId: 'key-tester', spinNumber: 1 }, { 'Idempotency-Key': key })
      assert.equal(answer.status, 400, JSON.stringify(key))
      assert.equal(answer.body.code, 'idempotency_key_malformed')
    }
    assert.equal(
      (await grant({ playerId: 'key-tester', spinNumber: 1 }, { 'Idempotency-Key': 'x'.repeat(255) })).body
        .spinCount,
      1,
    )
  })

  test('ids are compared byte for byte, in any script', async () => {
    const ids = [
      'Zoë',
      'Zoe\u0308',
      'ZOË',
      'zoë',
      '😀',
      'لاعب',
      'שחקן',
      '玩家',
      'a b',
      'a%20b',
      '{"x":1}',
      "'; drop table players; --",
      '\\',
      '"',
      'x'.repeat(128),
      '😀'.repeat(128),
    ]
    for (const playerId of ids) {
      const answer = await grant({ playerId, spinNumber: 1 })
      assert.deepEqual(answer.body, { playerId, spinCount: 1 }, playerId)
    }
  })

  test('a grant that would exceed the balance limit is refused as a whole', async () => {
    await grant({ playerId: 'rich', spinNumber: 1_000_000 })
    await asSuperuser(server.target.database, async (client) => {
      for (const table of ['players', 'player_purses'])
        await client.query(`update ${table} set balance = 999999990 where balance = 1000000`)
      await client.query(
        `update ledger_entries set amount = 999999990, balance_after = 999999990 where amount = 1000000`,
      )
    })
    const over = await grant({ playerId: 'rich', spinNumber: 11 })
    assert.equal(over.status, 422)
    assert.equal(over.body.code, 'balance_limit_exceeded')
    assert.equal((await grant({ playerId: 'rich', spinNumber: 10 })).body.spinCount, 1_000_000_000)
  })

  test('the same playerId at two merchants is two players', async () => {
    const other = await makeMerchant(server.ctx.db, { isBound })
    const key = { 'Idempotency-Key': 'shared' }
    assert.equal((await grant({ playerId: 'twin', spinNumber: 5 }, key)).body.spinCount, 5)
    assert.equal((await grant({ playerId: 'twin', spinNumber: 9 }, key, other.token)).body.spinCount, 9)
    assert.equal((await grant({ playerId: 'twin', spinNumber: 1 })).body.spinCount, 6)
  })

  test('a merchant with strict players refuses players that never had a link', async () => {
    const strict = await makeMerchant(server.ctx.db, { isBound, settings: { strictPlayers: true } })
    const unknown = await grant({ playerId: 'eve', spinNumber: 1 }, {}, strict.token)
    assert.equal(unknown.status, 404)
    assert.equal(unknown.body.code, 'player_not_found')
    await post(`${server.url}/api/game/sso`, strict.token, { playerId: 'eve' })
    assert.equal((await grant({ playerId: 'eve', spinNumber: 1 }, {}, strict.token)).body.spinCount, 1)
  })

  test("a merchant's limits apply per call and per player and day, but never to a repeat", async () => {
    const { merchant, token: careful } = await makeMerchant(server.ctx.db, {
      isBound,
      settings: { grantMax: 50, dailyGrantMax: 100 },
    })
    const byCall = await grant({ playerId: 'fay', spinNumber: 51 }, {}, careful)
    assert.deepEqual([byCall.status, byCall.body.code], [422, 'grant_limit_exceeded'])
    await asSuperuser(server.target.database, async (client) => {
      const found = await client.query('select from players where merchant_id = $1', [merchant.merchantId])
      assert.equal(found.rowCount, 0, 'a refused grant creates no player')
    })
    const key = { 'Idempotency-Key': 'fay-1' }
    await grant({ playerId: 'fay', spinNumber: 50 }, key, careful)
    await grant({ playerId: 'fay', spinNumber: 50 }, {}, careful)
    const byDay = await grant({ playerId: 'fay', spinNumber: 1 }, {}, careful)
    assert.deepEqual([byDay.status, byDay.body.code], [422, 'daily_grant_limit_exceeded'])
    assert.equal((await grant({ playerId: 'fay', spinNumber: 50 }, key, careful)).body.spinCount, 50)
    assert.equal((await grant({ playerId: 'gus', spinNumber: 50 }, {}, careful)).body.spinCount, 50)
  })

  test('the daily limit resets the next day', async (t) => {
    let now = new Date('2026-11-15T23:59:59Z')
    const clocked = await makeServer(t, { now: () => now })
    const { token: careful } = await makeMerchant(clocked.ctx.db, {
      isBound,
      settings: { dailyGrantMax: 10 },
    })
    const give = () =>
      post(`${clocked.url}/api/player/increaseSpin`, careful, { playerId: 'hal', spinNumber: 10 })
    assert.equal((await give()).status, 200)
    assert.equal((await give()).body.code, 'daily_grant_limit_exceeded')
    now = new Date('2026-11-16T00:00:00Z')
    assert.equal((await give()).body.spinCount, 20)
  })

  test('a blocked player gets no spins and no link, until it is unblocked', async () => {
    const { merchant, token: own } = await makeMerchant(server.ctx.db, { isBound })
    const player = { merchantId: merchant.merchantId, playerId: 'ida' }
    await grant({ playerId: 'ida', spinNumber: 1 }, {}, own)
    await setBlock(server.ctx.db, player, new Date())
    assert.equal((await grant({ playerId: 'ida', spinNumber: 1 }, {}, own)).body.code, 'player_blocked')
    const link = await post(`${server.url}/api/game/sso`, own, { playerId: 'ida', initialSpin: 2 })
    assert.deepEqual([link.status, link.body.code], [403, 'player_blocked'])
    await setBlock(server.ctx.db, player, null)
    assert.equal((await grant({ playerId: 'ida', spinNumber: 1 }, {}, own)).body.spinCount, 2)
  })

  test('a suspended merchant is refused', async () => {
    const { merchant, token: own } = await makeMerchant(server.ctx.db, { isBound })
    await setSuspension(server.ctx.db, merchant.slug, new Date())
    const answer = await grant({ playerId: 'jo', spinNumber: 1 }, {}, own)
    assert.deepEqual([answer.status, answer.body.code], [403, 'merchant_suspended'])
  })

  test('the ledger adds up after all these requests', async () => {
    const report = await auditLedger(server.ctx.db)
    assert.deepEqual(report.findings, [])
    assert.ok(report.entries > 100)
  })
}

describe('POST /api/player/increaseSpin', contract(false))
describe('POST /api/player/increaseSpin with a token that is bound to a campaign', contract(true))

test(
  'fifty requests with one key over two processes make one grant and get fifty equal responses',
  onLanding,
  async (t) => {
    const { target, db } = await makeDatabase(t)
    const { token } = await makeMerchant(db)
    const env = { DATABASE_URL: databaseUrl(target) }
    const servers = await Promise.all([spawnServer(t, env), spawnServer(t, env)])
    for (const round of times(5, (index) => index)) {
      const answers = await Promise.all(
        times(50, (index) =>
          post(
            `${servers[index % 2]?.url}/api/player/increaseSpin`,
            token,
            { playerId: 'fifty', spinNumber: 4 },
            { 'Idempotency-Key': `round-${round}` },
          ),
        ),
      )
      assert.deepEqual(
        answers.map((answer) => answer.status),
        times(50, () => 200),
      )
      assert.deepEqual(
        new Set(answers.map((answer) => JSON.stringify(answer.body))),
        new Set([`{"playerId":"fifty","spinCount":${4 * (round + 1)}}`]),
      )
      const fresh = answers.filter((answer) => answer.headers.get('idempotent-replayed') === null)
      assert.equal(fresh.length, 1)
    }
    const report = await auditLedger(db)
    assert.deepEqual([report.entries, report.findings], [5, []])
  },
)
