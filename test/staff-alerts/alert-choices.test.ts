import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { proveEmail } from '../../src/staff/staff.ts'
import { makeMerchant, makeServer, type Server, suiteLifetime } from '../scenes/scene.ts'
import { makeStaff, signInAs } from '../scenes/staff-scene.ts'

describe('alerts that staff choose', () => {
  const lifetime = suiteLifetime()
  let server: Server
  before(async () => {
    server = await makeServer(lifetime)
  })

  async function makeViewer() {
    const { merchant } = await makeMerchant(server.ctx.db, { isBound: true })
    const person = await makeStaff(server.ctx.db, [[merchant, 'viewer']])
    const browser = await signInAs(server, person)
    const call = (method: string, path = '', causes?: unknown, at = merchant.slug) =>
      browser.call(method, `/api/v1/account/alerts${path}`, {
        merchant: at,
        ...(causes === undefined ? {} : { body: { causes } }),
      })
    return { merchant, person, call }
  }

  test('everybody has a choice of their own at each merchant, and none at first', async () => {
    const ann = await makeViewer()
    const { email } = ann.person
    const first = { isMailSet: false, email, isEmailProven: false, causes: [], campaigns: [] }
    assert.deepEqual((await ann.call('GET')).body, first)
    await proveEmail(server.ctx.db, ann.person.staffId, new Date())
    const chosen = await ann.call('PUT', '', ['stock_gone', 'webhook_failing'])
    const after = { ...first, isEmailProven: true, causes: ['stock_gone', 'webhook_failing'] }
    assert.deepEqual(chosen.body, after)
    assert.deepEqual((await ann.call('GET')).body, after)

    const ben = await makeStaff(server.ctx.db, [[ann.merchant, 'owner']])
    const other = await signInAs(server, ben)
    const seen = await other.call('GET', '/api/v1/account/alerts', { merchant: ann.merchant.slug })
    assert.deepEqual(seen.body.causes, [])
    assert.deepEqual((await ann.call('PUT', '', [])).body.causes, [])
  })

  test('a campaign has a choice of its own, until it has that for all campaigns again', async () => {
    const { call } = await makeViewer()
    await call('PUT', '', ['daily_summary'])
    await call('PUT', '/summer', ['stock_low'])
    const { causes, campaigns } = (await call('PUT', '/main', [])).body
    assert.deepEqual(causes, ['daily_summary'])
    assert.deepEqual(campaigns, [
      { campaign: 'main', causes: [] },
      { campaign: 'summer', causes: ['stock_low'] },
    ])
    const left = (await call('DELETE', '/summer')).body
    assert.deepEqual(left.campaigns, [{ campaign: 'main', causes: [] }])
  })

  test('a wrong choice is refused at its field, and changes nothing', async () => {
    const { call } = await makeViewer()
    await call('PUT', '', ['stock_low'])
    const wrong = await call('PUT', '', ['stock_low', 'moon_full'])
    assert.equal(wrong.status, 400)
    assert.equal((wrong.body.errors as { pointer: string }[])[0]?.pointer, '/causes/1')
    assert.equal((await call('PUT', '', ['stock_low', 'stock_low'])).status, 400)
    assert.equal((await call('PUT', '/summer', ['webhook_failing'])).status, 400)
    assert.equal((await call('PUT', '/winter', ['stock_low'])).body.code, 'campaign_not_found')
    assert.equal((await call('DELETE', '/winter')).body.code, 'campaign_not_found')
    assert.deepEqual((await call('GET')).body.causes, ['stock_low'])
    assert.deepEqual((await call('GET')).body.campaigns, [])
  })

  test('nobody chooses at a merchant they do not work for', async () => {
    const [ann, ben] = [await makeViewer(), await makeViewer()]
    const there = await ann.call('PUT', '', ['stock_low'], ben.merchant.slug)
    assert.equal(there.body.code, 'merchant_not_found')
    assert.equal((await ann.call('GET', '', undefined, ben.merchant.slug)).body.code, 'merchant_not_found')
  })
})
