import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { LoggedEvent } from '../../src/events/event-log.ts'
import { insertEvents } from '../../src/events/event-pages.ts'
import { eventsScannedBackMax } from '../../src/limits.ts'
import type { Merchant } from '../../src/merchants/merchants.ts'
import { commitEvents, granted, numberAllPages } from '../scenes/event-scene.ts'
import { makeMerchant, makeServer, type Server, suiteLifetime, times } from '../scenes/scene.ts'

type Found = { events: LoggedEvent[]; next: string | null; last: number; code?: string }

describe('the search for events', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let merchant: Merchant
  let token: string
  let all: LoggedEvent[]
  const minute = 60_000
  // After the events of creating the merchant.
  const start = Date.now() + 10 * minute

  const call = async (path: string, own = token): Promise<{ status: number; body: Found }> => {
    const response = await fetch(`${server.url}/api/v1/events${path}`, { headers: { Authorization: own } })
    return { status: response.status, body: (await response.json()) as Found }
  }
  const search = (query: Record<string, string | number>, own = token) =>
    call(`/search?${new URLSearchParams(query as Record<string, string>).toString()}`, own)
  /** Follows `next` to the end. */
  const searchAll = async (query: Record<string, string | number>): Promise<LoggedEvent[]> => {
    const found: LoggedEvent[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const { status, body } = await search(cursor === '' ? query : { ...query, cursor })
      assert.equal(status, 200, JSON.stringify(body))
      assert.ok(body.events.length <= Number(query.limit ?? 50))
      found.push(...body.events)
      cursor = body.next
    }
    return found
  }

  before(async () => {
    server = await makeServer(lifetime)
    const { db } = server.ctx
    const made = await makeMerchant(db, { scopes: ['events'] })
    merchant = made.merchant
    token = made.token
    const { merchantId } = merchant
    // One event a minute, in pages of 1 to 7 events.
    for (let first = 0, size = 1; first < 300; first += size, size = (size % 7) + 1)
      await insertEvents(
        db,
        times(size, (index) => {
          const no = first + index
          const at = new Date(start + no * minute)
          if (no % 10 === 0)
            return { merchantId, type: 'wheel.paused' as const, at, data: { wheel: 'prize.won' } }
          return granted(no, { merchantId, playerId: no % 3 === 0 ? 'ann "prize.won",' : 'bob', at })
        }),
      )
    await numberAllPages(db)
    const { body } = await call('?limit=1000')
    all = body.events.toReversed()
    assert.ok(all.length >= 300)
  })

  test('finds the same as reading everything, newest first, whatever the filters and the size of a page', async () => {
    const from = new Date(start + 100 * minute).toISOString()
    const to = new Date(start + 200 * minute).toISOString()
    const types = 'wheel.paused,prize.won'
    for (const filter of [
      {},
      { types: 'spins.granted' },
      { types },
      { playerId: 'bob' },
      { playerId: 'ann "prize.won",' },
      { playerId: 'nobody' },
      { from },
      { to },
      { from, to },
      { from, to, types, playerId: 'bob' },
      { from, types: 'spins.granted', playerId: 'ann "prize.won",' },
    ] as Record<string, string>[]) {
      const expected = all.filter(
        (event) =>
          (filter.types === undefined || filter.types.split(',').includes(event.type)) &&
          (filter.playerId === undefined ||
            (event.data as { playerId?: string }).playerId === filter.playerId) &&
          (filter.from === undefined || event.at >= filter.from) &&
          (filter.to === undefined || event.at < filter.to),
      )
      for (const limit of [7, 500])
        assert.deepEqual(await searchAll({ ...filter, limit }), expected, JSON.stringify({ filter, limit }))
    }
  })

  test('an event is read by its number or its id', async () => {
    for (const event of all.slice(0, 20)) {
      assert.deepEqual((await call(`/${event.seq}`)).body, event)
      assert.deepEqual((await call(`/${event.id}`)).body, event)
    }
    const id = all[0]?.id as string
    for (const name of ['100000', `evt_${'0'.repeat(32)}_0`, id.replace(/_[^_]+$/, '_zz')]) {
      const { status, body } = await call(`/${name}`)
      assert.deepEqual([status, body.code], [404, 'event_not_found'], name)
    }
    assert.equal((await call('/prize.won')).body.code, 'validation_failed')
  })

  test("another merchant's events are neither found nor read", async () => {
    const other = await makeMerchant(server.ctx.db, { scopes: ['events'] })
    const { body } = await search({ playerId: 'bob' }, other.token)
    assert.deepEqual([body.events, body.next], [[], null])
    for (const name of [all[0]?.id, all[0]?.seq])
      assert.equal((await call(`/${name}`, other.token)).body.code, 'event_not_found')
  })

  test('invalid filters are refused with the name of the field', async () => {
    for (const [name, value] of [
      ['types', 'spins.gone'],
      ['playerId', ' ann'],
      ['from', 'monday'],
      ['to', '2026-13-01T00:00:00Z'],
      ['cursor', 'WyJhIl0'],
      ['limit', '0'],
      ['order', 'asc'],
    ] as const) {
      const { status, body } = await search({ [name]: value })
      assert.deepEqual([status, body.code], [400, 'validation_failed'], name)
      assert.ok(JSON.stringify(body).includes(`"/${name}`), JSON.stringify(body))
    }
  })

  test('in a log of more events than one request reads, an old event is found by going on', async () => {
    const { db } = server.ctx
    const made = await makeMerchant(db, { scopes: ['events'] })
    const { merchantId } = made.merchant
    await commitEvents(db, [1, 1], { merchantId, playerId: 'first' })
    for (let done = 0; done <= eventsScannedBackMax; done += 25_000)
      await commitEvents(db, [1, 25_000], { merchantId, playerId: 'busy' })
    await numberAllPages(db)
    const page = await search({ playerId: 'first' }, made.token)
    assert.deepEqual(page.body.events, [])
    const second = await search({ playerId: 'first', cursor: page.body.next as string }, made.token)
    assert.deepEqual([second.body.events.length, second.body.next], [1, null])
  })
})
