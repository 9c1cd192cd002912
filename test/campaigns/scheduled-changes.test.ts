// Publications and changes of campaigns at a later time, and the events of campaigns.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { readAuditLog } from '../../src/audit-log/audit-log.ts'
import { changeScheduledWheel } from '../../src/campaigns/schedule-wheel.ts'
import { tellDates } from '../../src/campaigns/tell-dates.ts'
import type { Database } from '../../src/db/database.ts'
import { readEvents } from '../../src/events/event-log.ts'
import { hasUnnumberedPages } from '../../src/events/event-pages.ts'
import { makeDueChanges } from '../../src/scheduled/make-due-changes.ts'
import { uploadCodes } from '../../src/stock/code-pools.ts'
import { defaultWheel } from '../../src/wheel-document/wheel-document.ts'
import { publishScheduled } from '../../src/wheels/schedule-publication.ts'
import { alwaysWins, makeManagementApi, type ManagementApi } from '../scenes/management-scene.ts'
import { makeServer, openTestDatabase, type Server, suiteLifetime, times, until } from '../scenes/scene.ts'

const hour = 3_600_000

describe('scheduled changes', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let processes: Database[]
  before(async () => {
    server = await makeServer(lifetime)
    const other = () => openTestDatabase(lifetime, server.target, { poolMax: 2 })
    processes = [server.ctx.db, other(), other()]
  })
  const inHours = (count: number) => new Date(Date.now() + count * hour)

  /** Does the due work of three processes at once, each with its own connections, at a time to come. */
  async function at(now: Date): Promise<void> {
    const make = { publication: publishScheduled, campaign_wheel: changeScheduledWheel }
    const onTrouble = (error: unknown) => assert.fail(String(error))
    await Promise.all(
      processes.map(async (db) => {
        await makeDueChanges(db, now, { make, onTrouble })
        await tellDates(db, now)
      }),
    )
  }

  async function told({ merchant }: ManagementApi, ...areas: string[]): Promise<[string, any][]> {
    const { db } = server.ctx
    const { merchantId } = merchant
    server.ctx.events.sequencer.nudge()
    await until(async () => !(await hasUnnumberedPages(db, { merchantId, lastPageNo: 2 ** 31 - 1 })))
    const events = await readEvents(db, { merchantId, after: 0, limit: 1_000 })
    return events
      .filter(({ type }) => areas.includes(type.split('.')[0] as string))
      .map(({ type, data }) => [type, data])
  }

  const schedule = (api: ManagementApi, wheel: string, moment: Date, headers = {}) =>
    api.call('PUT', `/wheels/${wheel}/scheduled-publication`, { at: moment.toISOString() }, headers)
  const readWheel = async (api: ManagementApi, wheel: string) =>
    (await api.call('GET', `/wheels/${wheel}`)).body

  test('a draft is published once at its time, as it was scheduled, by the person who scheduled it', async () => {
    const api = await makeManagementApi(server)
    await Promise.all(
      times(4, async (index) => {
        await api.call('PUT', `/wheels/w-${index}`, { ...defaultWheel, name: 'Scheduled' })
        assert.equal((await schedule(api, `w-${index}`, inHours(1))).status, 200)
        await api.call('PUT', `/wheels/w-${index}`, { ...defaultWheel, name: 'Edited later' })
      }),
    )
    const pending = await readWheel(api, 'w-0')
    assert.equal(pending.publishedVersion, null)
    assert.ok(pending.scheduledPublication.draftRevision < pending.draftRevision)
    assert.match(pending.scheduledPublication.by, /^token:/)
    const frozen = await api.call('GET', '/wheels/w-0/scheduled-publication')
    assert.deepEqual([frozen.body.document.name, frozen.body.timeZone], ['Scheduled', defaultWheel.timeZone])
    await at(inHours(0.9))
    assert.equal((await readWheel(api, 'w-0')).publishedVersion, null)
    await at(inHours(1.1))
    await at(inHours(1.2))
    for (const wheel of times(4, (index) => `w-${index}`)) {
      const { publishedVersion, scheduledPublication, draft } = await readWheel(api, wheel)
      assert.deepEqual([publishedVersion, scheduledPublication, draft.name], [1, null, 'Edited later'])
      const version = await api.call('GET', `/wheels/${wheel}/versions/1`)
      assert.equal(version.body.document.name, 'Scheduled')
    }
    const published = (await told(api, 'wheel')).filter(([, { wheel }]) => wheel !== 'main')
    assert.deepEqual(
      published.map(([type, { wheel }]) => `${type} ${wheel}`).toSorted(),
      times(4, (index) => `wheel.published w-${index}`),
    )
    const page = { before: Number.MAX_SAFE_INTEGER, limit: 100 }
    const { entries } = await readAuditLog(server.ctx.db, api.merchant.merchantId, page)
    const ofOne = entries.filter(({ subject }) => subject === 'w-3')
    assert.deepEqual(
      ofOne.map(({ action, actorId }) => [action, actorId]),
      ['wheel.publish', 'wheel.save', 'wheel.schedule', 'wheel.create'].map((action) => [
        action,
        api.token.split(':')[0],
      ]),
    )
  })

  test('a draft that has problems at its time is not published, and an event and the wheel say why', async () => {
    const api = await makeManagementApi(server)
    const { merchantId } = api.merchant
    const draft = alwaysWins({ prize: { kind: 'pool', pool: 'codes' } })
    await api.call('PUT', '/wheels/codes', draft)
    assert.equal((await schedule(api, 'codes', inHours(1))).body.code, 'wheel_not_publishable')
    await uploadCodes(server.ctx.db, { merchantId, pool: 'codes' }, ['ONE'], new Date())
    assert.equal((await schedule(api, 'codes', inHours(1))).status, 200)
    // The last code is taken by another wheel that shares the pool.
    await api.publish(draft)
    await api.play('kim')
    await at(inHours(1.1))
    await at(inHours(1.2))
    const { scheduledPublication, publishedVersion } = await readWheel(api, 'codes')
    assert.equal(publishedVersion, null)
    assert.ok(scheduledPublication.failedAt !== null)
    const [error] = scheduledPublication.errors
    assert.equal(error.pointer, '/segments/0/prize/pool')
    const failures = (await told(api, 'wheel')).filter(([type]) => type === 'wheel.publication_failed')
    assert.equal(failures.length, 1)
    assert.deepEqual(failures[0]?.[1].errors, [error])
    assert.equal(failures[0]?.[1].publishAt, scheduledPublication.at)
    await uploadCodes(server.ctx.db, { merchantId, pool: 'codes' }, ['TWO'], new Date())
    assert.equal((await api.call('POST', '/wheels/codes/publication')).status, 200)
    assert.equal((await readWheel(api, 'codes')).scheduledPublication, null, 'publishing removes the note')
  })

  test('a schedule is changed and cancelled; wrong times, drafts and merchants are refused', async () => {
    const api = await makeManagementApi(server)
    const stranger = await makeManagementApi(server)
    const { draftRevision } = await readWheel(api, 'main')
    const codeOf = async (moment: Date, headers = {}) =>
      (await schedule(api, 'main', moment, headers)).body.code
    assert.equal(await codeOf(inHours(-1)), 'validation_failed')
    assert.equal(await codeOf(inHours(24 * 367)), 'validation_failed')
    assert.equal(await codeOf(inHours(1), { 'If-Match': '"99"' }), 'draft_changed')
    assert.equal((await schedule(api, 'none', inHours(1))).body.code, 'wheel_not_found')
    const read = () => api.call('GET', '/wheels/main/scheduled-publication')
    assert.equal((await read()).body.code, 'nothing_scheduled')
    await schedule(api, 'main', inHours(1), { 'If-Match': `"${draftRevision}"` })
    const moved = await schedule(api, 'main', inHours(3))
    assert.ok(Date.parse(moved.body.scheduledPublication.at) > inHours(2).getTime())
    await stranger.call('DELETE', '/wheels/main/scheduled-publication')
    await at(inHours(2))
    assert.equal((await readWheel(api, 'main')).publishedVersion, 1)
    await api.call('POST', '/wheels/main/publication')
    assert.equal((await read()).status, 200, 'a publication by hand leaves the schedule as it is')
    const cancelled = await api.call('DELETE', '/wheels/main/scheduled-publication')
    assert.equal(cancelled.body.scheduledPublication, null)
    await at(inHours(4))
    assert.equal((await readWheel(api, 'main')).publishedVersion, 2)
  })

  test('a campaign gets another wheel at its time, also one that is published at the same moment', async () => {
    const api = await makeManagementApi(server)
    const moment = inHours(1)
    await api.call('PUT', '/wheels/autumn', { ...defaultWheel, name: 'Autumn' })
    const order = { wheel: 'autumn', at: moment.toISOString() }
    const put = () => api.call('PUT', '/campaigns/main/scheduled-wheel', order)
    assert.equal((await put()).body.code, 'wheel_not_publishable')
    await schedule(api, 'autumn', moment)
    const { scheduledWheel, wheel } = (await put()).body
    assert.deepEqual([scheduledWheel.wheel, scheduledWheel.at, wheel], ['autumn', order.at, 'main'])
    await at(inHours(1.1))
    const changed = (await api.call('GET', '/campaigns/main')).body
    assert.deepEqual([changed.wheel, changed.wheelVersion, changed.scheduledWheel], ['autumn', 1, null])

    await api.call('POST', '/campaigns', { campaign: 'sale', name: 'Sale', wheel: 'main' })
    await api.call('PUT', '/wheels/winter', { ...defaultWheel, name: 'Winter' })
    await schedule(api, 'winter', inHours(2))
    const later = { wheel: 'winter', at: inHours(3).toISOString() }
    await api.call('PUT', '/campaigns/sale/scheduled-wheel', later)
    await api.call('DELETE', '/wheels/winter/scheduled-publication')
    await at(inHours(4))
    const failed = (await api.call('GET', '/campaigns/sale')).body
    assert.equal(failed.wheel, 'main')
    assert.match(failed.scheduledWheel.errors[0].detail, /not published/)
    assert.equal((await api.call('DELETE', '/campaigns/sale/scheduled-wheel')).body.scheduledWheel, null)
    assert.deepEqual(
      (await told(api, 'campaign')).map(([type, data]) => [type, data.campaign, data.wheel]),
      [
        ['campaign.changed', 'main', 'autumn'],
        ['campaign.created', 'sale', 'main'],
        ['campaign.change_failed', 'sale', 'winter'],
      ],
    )
  })

  test('each change of a campaign and each of its dates is told once', async () => {
    const api = await makeManagementApi(server)
    const [opensAt, closesAt] = [inHours(1).toISOString(), inHours(2).toISOString()]
    const by = `token:${api.token.split(':')[0]}`
    await api.call('POST', '/campaigns', { campaign: 's', name: 'S', wheel: 'main', opensAt, closesAt })
    const change = (body: object) => api.call('PATCH', '/campaigns/s', body)
    await change({ name: 'Summer', isPaused: true })
    await change({ name: 'Summer' })
    await change({ isPaused: false })
    await at(inHours(0.5))
    await at(inHours(1.1))
    await at(inHours(2.1))
    await api.call('PUT', '/campaigns/s/archive')
    await api.call('PUT', '/campaigns/s/archive')
    await api.call('DELETE', '/campaigns/s/archive')
    await at(inHours(3))
    const settings = { name: 'Summer', wheel: 'main', purse: 's', opensAt, closesAt }
    assert.deepEqual(await told(api, 'campaign'), [
      ['campaign.created', { campaign: 's', ...settings, name: 'S', by }],
      ['campaign.changed', { campaign: 's', ...settings, changed: ['name'], by }],
      ['campaign.paused', { campaign: 's', by }],
      ['campaign.resumed', { campaign: 's', by }],
      ['campaign.opened', { campaign: 's', opensAt, closesAt }],
      ['campaign.closed', { campaign: 's', opensAt, closesAt }],
      ['campaign.archived', { campaign: 's', by }],
      ['campaign.restored', { campaign: 's', by }],
    ])
    await change({ opensAt: inHours(-2).toISOString(), closesAt: inHours(-1).toISOString() })
    await at(new Date())
    await change({ closesAt: null })
    await at(new Date())
    const last = (await told(api, 'campaign')).map(([type]) => type).slice(8)
    const dates = ['campaign.opened', 'campaign.closed']
    assert.deepEqual(last, ['campaign.changed', ...dates, 'campaign.changed', 'campaign.opened'])
  })
})
