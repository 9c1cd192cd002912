import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { statement } from '../../src/db/database.ts'
import {
  merchantsWithRecentRequestsMax,
  recentRequestDays,
  recentRequestsMax,
} from '../../src/reports/request-limits.ts'
import { RecentRequests } from '../../src/reports/recent-requests.ts'
import type { RecentRequest } from '../../src/reports/request-rows.ts'
import { type ManagementApi, makeManagementApi } from '../scenes/management-scene.ts'
import {
  makeDatabase,
  makeMerchant,
  makeServer,
  post,
  type Server,
  suiteLifetime,
  times,
  until,
} from '../scenes/scene.ts'
import { makeStaff, signInAs } from '../scenes/staff-scene.ts'

test('the last thousand requests of a merchant survive a restart, and as many refusals whatever follows', async (t) => {
  const { db } = await makeDatabase(t)
  const now = Date.now()
  const note = (recent: RecentRequests, merchantId: number, number: number) =>
    recent.note(merchantId, {
      requestId: String(number),
      at: now + number,
      status: number < 5 ? 400 : 200,
    } as RecentRequest)
  const ids = async (recent: RecentRequests, merchantId: number, only: 'all' | 'refused') =>
    (await recent.list(merchantId, only, recentRequestsMax)).map(({ requestId }) => Number(requestId))
  const old = new RecentRequests(db)
  for (const number of times(3 * recentRequestsMax, (index) => index)) note(old, 1, number)
  await old.close((error) => assert.fail(String(error)))
  const after = new RecentRequests(db)
  for (const number of [3_000, 3_001]) note(after, 1, number)
  assert.deepEqual(
    await ids(after, 1, 'all'),
    times(recentRequestsMax, (index) => 3_001 - index),
  )
  assert.deepEqual(await ids(after, 1, 'refused'), [4, 3, 2, 1, 0])
  assert.deepEqual(await ids(after, 2, 'all'), [])
  const [kept] = await db.query(statement<{ count: number }>('select count(*)::int from recent_requests'))
  assert.equal(kept?.count, recentRequestsMax + 5)
  note(after, 2, 7)
  await after.flush(new Date(now + (recentRequestDays + 1) * 86_400_000))
  assert.deepEqual(await ids(after, 1, 'all'), [], 'after two weeks they are deleted')
  for (const merchantId of times(merchantsWithRecentRequestsMax + 1, (index) => 10 + index))
    note(after, merchantId, 9)
  assert.deepEqual(await ids(after, 10, 'all'), [], 'so many merchants wait in memory')
  assert.deepEqual(await ids(after, 11, 'all'), [9])
})

describe('GET /api/v1/requests', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let api: ManagementApi
  before(async () => {
    server = await makeServer(lifetime)
    api = await makeManagementApi(server)
  })

  test('lists requests and responses of both HTTP paths, without secrets or ids', async () => {
    const increase = `${server.url}/api/player/increaseSpin`
    const granted = await post(increase, api.token, { playerId: 'secretly-alice', spinNumber: 1 })
    await post(increase, api.token, { playerId: 'secretly-alice', spinNumber: 1 })
    const refused = await post(increase, api.token, { playerId: 'secretly-alice', spinNumber: 0 })
    await api.call('GET', '/players/secretly-bob')
    const { token: foreign } = await makeMerchant(server.ctx.db)
    await post(increase, foreign, { playerId: 'x', spinNumber: 1 })
    await post(increase, `${api.token}0`, { playerId: 'x', spinNumber: 1 })
    const person = await makeStaff(server.ctx.db, [[api.merchant, 'owner']])
    const staff = await signInAs(server, person)
    const listRequests = (query = '') =>
      staff.call('GET', `/api/v1/requests${query}`, { merchant: api.merchant.slug }) as Promise<any>
    await listRequests()
    // A response is recorded a moment after it was sent.
    await until(async () => (await listRequests()).body.requests.length === 4)
    const { body } = await listRequests()
    assert.deepEqual(
      body.requests.map((one: any) => [one.method, one.path, one.status, one.code]),
      [
        ['GET', '/api/v1/players/:playerId', 404, 'player_not_found'],
        ['POST', '/api/player/increaseSpin', 400, 'validation_failed'],
        ['POST', '/api/player/increaseSpin', 200, null],
        ['POST', '/api/player/increaseSpin', 200, null],
      ],
    )
    assert.equal(body.processes, 1)
    const [, wrong, , first] = body.requests
    assert.equal(wrong.requestId, refused.headers.get('x-request-id'))
    assert.match(wrong.detail, /spinNumber/)
    assert.equal(first.requestId, granted.headers.get('x-request-id'))
    assert.equal(first.tokenId, api.token.split(':')[0])
    const text = JSON.stringify(body)
    for (const word of ['secretly', api.token.split(':')[1] as string]) assert.ok(!text.includes(word))
    const refusals = (await listRequests('?only=refused')).body.requests
    assert.deepEqual(
      refusals.map((one: any) => one.status),
      [404, 400],
    )
    assert.equal((await listRequests('?only=everything')).status, 400)
  })
})
