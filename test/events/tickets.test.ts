import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { eventTicketSeconds } from '../../src/limits.ts'
import { revokeToken } from '../../src/merchants/service-tokens.ts'
import { amountOf, openStream, commitEvents } from '../scenes/event-scene.ts'
import { callApi } from '../scenes/management-scene.ts'
import {
  databaseUrl,
  makeDatabase,
  makeMerchant,
  makeServer,
  type Server,
  spawnServer,
  suiteLifetime,
  times,
  until,
} from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

const path = '/api/v1/events/tickets'

describe('a ticket for the live stream', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let laterMs = 0
  before(async () => {
    server = await makeServer(lifetime, { now: () => new Date(Date.now() + laterMs) })
  })
  const makeReader = async () => {
    const { merchant, token } = await makeMerchant(server.ctx.db, { scopes: ['events'] })
    const ticket = async () =>
      (await callApi(server, token, 'POST', path)).body as {
        ticket: string
        expiresAt: string
      }
    return { merchant, token, ticket }
  }
  const connect = (ticket: string, more = '') =>
    fetch(`${server.url}/api/v1/events/stream?ticket=${ticket}${more}`)
  const codeOf = async (response: Response) => {
    const { code } = (await response.json()) as { code: string }
    return [response.status, code]
  }

  test('opens one connection without a token, from any origin', async (t) => {
    const { merchant, ticket } = await makeReader()
    const { ticket: one } = await ticket()
    const streamClient = await openStream(t, server.url, undefined, { query: `?ticket=${one}` })
    assert.equal(streamClient.status, 200)
    assert.equal(streamClient.headers.get('access-control-allow-origin'), '*')
    await commitEvents(server.ctx.db, [1, 3], { merchantId: merchant.merchantId })
    await until(() => streamClient.events().length >= 3)
    assert.deepEqual(streamClient.events().slice(-3).map(amountOf), [1, 2, 3])
    assert.ok(
      streamClient.frames.filter(({ data }) => data !== undefined).every(({ event }) => event !== undefined),
    )
    assert.deepEqual(await codeOf(await connect(one)), [401, 'ticket_invalid'])
  })

  test('is consumed by the first of many connections', async () => {
    const { ticket } = await makeReader()
    const { ticket: one } = await ticket()
    const answers = await Promise.all(times(10, () => connect(one)))
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, ...times(9, () => 401)],
    )
    for (const { body } of answers) await body?.cancel()
  })

  test('expires after a minute', async () => {
    const { ticket } = await makeReader()
    const { ticket: one, expiresAt } = await ticket()
    assert.ok(Math.abs(Date.parse(expiresAt) - Date.now() - eventTicketSeconds * 1000) < 20_000)
    laterMs = eventTicketSeconds * 1000
    assert.deepEqual(await codeOf(await connect(one)), [401, 'ticket_invalid'])
    laterMs = 0
    assert.deepEqual(await codeOf(await connect('tkt_none')), [401, 'ticket_invalid'])
    assert.deepEqual(await codeOf(await connect('a&ticket=b')), [401, 'ticket_invalid'])
  })

  test('becomes invalid with the token that requested it', async (t) => {
    const { token, ticket } = await makeReader()
    const [used, unused] = [await ticket(), await ticket()]
    const streamClient = await openStream(t, server.url, undefined, { query: `?ticket=${used.ticket}` })
    await revokeToken(server.ctx.db, token.split(':')[0] ?? '', new Date())
    await streamClient.ended
    assert.deepEqual(await codeOf(await connect(unused.ticket)), [401, 'token_revoked'])
  })

  test('opens only the stream, and needs the scope', async () => {
    const { ticket } = await makeReader()
    const { ticket: one } = await ticket()
    const pulled = await fetch(`${server.url}/api/v1/events?ticket=${one}`)
    assert.deepEqual((await codeOf(pulled))[0], 401)
    const { token: weak } = await makeMerchant(server.ctx.db, { scopes: ['spins'] })
    const refused = await callApi(server, weak, 'POST', path)
    assert.deepEqual([refused.status, refused.body.code], [403, 'scope_missing'])
  })
})

test('a ticket of one process is valid in another, and is in no log', onLanding, async (t) => {
  const { db, target } = await makeDatabase(t)
  const { token } = await makeMerchant(db, { scopes: ['events'] })
  const env = { DATABASE_URL: databaseUrl(target), LOG_LEVEL: 'debug' }
  const servers = [await spawnServer(t, env), await spawnServer(t, env)] as const
  const { body } = await callApi(servers[0], token, 'POST', path)
  const ticket = String(body.ticket)
  const query = `?ticket=${ticket}`
  const streamClient = await openStream(t, servers[1].url, undefined, { query })
  assert.equal(streamClient.status, 200)
  streamClient.leave()
  assert.equal((await fetch(`${servers[1].url}/api/v1/events/stream${query}`)).status, 401)
  await until(() => servers[1].output().includes('/api/v1/events/stream'))
  for (const server of servers) assert.ok(!server.output().includes(ticket.slice(4)))
})
