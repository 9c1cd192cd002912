import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { defaultWheel } from '../../src/wheel-document/wheel-document.ts'
import { makeManagementApi, type ManagementApi, type Reply } from '../scenes/management-scene.ts'
import { makeServer, type Server, suiteLifetime, times } from '../scenes/scene.ts'

const hour = 3_600_000

describe('/api/v1/campaigns', () => {
  const lifetime = suiteLifetime()
  let server: Server
  before(async () => {
    server = await makeServer(lifetime)
  })
  const inHours = (count: number) => new Date(Date.now() + count * hour).toISOString()

  /** A merchant with a published wheel `summer`, beside its wheel `main`. */
  async function makeApi(): Promise<ManagementApi & { create: (body: object) => Promise<Reply> }> {
    const api = await makeManagementApi(server)
    await api.call('PUT', '/wheels/summer', { ...defaultWheel, name: 'Summer', timeZone: 'Europe/Berlin' })
    await api.call('POST', '/wheels/summer/publication')
    const create = (body: object) =>
      api.call('POST', '/campaigns', { campaign: 'summer', name: 'Summer sale', wheel: 'summer', ...body })
    return { ...api, create }
  }

  test('every merchant has the campaign main, with the wheel of its links', async () => {
    const api = await makeApi()
    const [main, ...others] = (await api.call('GET', '/campaigns')).body.campaigns
    assert.deepEqual(others, [])
    assert.equal(main.campaign, 'main')
    assert.equal(main.wheel, 'main')
    assert.equal(main.purse, 'main')
    assert.equal(main.state, 'open')
    await api.call('PUT', '/wheels/summer/links')
    assert.equal((await api.call('GET', '/campaigns/main')).body.wheel, 'summer')
    const changed = await api.call('PATCH', '/campaigns/main', { wheel: 'main', name: 'Every day' })
    assert.equal(changed.body.wheel, 'main')
    assert.equal(changed.body.name, 'Every day')
    assert.equal((await api.call('PUT', '/campaigns/main/archive')).body.code, 'campaign_is_main')
    assert.equal((await api.create({ campaign: 'main' })).body.code, 'campaign_exists')
  })

  test('a campaign is created, read, changed, archived and restored, and the audit log says so', async () => {
    const api = await makeApi()
    const texts = { de: { name: 'Sommerrad', description: 'Jeden Tag ein Preis' } }
    const created = await api.create({ opensAt: inHours(1), closesAt: inHours(2), priority: 5, texts })
    assert.equal(created.status, 200, created.text)
    assert.equal(created.body.state, 'scheduled')
    assert.equal(created.body.purse, 'summer')
    assert.equal(created.body.timeZone, 'Europe/Berlin')
    assert.deepEqual(created.body.texts, texts)
    assert.equal(created.body.nextOpensAt, created.body.opensAt)
    const etag = created.headers.get('etag') as string
    const change = (body: object, headers?: Record<string, string>) =>
      api.call('PATCH', '/campaigns/summer', body, headers)
    const opened = await change({ opensAt: null, name: 'Now' }, { 'If-Match': etag })
    assert.equal(opened.body.state, 'open')
    assert.equal(opened.body.priority, 5)
    assert.equal((await change({ name: 'Late' }, { 'If-Match': etag })).body.code, 'campaign_changed')
    assert.equal((await change({ isPaused: true })).body.state, 'paused')
    assert.equal((await change({ isPaused: false })).body.state, 'open')
    assert.equal((await change({ closesAt: inHours(-1) })).body.state, 'ended')
    const archived = await api.call('PUT', '/campaigns/summer/archive')
    assert.equal(archived.body.state, 'archived')
    assert.equal((await change({ name: 'Gone' })).body.code, 'campaign_archived')
    const live = await api.call('GET', '/campaigns?fields=campaign')
    assert.deepEqual(live.body.campaigns, [{ campaign: 'main' }])
    const old = await api.call('GET', '/campaigns?archived=true&fields=campaign')
    assert.deepEqual(old.body.campaigns, [{ campaign: 'summer' }])
    assert.equal((await api.call('DELETE', '/campaigns/summer/archive')).body.archivedAt, null)
    const log = await api.call('GET', '/audit-log?subjectKind=campaign')
    const actions = log.body.entries.map((entry: any) => entry.action)
    assert.deepEqual(actions.slice(0, 3), ['campaign.restore', 'campaign.archive', 'campaign.change'])
    assert.deepEqual(log.body.entries.at(-2).before, { name: 'Summer sale', opensAt: created.body.opensAt })
  })

  test('a copy has its own purse and a wheel of its own, as a draft', async () => {
    const api = await makeApi()
    await api.create({ closesAt: inHours(2), priority: 7 })
    const copy = await api.call('POST', '/campaigns/summer/copies', { campaign: 'autumn', name: 'Autumn' })
    assert.equal(copy.status, 200, copy.text)
    assert.deepEqual(
      [copy.body.name, copy.body.wheel, copy.body.purse, copy.body.state, copy.body.closesAt],
      ['Autumn', 'autumn', 'autumn', 'draft', null],
    )
    const [from, to] = await Promise.all(['summer', 'autumn'].map((id) => api.call('GET', `/wheels/${id}`)))
    assert.deepEqual(to?.body.draft, { ...from?.body.draft, name: 'Autumn' })
    const shared = { campaign: 'winter', sharesWheel: true }
    assert.equal((await api.call('POST', '/campaigns/summer/copies', shared)).body.wheel, 'summer')
    await api.call('PUT', '/wheels/spring', defaultWheel)
    const taken = await api.call('POST', '/campaigns/summer/copies', { campaign: 'spring' })
    assert.equal(taken.body.code, 'wheel_exists')
    assert.equal((await api.call('GET', '/campaigns/spring')).body.code, 'campaign_not_found')
  })

  test('bad input is refused and changes nothing', async () => {
    const api = await makeApi()
    const stranger = await makeApi()
    await stranger.create({ campaign: 'foreign' })
    const codeOf = async (body: object) => (await api.create(body)).body.code
    assert.equal(await codeOf({ wheel: 'unknown' }), 'wheel_not_found')
    assert.equal(await codeOf({ purse: 'foreign' }), 'campaign_not_found')
    assert.equal(await codeOf({ campaign: 'Summer!' }), 'validation_failed')
    assert.equal(await codeOf({ opensAt: inHours(2), closesAt: inHours(1) }), 'validation_failed')
    assert.equal(await codeOf({ texts: { de: { title: 'x' } } }), 'validation_failed')
    assert.equal(await codeOf({ priority: 1.5 }), 'validation_failed')
    assert.equal(await codeOf({ name: '   ' }), 'validation_failed')
    assert.equal((await api.call('GET', '/campaigns/foreign')).body.code, 'campaign_not_found')
    assert.equal((await api.call('PATCH', '/campaigns/foreign', { name: 'x' })).status, 404)
    assert.equal((await api.call('PUT', '/campaigns/foreign/archive')).status, 404)
    assert.equal((await api.call('GET', '/campaigns')).body.campaigns.length, 1)
  })

  test('a merchant has at most 50 live campaigns, even if many are created at once', async () => {
    const api = await makeApi()
    for (let index = 0; index < 43; index++) await api.create({ campaign: `c-${index}` })
    const answers = await Promise.all(times(10, (index) => api.create({ campaign: `d-${index}` })))
    const codes = answers.filter(({ status }) => status !== 200).map(({ body }) => body.code)
    assert.deepEqual(
      codes,
      times(4, () => 'campaign_limit_reached'),
    )
    const [{ campaign: id }] = (await api.call('GET', '/campaigns')).body.campaigns
    await api.call('PUT', `/campaigns/${id}/archive`)
    assert.equal((await api.create({})).status, 200)
    assert.equal((await api.call('DELETE', `/campaigns/${id}/archive`)).body.code, 'campaign_limit_reached')
  })
})
