import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { isTimeZone } from '../../src/wheel-document/schedule.ts'
import { makeEntryPage } from '../scenes/entry-scene.ts'
import { makeServer, runCli, type Server, suiteLifetime } from '../scenes/scene.ts'

const offsets = ['+02:00', 'T12+02', 'T12:00[Europe/Berlin]', 'Z', 'GMT+2', 'Mars/Olympus', 'Etc/Unknown', '']

test('only the names of time zones are time zones', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'europe/berlin', 'Asia/Calcutta', 'Etc/GMT+2', 'EST5EDT'])
    assert.ok(isTimeZone(name), name)
  for (const text of offsets) assert.equal(isTimeZone(text), false, text)
})

describe('a time zone that does not exist is refused at its field', () => {
  const lifetime = suiteLifetime()
  let server: Server
  before(async () => {
    server = await makeServer(lifetime)
  })

  test('in settings, links, previews of free spins, and entries, where nobody enters', async () => {
    const page = await makeEntryPage(server)
    const { api, enter } = page
    const freeSpins = { every: 'day', amount: 1 }
    for (const timeZone of offsets) {
      const replies = [
        await api.call('PATCH', '/merchant', { timeZone }),
        await api.call('POST', '/links', { playerId: 'zoe', timeZone }),
        await api.call('POST', '/campaigns/main/free-spin-preview', { freeSpins, timeZone }),
        await enter({ email: 'ann@shop.example' }, { timeZone }),
      ]
      for (const { status, body } of replies)
        assert.deepEqual([status, body.errors?.[0]?.pointer], [400, '/timeZone'], JSON.stringify(body))
    }
    assert.deepEqual((await api.call('GET', '/players')).body.players, [])
    assert.equal((await enter({ email: 'ann@shop.example' }, { timeZone: 'Asia/Tokyo' })).status, 200)
  })

  test('on the command line', async () => {
    for (const zone of ['+02:00', 'T12+02']) {
      const run = await runCli(['merchant', 'create', 'acme', '--time-zone', zone], {})
      assert.equal(run.code, 1)
      assert.match(run.stderr, /Write the name of a time zone/)
    }
  })
})
