// What staff and merchants' systems see of messages afterwards: the log, and the addresses that refuse.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { statement } from '../../src/db/database.ts'
import { rowsScannedMax } from '../../src/limits.ts'
import { deleteOldMails } from '../../src/mails/mail-rows.ts'
import type { Role } from '../../src/staff/roles.ts'
import { alwaysWins, callApi, makeManagementApi, type ManagementApi } from '../scenes/management-scene.ts'
import { makeServer, type Server, suiteLifetime, until } from '../scenes/scene.ts'
import { makeStaff, signInAs } from '../scenes/staff-scene.ts'
import { makeTestMailbox, type TestMailbox } from '../scenes/test-mailbox.ts'

const on = { replyTo: null, kinds: { won: { isOn: true, texts: {} } } }

describe('what became of messages', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let box: TestMailbox
  before(async () => {
    box = await makeTestMailbox(lifetime)
    box.answer = (to, at) =>
      at === 'recipient' && to.endsWith('@dead.example') ? '550 5.1.1 no such user' : undefined
    const env = { SMTP_URL: box.url, MAIL_FROM: 'wheel@house.example' }
    server = await makeServer(lifetime, { env })
  })

  const makeShop = async () => {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({ prize: { kind: 'handover' } }))
    await call(api, 'PUT', '/campaigns/main/messages', on)
    return api
  }
  const call = async (api: ManagementApi, method: string, path: string, body?: object) => {
    const reply = await api.call(method, path, body)
    assert.equal(reply.status, 200, `${method} ${path}: ${reply.text}`)
    return reply.body
  }
  const listed = async (api: ManagementApi, query = '') =>
    (await call(api, 'GET', `/messages${query}`)).messages
  /** A player wins; the answer is the newest message, once it was settled. */
  const win = async (api: ManagementApi, playerId: string, email?: string) => {
    const count = (await listed(api, `?playerId=${playerId}`).catch(() => [])).length
    await api.grant(playerId, 1)
    if (email !== undefined) await call(api, 'PUT', `/players/${playerId}/contact`, { email })
    await api.play(playerId)
    const found = async () => listed(api, `?playerId=${playerId}`)
    await until(async () => (await found()).length > count && (await found())[0].settledAt !== null)
    return (await found())[0]
  }
  const staffOf = async (api: ManagementApi, role: Role) => {
    const browser = await signInAs(server, await makeStaff(server.ctx.db, [[api.merchant, role]]))
    return (method: string, path: string) =>
      browser.call(method, `/api/v1${path}`, { merchant: api.merchant.slug })
  }
  const address = (domain: string) => `${randomUUID()}@${domain}.example`

  test('the log is filtered by player, kind, state, time and campaign', async () => {
    const api = await makeShop()
    await win(api, 'ann', address('shop'))
    const moment = new Date().toISOString()
    await win(api, 'bob', address('dead'))
    await win(api, 'cid')
    const players = async (query: string) =>
      (await listed(api, query)).map(({ playerId }: { playerId: string }) => playerId)
    assert.deepEqual(await players(''), ['cid', 'bob', 'ann'])
    assert.deepEqual(await players('?playerId=bob'), ['bob'])
    assert.deepEqual(await players('?state=refused'), ['bob'])
    assert.deepEqual(await players('?state=dropped'), ['cid'])
    assert.deepEqual(await players('?state=dropped&playerId=ann'), [])
    assert.deepEqual(await players('?kind=won&limit=2'), ['cid', 'bob'])
    assert.deepEqual(await players('?kind=claim_ends'), [])
    assert.deepEqual(await players(`?from=${moment}`), ['cid', 'bob'])
    assert.deepEqual(await players(`?to=${moment}`), ['ann'])
    assert.deepEqual(await players(`?to=${moment}&playerId=ann`), ['ann'])
    assert.equal((await listed(api, '?campaign=main'))[0].campaign, 'main')
    assert.equal((await api.call('GET', '/messages?campaign=none')).body.code, 'campaign_not_found')
    const first = await call(api, 'GET', '/messages?limit=2')
    assert.deepEqual(await players(`?cursor=${first.next}`), ['ann'])
  })

  test('a token of one campaign sees the messages of no other', async () => {
    const api = await makeShop()
    await call(api, 'PUT', '/wheels/sunny', { ...alwaysWins({ prize: { kind: 'handover' } }), name: 'Sunny' })
    await call(api, 'POST', '/wheels/sunny/publication')
    await call(api, 'POST', '/campaigns', { campaign: 'sunny', name: 'Sunny', wheel: 'sunny' })
    await win(api, 'ann', address('shop'))
    const order = { name: 'bound', scopes: ['read'], campaign: 'sunny' }
    const { token } = await call(api, 'POST', '/tokens', order)
    const read = (query: string) => callApi(server, token, 'GET', `/api/v1/messages${query}`)
    assert.deepEqual((await read('')).body.messages, [])
    assert.equal((await read('?playerId=ann')).body.code, 'player_not_found')
    assert.equal((await read('?campaign=main')).body.code, 'token_bound')
    const dead = await callApi(server, token, 'GET', '/api/v1/messages/dead-addresses')
    assert.equal(dead.status, 403)
  })

  test('what failed is found behind any number of messages that were sent', async () => {
    const api = await makeShop()
    await win(api, 'ann', address('dead'))
    await win(api, 'bob', address('shop'))
    const many = statement(`
      insert into mails (
        shard, mail_id, planned_at, expires_at, settled_at, player_no, merchant_id, campaign_id, kind, state, cause, data
      )
      select
        shard, gen_random_uuid(), planned_at + interval '1 second', expires_at, settled_at, player_no, merchant_id,
        campaign_id, kind, state, cause || ' ' || copy, data
      from mails, generate_series(1, $2) as copy
      where merchant_id = $1
      and state = 'sent'`)
    await server.ctx.db.query(many, [api.merchant.merchantId, rowsScannedMax])
    const failed = await call(api, 'GET', '/messages?state=refused')
    assert.deepEqual([failed.messages[0].playerId, failed.next], ['ann', null])
    const short = await call(api, 'GET', '/messages?state=dropped')
    assert.deepEqual(short.messages, [])
    assert.notEqual(short.next, null)
    assert.equal((await call(api, 'GET', `/messages?state=dropped&cursor=${short.next}`)).next, null)
  })

  test('staff see which addresses refuse mail, and let one be mailed again', async () => {
    const api = await makeShop()
    const email = address('dead')
    assert.equal((await win(api, 'ann', email)).reason, 'address_dead')
    const [viewer, editor] = [await staffOf(api, 'viewer'), await staffOf(api, 'editor')]
    const path = '/messages/dead-addresses'
    assert.equal((await viewer('GET', path)).body.code, 'role_missing')
    const { deadAddresses } = (await editor('GET', path)).body as any
    const { id, deadAt, ...rest } = deadAddresses[0]
    assert.deepEqual(rest, { address: email, playerId: 'ann', reason: 'address_dead' })
    assert.ok(Date.parse(deadAt) <= Date.now())
    assert.equal((await viewer('DELETE', `${path}/${id}`)).body.code, 'role_missing')
    assert.equal((await editor('DELETE', `${path}/${randomUUID()}`)).body.code, 'dead_address_not_found')
    const stranger = await makeShop()
    assert.equal((await stranger.call('DELETE', `${path}/${id}`)).status, 404)

    assert.equal((await editor('DELETE', `${path}/${id}`)).status, 200)
    assert.deepEqual(((await editor('GET', path)).body as any).deadAddresses, [])
    assert.equal((await editor('DELETE', `${path}/${id}`)).status, 404)
    box.answer = () => undefined
    assert.equal((await win(api, 'ann')).state, 'sent')
    const { entries } = await call(api, 'GET', '/audit-log?subject=ann')
    const lifted = entries.find(({ action }: any) => action === 'address.lift')
    assert.match(lifted.actor.id, /@example\.com$/)
    assert.doesNotMatch(JSON.stringify(lifted), /dead\.example/)
  })

  test('a dead address is no more shown once its player has another, and not by whose it was once erased', async () => {
    const api = await makeShop()
    box.answer = (to, at) => (at === 'recipient' && to.endsWith('@dead.example') ? '550 5.1.1' : undefined)
    await win(api, 'ann', address('dead'))
    const dead = async () => (await call(api, 'GET', '/messages/dead-addresses')).deadAddresses
    await call(api, 'PUT', '/players/ann/contact', { email: address('shop') })
    assert.deepEqual([(await dead())[0].address, (await dead())[0].playerId], [null, 'ann'])
    await call(api, 'DELETE', '/players/ann/personal-data')
    assert.deepEqual([(await dead())[0].address, (await dead())[0].playerId], [null, null])
  })

  test('messages that were not sent are kept for a shorter time than those that were', async () => {
    const api = await makeShop()
    await win(api, 'ann', address('shop'))
    await win(api, 'bob')
    const { db } = server.ctx
    const states = async () => (await listed(api)).map(({ state }: { state: string }) => state)
    const early = new Date(Date.now() - 60_000)
    await deleteOldMails(db, { plannedBefore: early, droppedBefore: early })
    assert.deepEqual(await states(), ['dropped', 'sent'])
    await deleteOldMails(db, { plannedBefore: early, droppedBefore: new Date(Date.now() + 1_000) })
    assert.deepEqual(await states(), ['sent'])
  })
})
