import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { auditLedger } from '../../src/integrity/audit.ts'
import { grantsInBatchesMax, grantsPerBatchMax, grantsPerTransaction } from '../../src/limits.ts'
import { grantSpins } from '../../src/grants/grant-spins.ts'
import { MerchantConcurrency } from '../../src/concurrency/merchant-concurrency.ts'
import { overloaded, type Refusal } from '../../src/refusals.ts'
import { type ManagementApi, makeManagementApi, type Reply } from '../scenes/management-scene.ts'
import { asSuperuser, makeServer, type Server, suiteLifetime, times, until } from '../scenes/scene.ts'

describe('/api/v1/grant-batches', () => {
  const lifetime = suiteLifetime()
  let server: Server
  before(async () => {
    server = await makeServer(lifetime)
  })
  const sendOnce = (api: ManagementApi, key: string, grants: unknown): Promise<Reply> =>
    api.call('POST', '/grant-batches', { grants }, { 'Idempotency-Key': key })
  async function send(api: ManagementApi, key: string, grants: unknown): Promise<Reply> {
    const answer = await sendOnce(api, key, grants)
    return answer.body.retryable === true ? send(api, key, grants) : answer
  }
  const spinsOf = async (api: ManagementApi, playerId: string) =>
    (await api.call('GET', `/players/${playerId}`)).body.spinCount

  test('each grant gets its result in order, and an invalid grant does not affect the others', async () => {
    const api = await makeManagementApi(server)
    await api.grant('blocked', 1)
    await api.call('PUT', '/players/blocked/block')
    const grants = [
      { playerId: 'a', spinNumber: 1 },
      { playerId: 'blocked', spinNumber: 1 },
      { playerId: 'a', spinNumber: 2, reason: 'twice in one batch' },
      { playerId: 'b', spinNumber: 3, key: 'order-1' },
      { playerId: 'b', spinNumber: 3, key: 'order-1' },
      { playerId: 'b', spinNumber: 4, key: 'order-1' },
    ]
    const answer = await send(api, 'k', grants)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(
      answer.body.verdicts.map((one: any) => [one.playerId, one.outcome, one.spinCount, one.code]),
      [
        ['a', 'granted', 1, null],
        ['blocked', 'refused', null, 'player_blocked'],
        ['a', 'granted', 3, null],
        ['b', 'granted', 3, null],
        ['b', 'replayed', 3, null],
        ['b', 'refused', null, 'idempotency_key_reused'],
      ],
    )
    assert.deepEqual([answer.body.granted, answer.body.refused], [4, 2])
    assert.match(answer.body.verdicts.at(-1).detail, /had another number of spins/)
    await api.grant('b', 3, 'order-1')
    assert.equal(await spinsOf(api, 'b'), 3, 'a key in a batch is the same as in increaseSpin')
  })

  test('a repeat gets the same results, even for grants that would now succeed; another batch with the key is refused', async () => {
    const api = await makeManagementApi(server)
    await api.grant('x', 1)
    await api.call('PUT', '/players/x/block')
    const grants = [
      { playerId: 'x', spinNumber: 5 },
      { playerId: 'y', spinNumber: 5 },
    ]
    const first = await send(api, 'k', grants)
    await api.call('DELETE', '/players/x/block')
    await api.grant('y', 1)
    const repeat = await send(api, 'k', grants)
    assert.equal(repeat.headers.get('idempotent-replayed'), 'true')
    assert.deepEqual(repeat.body, first.body)
    assert.deepEqual([await spinsOf(api, 'x'), await spinsOf(api, 'y')], [1, 6])
    const other = await send(api, 'k', grants.slice(1))
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused'])
    assert.match(other.body.detail, /had other grants/)
    const others = await makeManagementApi(server)
    assert.equal((await send(others, 'k', grants)).body.granted, 2, "another merchant's key is its own")
  })

  test('concurrent copies of one batch grant once and get the same response', async () => {
    const api = await makeManagementApi(server)
    const grants = times(50, (index) => ({ playerId: `p${index % 20}`, spinNumber: 1 + (index % 3) }))
    const answers = await Promise.all(times(6, () => send(api, 'same', grants)))
    for (const answer of answers) assert.deepEqual(answer.body, answers[0]?.body)
    const total = grants.reduce((sum, grant) => sum + grant.spinNumber, 0)
    const players = (await api.call('GET', '/players?limit=100')).body.players
    assert.equal(
      players.reduce((sum: number, player: any) => sum + player.spinCount, 0),
      total,
    )
  })

  test(`a batch of ${grantsPerBatchMax} that was interrupted is completed by its repeat`, async () => {
    const api = await makeManagementApi(server)
    const grants = times(grantsPerBatchMax, (index) => ({
      playerId: `p${index}`,
      spinNumber: 1,
      key: `k${index}`,
    }))
    // The state after a killed process: its first transactions are committed, its results are not.
    const done = grants.slice(0, 3 * grantsPerTransaction).map(({ playerId, key }) => ({
      merchantId: api.merchant.merchantId,
      playerId,
      kind: 'grant' as const,
      amount: 1,
      key,
      reason: null,
      mayCreatePlayer: true,
      callMax: 10,
      dailyMax: null,
    }))
    await grantSpins(server.ctx.db, done, new Date())
    const answer = await send(api, 'big', grants)
    assert.equal(answer.body.granted, grantsPerBatchMax, answer.text.slice(0, 300))
    const outcomes = Map.groupBy(answer.body.verdicts as any[], (one) => one.outcome)
    assert.equal(outcomes.get('replayed')?.length, done.length)
    assert.ok(answer.body.verdicts.every((one: any) => one.spinCount === 1))
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
    const [entry] = (await api.call('GET', '/audit-log')).body.entries
    assert.deepEqual(
      [entry.action, entry.after],
      ['grants.batch', { grants: grantsPerBatchMax, granted: grantsPerBatchMax }],
    )
  })

  test('24 clients send small batches at once and none is refused; merchants take turns', async () => {
    const [busy, quiet] = [await makeManagementApi(server), await makeManagementApi(server)]
    const grants = [{ playerId: 'a', spinNumber: 1 }]
    const { pending } = await asSuperuser(server.target.database, async (client) => {
      await client.query('begin')
      await client.query('lock table grant_batches in exclusive mode')
      const sent = times(24, (index) => sendOnce(busy, `batch-${index}`, grants))
      await until(async () => {
        const { rows } = await client.query('select from pg_locks where not granted')
        return rows.length > 0
      })
      const other = sendOnce(quiet, 'quiet', grants)
      await client.query('commit')
      return { pending: [other, ...sent] }
    })
    const statuses = (await Promise.all(pending)).map(({ status }) => status)
    assert.deepEqual(statuses, Array(25).fill(200))
  })

  test('grants in batches beyond the limit of a merchant, or of all, are refused with Retry-After', () => {
    const places = new MerchantConcurrency(grantsInBatchesMax, () => overloaded('batches'))
    const isRefused = (merchantId: number) =>
      assert.throws(
        () => places.enter(merchantId, 1),
        ({ code, headers }: Refusal) => code === 'overloaded' && headers['Retry-After'] === '1',
      )
    const leave = times(4, () => places.enter(1, grantsPerBatchMax))
    isRefused(1)
    for (const merchantId of [2, 3, 4, 5]) times(4, () => places.enter(merchantId, grantsPerBatchMax))
    isRefused(6)
    leave[0]?.()
    places.enter(6, grantsPerBatchMax)
    isRefused(7)
  })

  test('a batch with an invalid field, too many grants, no grants or no key is refused as a whole', async () => {
    const api = await makeManagementApi(server)
    const good = { playerId: 'a', spinNumber: 1 }
    for (const grants of [
      [good, { playerId: 'a', spinNumber: 0 }],
      [good, { playerId: '', spinNumber: 1 }],
      [good, { playerId: 'a', spinNumber: 1, key: 'a b' }],
      [],
      times(grantsPerBatchMax + 1, () => good),
      'x',
    ])
      assert.equal((await send(api, 'k', grants)).body.code, 'validation_failed')
    assert.equal(
      (await api.call('POST', '/grant-batches', { grants: [good] })).body.code,
      'idempotency_key_missing',
    )
    assert.deepEqual((await api.call('GET', '/players')).body.players, [])
  })
})
