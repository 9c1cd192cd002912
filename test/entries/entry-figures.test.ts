import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { readEntryFigures } from '../../src/entries/entry-figures.ts'
import { addEntryPage, makeEntryPage } from '../scenes/entry-scene.ts'
import { alwaysWins } from '../scenes/management-scene.ts'
import { makeServer, type Server, suiteLifetime } from '../scenes/scene.ts'
import { makeStaff, signInAs } from '../scenes/staff-scene.ts'

const path = '/campaigns/main/entry/figures'

describe('the figures of visitors', () => {
  const lifetime = suiteLifetime()
  let server: Server
  before(async () => {
    server = await makeServer(lifetime)
  })

  test('count from the page to the claimed prize, by day and campaign, and refusals by reason', async () => {
    const page = await makeEntryPage(server)
    const { api, enter, open } = page
    await api.publish(alwaysWins({}))
    const other = await addEntryPage(server, page, { campaign: 'other' })
    await other.enter({ email: 'eve@shop.example' })
    const session = await open(await enter({ email: 'ann@shop.example' }))
    await enter({ email: 'bob@shop.example' })
    assert.equal((await enter({ email: 'ann@shop.example' })).body.code, 'entry_known')
    assert.equal((await enter({ email: 'none' })).body.code, 'address_refused')
    const play = await api.spin(session)
    assert.equal((await api.call('PUT', `/prizes/${play.playId}/redemption`)).status, 200)
    const { status, body, text } = await api.call('GET', path)
    assert.equal(status, 200, text)
    const figures = {
      opened: 4,
      submitted: 4,
      entered: 2,
      verified: 0,
      played: 1,
      won: 1,
      claimed: 1,
      refusals: { entry_known: 1, address_refused: 1 },
    }
    assert.deepEqual(body.total, figures)
    assert.equal(body.days.length, 30)
    assert.deepEqual(body.days.at(-1), { day: new Date().toISOString().slice(0, 10), ...figures })
    assert.deepEqual(body.days[0].refusals, {})
    const { merchantId } = api.merchant
    const key = { merchantId, campaignId: 0 }
    const period = { from: body.from, to: body.to }
    const byPages = await readEntryFigures(server.ctx.db, key, { ...period, perPage: 1 })
    assert.deepEqual(byPages.total, figures)
    const elsewhere = (await api.call('GET', '/campaigns/other/entry/figures')).body.total
    assert.deepEqual([elsewhere.opened, elsewhere.entered, elsewhere.played], [1, 1, 0])
  })

  test('are for everybody who reads the campaign, and for at most 92 days', async () => {
    const { api } = await makeEntryPage(server)
    const viewer = await signInAs(server, await makeStaff(server.ctx.db, [[api.merchant, 'viewer']]))
    const seen = await viewer.call('GET', `/api/v1${path}`, { merchant: api.merchant.slug })
    assert.equal(seen.status, 200)
    for (const [query, pointer] of [
      ['from=2026-01-01&to=2026-04-03', '/from'],
      ['from=2026-01-02&to=2026-01-01', '/to'],
    ])
      assert.equal((await api.call('GET', `${path}?${query}`)).body.errors[0].pointer, pointer)
    assert.equal((await api.call('GET', `${path}?from=2026-01-01&to=2026-04-02`)).body.days.length, 92)
  })
})
