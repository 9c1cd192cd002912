import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { auditLedger } from '../../src/integrity/audit.ts'
import { type Database, statement } from '../../src/db/database.ts'
import { eraseNextEvents } from '../../src/events/erase-events.ts'
import { insertEvents } from '../../src/events/event-pages.ts'
import { deleteOldEvents } from '../../src/events/retention.ts'
import { erasePlayer } from '../../src/players/erase-player.ts'
import { grantSpins } from '../../src/grants/grant-spins.ts'
import { shardOf } from '../../src/players/shard.ts'
import { eraseDeliveries } from '../../src/webhooks/erase-deliveries.ts'
import { granted, numberAllPages } from '../scenes/event-scene.ts'
import { makeManagementApi } from '../scenes/management-scene.ts'
import { makeReceiver } from '../scenes/receivers.ts'
import { makeDatabase, makeMerchant, makeServer, post, times, until } from '../scenes/scene.ts'

const cause = {
  actor: { kind: 'command' as const, id: 'test', name: null },
  requestId: null,
  now: new Date('2026-11-16T12:00:00Z'),
}
const later = (seconds: number) => new Date(cause.now.getTime() + seconds * 1000)
const bodies = statement<{ body: string; firstSeq: number | null }>(
  'select body, first_seq as "firstSeq" from event_pages order by page_no',
)
const erasures = statement<{ playerId: string }>('select player_id as "playerId" from event_erasures')

async function eraseAll(db: Database, now: Date): Promise<number> {
  let steps = 0
  while ((await eraseNextEvents(db, { now, eraseDeliveries })) === 'more') steps++
  return steps
}

function orderOf(merchantId: number, playerId: string, key: string) {
  return {
    merchantId,
    playerId,
    kind: 'grant' as const,
    amount: 1,
    key,
    reason: null,
    mayCreatePlayer: true,
    callMax: 1_000_000,
    dailyMax: null,
  }
}

describe('an erased player', () => {
  test('appears by pseudonym in its events, which keep their ids, numbers and all other fields', async (t) => {
    const server = await makeServer(t)
    const api = await makeManagementApi(server)
    const names = ['ada "the \\ first" é', 'ada "the \\ first" é2', 'bob']
    for (const name of names) await api.grant(name, 5)
    await api.play(names[0] as string)
    const read = async () => (await api.call('GET', '/events')).body.events as any[]
    await until(async () => (await read()).some((event) => event.type === 'play.completed'))
    const before = await read()
    const path = `/players/${encodeURIComponent(names[0] as string)}/personal-data`
    const { pseudonym } = (await api.call('DELETE', path)).body
    await until(async () => !(await read()).some((event) => event.data.playerId === names[0]))
    const expected = before.map((event) =>
      event.data.playerId === names[0] ? { ...event, data: { ...event.data, playerId: pseudonym } } : event,
    )
    assert.deepEqual((await read()).slice(0, before.length), expected)
  })

  test('is not created again by the repeat of an old grant, which gets its first answer', async (t) => {
    const server = await makeServer(t)
    const api = await makeManagementApi(server)
    const grant = (playerId: string, key: string) =>
      post(
        `${server.url}/api/player/increaseSpin`,
        api.token,
        { playerId, spinNumber: 4 },
        { 'Idempotency-Key': key },
      )
    const byHand = () =>
      api.call('POST', '/players/ada/grants', { spins: 2, reason: 'sorry' }, { 'Idempotency-Key': 'by-hand' })
    assert.equal((await grant('ada', 'old')).status, 200)
    assert.equal((await byHand()).status, 200)
    assert.equal((await api.call('DELETE', '/players/ada/personal-data')).status, 200)
    const answers = await Promise.all([grant('ada', 'old'), grant('bob', 'new'), grant('ada', 'old')])
    assert.deepEqual(
      answers.map(({ body, headers }) => [body.playerId, body.spinCount, headers.get('idempotent-replayed')]),
      [
        ['ada', 4, 'true'],
        ['bob', 4, null],
        ['ada', 4, 'true'],
      ],
    )
    const batch = { grants: [{ playerId: 'ada', spinNumber: 4, key: 'old' }] }
    const batched = await api.call('POST', '/grant-batches', batch, { 'Idempotency-Key': 'batch' })
    assert.equal(batched.body.verdicts[0].outcome, 'replayed')
    assert.equal((await byHand()).body.spinCount, 6)
    assert.equal((await api.call('GET', '/players/ada')).body.code, 'player_not_found')
    assert.equal((await grant('ada', 'after')).body.spinCount, 4)
    assert.equal((await api.call('GET', '/players/ada')).body.spinCount, 4)
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  })

  test('is removed from pending deliveries, and the receiver gets the pseudonym', async (t) => {
    const server = await makeServer(t, {
      env: { WEBHOOK_ALLOW_HTTP: 'on', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOK_RETRY_PAUSES: '1h' },
    })
    const api = await makeManagementApi(server)
    let isUp = false
    const receiver = await makeReceiver(t, (_, response) => {
      response.statusCode = isUp ? 200 : 500
      response.end()
    })
    const { webhookId } = (
      await api.call('POST', '/webhooks', { url: receiver.url, types: ['spins.granted'] })
    ).body
    await api.grant('ada', 5)
    const deliveries = async () =>
      server.ctx.db.query(statement<{ body: string }>('select body from webhook_deliveries'))
    await until(async () => (await deliveries()).length === 1)
    const { pseudonym } = (await api.call('DELETE', '/players/ada/personal-data')).body
    await until(async () => (await deliveries())[0]?.body.includes(pseudonym) === true)
    assert.ok(!JSON.stringify(await deliveries()).includes('"ada'))
    isUp = true
    const seen = receiver.received.length
    await api.call('POST', `/webhooks/${webhookId}/resend`, { only: 'all', fromSeq: 1 })
    await until(() => receiver.received.length > seen)
    const { data } = JSON.parse(receiver.received.at(-1)?.body as string) as { data: { playerId: string } }
    assert.equal(data.playerId, pseudonym)
  })

  test('leaves the events of a new player with the same id unchanged', async (t) => {
    const { db } = await makeDatabase(t)
    const { merchant } = await makeMerchant(db)
    const { merchantId } = merchant
    await grantSpins(db, [orderOf(merchantId, 'ada', '1')], cause.now)
    const pseudonym = await erasePlayer(db, { merchantId, playerId: 'ada' }, cause)
    await grantSpins(db, [orderOf(merchantId, 'ada', '2')], cause.now)
    await numberAllPages(db)
    await eraseAll(db, cause.now)
    const pages = (await db.query(bodies, [])).filter(({ body }) => body.includes('spins.granted'))
    assert.ok(pages[0]?.body.includes(pseudonym as string) && !pages[0].body.includes('"ada"'))
    assert.ok(pages[1]?.body.includes('"ada"'))
  })

  test('is removed from rows written concurrently without a lock, and then its id is forgotten', async (t) => {
    const { db } = await makeDatabase(t)
    const { merchant } = await makeMerchant(db)
    const player = { merchantId: merchant.merchantId, playerId: 'ada' }
    await grantSpins(db, [orderOf(player.merchantId, 'ada', '1')], cause.now)
    await erasePlayer(db, player, cause)
    await numberAllPages(db)
    await eraseAll(db, cause.now)
    const data = { playerId: 'ada', linkId: '0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a71' }
    const event = { merchantId: player.merchantId, shard: shardOf(player), type: 'link.opened' as const }
    await insertEvents(db, [{ ...event, at: cause.now, data }])
    await eraseAll(db, later(6))
    assert.ok(JSON.stringify(await db.query(bodies, [])).includes('\\"ada\\"'), 'it has no number yet')
    await numberAllPages(db)
    await eraseAll(db, later(12))
    assert.ok(!JSON.stringify(await db.query(bodies, [])).includes('\\"ada\\"'))
    assert.equal((await db.query(erasures, [])).length, 1)
    await eraseAll(db, later(61))
    await eraseAll(db, later(3_600))
    assert.deepEqual(await db.query(erasures, []), [], 'nothing names the player any more')
  })

  test('with many events is erased in bounded steps, beside sequencers, retention and other workers', async (t) => {
    const { db } = await makeDatabase(t)
    const { merchant } = await makeMerchant(db)
    const { merchantId } = merchant
    const write = (from: number) =>
      Promise.all(
        times(250, (index) =>
          insertEvents(db, [
            granted(from + index + 1, { merchantId, playerId: index % 2 === 0 ? 'ada' : 'bob' }),
          ]),
        ),
      )
    await grantSpins(db, [orderOf(merchantId, 'ada', '1')], cause.now)
    await write(0)
    await write(250)
    await numberAllPages(db)
    await erasePlayer(db, { merchantId, playerId: 'ada' }, cause)
    const writing = { isDone: false }
    const [steps] = await Promise.all([
      Promise.all([eraseAll(db, cause.now), eraseAll(db, cause.now), eraseAll(db, cause.now)]),
      write(500).then(() => (writing.isDone = true)),
      (async () => {
        while (!writing.isDone) await numberAllPages(db)
      })(),
      deleteOldEvents(db, { before: new Date(0), beforeAtLast: new Date(0) }),
    ])
    assert.ok(steps.reduce((sum, one) => sum + one, 0) >= 3, 'no step processes everything')
    await numberAllPages(db)
    await eraseAll(db, later(6))
    const pages = await db.query(bodies, [])
    assert.ok(!JSON.stringify(pages).includes('\\"ada\\"'))
    assert.equal(pages.filter(({ body }) => body.includes('"bob"')).length, 375)
    const numbers = pages.map(({ firstSeq }) => firstSeq as number).toSorted((a, b) => a - b)
    assert.equal(new Set(numbers).size, pages.length)
  })
})
