import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { merchantsWithRecentRequestsMax, recentRequestsMax } from '../src/limits.ts'
import { type RecentRequest, RecentRequests } from '../src/recent-requests.ts'
import { type ManagementApi, makeManagementApi } from './management-scene.ts'
import { makeMerchant, makeServer, post, type Server, suiteLifetime, times, until } from './scene.ts'
import { makeStaff, signInAs } from './staff-scene.ts'

test('the latest requests per merchant are kept, and the latest refusals however many successes follow', () => {
  const recent = new RecentRequests()
  const note = (merchantId: number, number: number, status: number) =>
    recent.note(merchantId, { requestId: String(number), status } as RecentRequest)
  for (const number of times(3 * recentRequestsMax + 7, (index) => index))
    note(1, number, number < 5 ? 400 : 200)
  const ids = (merchantId: number, only: 'all' | 'refused') =>
    recent.list(merchantId, only).map(({ requestId }) => Number(requestId))
  const newest = 3 * recentRequestsMax + 6
  assert.deepEqual(
    ids(1, 'all'),
    times(recentRequestsMax, (index) => newest - index),
  )
  assert.deepEqual(ids(1, 'refused'), [4, 3, 2, 1, 0])
  assert.deepEqual(ids(2, 'all'), [])
  for (const merchantId of times(merchantsWithRecentRequestsMax, (index) => 10 + index))
    note(merchantId, 1, 200)
  assert.deepEqual(ids(1, 'all'), [], 'only this many merchants are kept')
  assert.deepEqual(ids(10, 'all'), [1])
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
