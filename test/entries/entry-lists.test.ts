import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { addEntryPage, makeEntryPage } from '../scenes/entry-scene.ts'
import { makeManagementApi } from '../scenes/management-scene.ts'
import { makeServer, type Server, suiteLifetime } from '../scenes/scene.ts'

describe('the entries of visitors', () => {
  const lifetime = suiteLifetime()
  let server: Server
  before(async () => {
    server = await makeServer(lifetime)
  })

  test('are found by any spelling of the address, by the player and by time, in their campaign alone', async () => {
    const page = await makeEntryPage(server)
    const { api, enter, open } = page
    const other = await addEntryPage(server, page, { campaign: 'other' })
    const { playerId } = await open(await enter({ email: 'John.Smith+1@gmail.com' }))
    await enter({ email: 'bob@shop.example' })
    await other.enter({ email: 'eve@shop.example' })
    const find = async (query: string) => {
      const { status, body, text } = await api.call('GET', `/campaigns/main/entries?${query}`)
      assert.equal(status, 200, text)
      return body.entries.map(({ address }: any) => address)
    }
    const john = ['John.Smith+1@gmail.com']
    const both = ['bob@shop.example', ...john]
    assert.deepEqual(await find(`address=${encodeURIComponent('JOHNSMITH@googlemail.com')}`), john)
    assert.deepEqual(await find(`playerId=${playerId}`), john)
    assert.deepEqual(await find(`playerId=${playerId}&address=johnsmith%40gmail.com&verified=false`), john)
    for (const none of [
      'address=nobody%40shop.example',
      'address=eve%40shop.example',
      'playerId=nobody',
      `playerId=${playerId}&address=bob%40shop.example`,
      `playerId=${playerId}&verified=true`,
      'verified=true',
    ])
      assert.deepEqual(await find(none), [], none)
    assert.deepEqual(await find('verified=false'), both)
    const [newest, oldest] = (await api.call('GET', '/campaigns/main/entries')).body.entries
    assert.deepEqual(await find(`from=${newest.enteredAt}`), ['bob@shop.example'])
    assert.deepEqual(await find(`to=${newest.enteredAt}`), john)
    assert.deepEqual(await find(`from=${oldest.enteredAt}`), both)
    const wrong = await api.call('GET', '/campaigns/main/entries?address=john')
    assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, '/address'])
  })

  test('of an erased visitor stay without what was typed, and the address finds nobody', async () => {
    const { api, enter, open } = await makeEntryPage(server)
    const { playerId } = await open(await enter({ email: 'ann@shop.example', news: true }))
    const { pseudonym } = (await api.call('DELETE', `/players/${playerId}/personal-data`)).body
    const list = async (query = '') => (await api.call('GET', `/campaigns/main/entries${query}`)).body.entries
    assert.deepEqual(await list('?address=ann%40shop.example'), [])
    const [left] = await list()
    assert.deepEqual([left.playerId, left.address, left.answers, left.consents], [pseudonym, null, null, []])
  })

  test('can be searched at a merchant that never had a form', async () => {
    const fresh = await makeServer(lifetime)
    const api = await makeManagementApi(fresh)
    const found = await api.call('GET', '/campaigns/main/entries?address=ann%40shop.example')
    assert.deepEqual([found.status, found.body.entries], [200, []])
  })
})
