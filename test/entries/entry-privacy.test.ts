import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { tidyEntries } from '../../src/entries/tidy-entries.ts'
import { addEntryPage, makeEntryPage } from '../scenes/entry-scene.ts'
import { asSuperuser, makeServer, notOnCluster, type Server, suiteLifetime } from '../scenes/scene.ts'

const day = 86_400_000

describe('what visitors tell', notOnCluster, () => {
  const lifetime = suiteLifetime()
  let server: Server
  before(async () => {
    server = await makeServer(lifetime)
  })

  /** The tables in which a text stands, in any column. */
  async function tablesWith(text: string): Promise<string[]> {
    return asSuperuser(server.target.database, async (client) => {
      const tables = await client.query(`select tablename from pg_tables where schemaname = 'public'`)
      const found = []
      for (const { tablename } of tables.rows) {
        const sql = `select 1 from ${tablename} as one where position($1 in one::text) > 0 limit 1`
        if ((await client.query(sql, [text])).rowCount === 1) found.push(tablename)
      }
      return found
    })
  }

  const countOf = async (table: string, merchantId: number): Promise<number> =>
    asSuperuser(server.target.database, async (client) => {
      const { rows } = await client.query(`select count(*)::int as n from ${table} where merchant_id = $1`, [
        merchantId,
      ])
      return rows[0].n as number
    })

  test('stands nowhere in clear, and after an erasure not at all, and the address gets no mail and no entry', async () => {
    const { api, enter, open } = await makeEntryPage(server)
    const { merchantId } = api.merchant
    const entered = await enter({ email: 'marker-4711@shop.example', name: 'Marker Fourseven', news: true })
    assert.deepEqual(await tablesWith('marker-4711'), [])
    assert.deepEqual(await tablesWith('Marker Fourseven'), [])
    const { playerId } = await open(entered)
    assert.equal(await countOf('entry_answers', merchantId), 1)
    const erased = await api.call('DELETE', `/players/${playerId}/personal-data`)
    assert.equal(erased.status, 200, erased.text)
    for (const table of ['entry_answers', 'entry_consents', 'entry_requests'])
      assert.equal(await countOf(table, merchantId), 0, table)
    const again = await enter({ email: 'Marker-4711@shop.example' })
    assert.equal(again.body.code, 'address_refused')
  })

  test('is in the export of personal data, for every campaign, until the player is erased', async () => {
    const main = await makeEntryPage(server)
    const summer = await addEntryPage(server, main, { campaign: 'summer' })
    const typed = { email: 'Eve@shop.example', name: 'Eve' }
    const entered = await main.enter({ ...typed, news: true })
    await summer.enter({ email: 'eve@shop.example' }, { pass: entered.body.pass })
    await main.enter({ email: 'other@shop.example' })
    const { playerId } = await main.open(entered)
    const exported = async (id: string): Promise<any[]> => {
      const { status, text } = await main.api.call('GET', `/players/${id}/personal-data`)
      assert.equal(status, 200, text)
      const lines = text.trim().split('\n')
      return lines.flatMap((line) => JSON.parse(line).visitorEntry ?? [])
    }
    const entries = await exported(playerId)
    assert.deepEqual(
      entries.map(({ campaign, address, answers, consents }) => [
        campaign,
        address,
        answers,
        consents.length,
      ]),
      [
        ['main', 'Eve@shop.example', { ...typed, news: true }, 1],
        ['summer', 'eve@shop.example', { email: 'eve@shop.example' }, 0],
      ],
    )
    assert.partialDeepStrictEqual(entries[0].consents[0], { field: 'news', purpose: 'marketing' })
    const erased = await main.api.call('DELETE', `/players/${playerId}/personal-data`)
    const left = await exported(erased.body.pseudonym)
    assert.deepEqual(
      left.map(({ address, answers, consents }) => [address, answers, consents]),
      [
        [null, null, []],
        [null, null, []],
      ],
    )
  })

  test('is deleted when the campaign ended long enough ago, and not before', async () => {
    const { api, enter } = await makeEntryPage(server)
    const { merchantId } = api.merchant
    await enter({ email: 'ann@shop.example', news: true })
    await tidyEntries(server.ctx.db, new Date(Date.now() + 119 * day))
    assert.equal(await countOf('entry_answers', merchantId), 1)
    await tidyEntries(server.ctx.db, new Date(Date.now() + 121 * day))
    assert.equal(await countOf('entry_answers', merchantId), 0)
    assert.equal(await countOf('entry_consents', merchantId), 1)
    assert.equal(await countOf('entry_requests', merchantId), 0)
  })

  test('is deleted after an earlier end too: when the campaign is archived, or without an end its entry closed', async () => {
    const main = await makeEntryPage(server)
    const summer = await addEntryPage(server, main, { campaign: 'summer', settings: { answersDays: 7 } })
    const { api } = main
    await main.enter({ email: 'ann@shop.example' })
    await summer.enter({ email: 'bob@shop.example' })
    await api.call('DELETE', '/campaigns/main/entry')
    const endless = await api.call('PATCH', '/campaigns/main', { closesAt: null, reason: 'It goes on' })
    assert.equal(endless.status, 200, endless.text)
    assert.equal((await api.call('PUT', '/campaigns/summer/archive')).status, 200)
    const left = async (days: number) => {
      await tidyEntries(server.ctx.db, new Date(Date.now() + days * day))
      return countOf('entry_answers', api.merchant.merchantId)
    }
    assert.deepEqual([await left(6), await left(8), await left(89), await left(91)], [2, 1, 1, 0])
  })

  test('is deleted page by page, and a campaign with very much does not hold up another one', async () => {
    const main = await makeEntryPage(server)
    const summer = await addEntryPage(server, main, { campaign: 'summer' })
    for (const name of ['ann', 'bob', 'cid']) await main.enter({ email: `${name}@shop.example` })
    await summer.enter({ email: 'dan@shop.example' })
    const left = async (pagesPerRun: number) => {
      await tidyEntries(server.ctx.db, new Date(Date.now() + 121 * day), { perPage: 1, pagesPerRun })
      return countOf('entry_answers', main.api.merchant.merchantId)
    }
    assert.deepEqual([await left(1), await left(5)], [2, 0])
  })

  test('a consent is withdrawn with its time, can be given again, and its proof is kept for the years that were set', async () => {
    const page = await makeEntryPage(server, { consentYears: 2 })
    const { api, enter } = page
    const { merchantId } = api.merchant
    const { pass } = (await enter({ email: 'ann@shop.example', news: true })).body
    const [ann] = (await api.call('GET', '/campaigns/main/entries')).body.entries
    const withdraw = async (body: object) =>
      api.call('PUT', `/players/${ann.playerId}/consents/withdrawal`, body)
    assert.equal((await withdraw({ field: 'other' })).body.consents[0].withdrawnAt, null)
    assert.equal((await withdraw({ campaign: 'nowhere' })).body.code, 'campaign_not_found')
    assert.equal((await api.call('PUT', '/players/nobody/consents/withdrawal', {})).status, 404)
    const [withdrawn] = (await withdraw({ campaign: 'main', field: 'news' })).body.consents
    assert.partialDeepStrictEqual(withdrawn, { campaign: 'main', field: 'news', purpose: 'marketing' })
    assert.ok(withdrawn.withdrawnAt >= withdrawn.givenAt)
    assert.deepEqual((await withdraw({})).body.consents, [withdrawn], 'the first time stays')
    const { events } = (await api.call('GET', '/events?types=consent.withdrawn&wait=30')).body
    assert.deepEqual(
      events.map(({ data }: any) => data),
      [{ playerId: ann.playerId, entryId: ann.id, consents: [{ field: 'news', purpose: 'marketing' }] }],
    )
    const consentsNow = async () =>
      (await api.call('GET', '/campaigns/main/entries')).body.entries[0].consents.map(
        ({ withdrawnAt }: any) => withdrawnAt,
      )
    assert.deepEqual(await consentsNow(), [withdrawn.withdrawnAt])
    await enter({ email: 'ann@shop.example', news: true }, { pass })
    assert.deepEqual(await consentsNow(), [withdrawn.withdrawnAt, null])
    await tidyEntries(server.ctx.db, new Date(Date.now() + 729 * day))
    assert.equal(await countOf('entry_consents', merchantId), 2)
    await tidyEntries(server.ctx.db, new Date(Date.now() + 732 * day))
    assert.equal(await countOf('entry_consents', merchantId), 1, 'what is used is kept')
  })
})
