import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { addEntryPage, entrySettings, makeEntryPage } from '../scenes/entry-scene.ts'
import { makeManagementApi } from '../scenes/management-scene.ts'
import { makeServer, type Server, suiteLifetime } from '../scenes/scene.ts'
import { makeStaff, signInAs } from '../scenes/staff-scene.ts'

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

  test('are exported whole, with a column for each field of all versions, and no cell is a formula', async () => {
    const size = {
      id: 'size',
      kind: 'choice',
      labels: { en: 'Size' },
      isRequired: false,
      when: 'entry',
      options: [{ id: 's', labels: { en: 'S' } }],
    }
    const born = { id: 'born', kind: 'birth', labels: { en: 'Born' }, isRequired: false, when: 'entry' }
    const { api, enter, setUp } = await makeEntryPage(server, {
      fields: [...entrySettings.fields, size, born],
    })
    await enter({
      email: '=a@shop.example',
      name: '=1+1',
      news: true,
      size: 's',
      born: { year: 1990, month: 1 },
    })
    await setUp()
    await enter({ email: 'bob@shop.example' })
    const path = '/campaigns/main/entries/export'
    const csv = await api.call('GET', `${path}?format=csv`)
    assert.equal(csv.status, 200, csv.text)
    const [head, ...lines] = csv.text.trimEnd().split('\r\n')
    assert.equal(
      head,
      'id,campaign,playerId,enteredAt,verifiedAt,language,formVersion,address,answers.name,answers.size,answers.born,consents.news.givenAt,consents.news.confirmedAt,consents.news.withdrawnAt',
    )
    assert.deepEqual(
      lines.map((line) => line.split(',')[7]),
      ['bob@shop.example', `"'=a@shop.example"`],
    )
    assert.match(lines[1] ?? '', /,"'=1\+1",s,1990-01,\d{4}-[^,]+Z,,$/)
    const rows = (await api.call('GET', `${path}?format=ndjson&address=bob%40shop.example`)).text
      .trim()
      .split('\n')
    assert.deepEqual(JSON.parse(rows[0] ?? '').answers, { email: 'bob@shop.example' })
    assert.equal(rows.length, 1)
    const workbook = await fetch(`${server.url}/api/v1${path}?format=xlsx`, {
      headers: { Authorization: api.token },
    })
    assert.equal(workbook.headers.get('content-disposition'), 'attachment; filename="visitor-entries.xlsx"')
    assert.equal(Buffer.from(await workbook.arrayBuffer()).toString('latin1', 0, 2), 'PK')
    const { text, body } = await api.call('GET', '/audit-log?action=data.export')
    assert.equal(body.entries.length, 3)
    assert.equal(body.entries[2].after.list, 'visitor-entries')
    assert.equal(text.includes('bob'), false)
  })

  test('are exported by owners and editors, and listed by support too', async () => {
    const { api, enter } = await makeEntryPage(server)
    await enter({ email: 'ann@shop.example' })
    for (const [role, may] of [
      ['owner', [200, 200]],
      ['editor', [200, 200]],
      ['support', [200, 403]],
      ['viewer', [403, 403]],
    ] as const) {
      const browser = await signInAs(server, await makeStaff(server.ctx.db, [[api.merchant, role]]))
      const asked = ['/entries', '/entries/export'].map(async (path) => {
        const under = { merchant: api.merchant.slug }
        return (await browser.call('GET', `/api/v1/campaigns/main${path}`, under)).status
      })
      assert.deepEqual(await Promise.all(asked), may, role)
    }
  })

  test('can be searched at a merchant that never had a form', async () => {
    const fresh = await makeServer(lifetime)
    const api = await makeManagementApi(fresh)
    const found = await api.call('GET', '/campaigns/main/entries?address=ann%40shop.example')
    assert.deepEqual([found.status, found.body.entries], [200, []])
  })
})
