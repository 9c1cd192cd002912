import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { scheduledWork } from '../../src/entries/scheduled-work.ts'
import { makeDueChanges } from '../../src/scheduled/make-due-changes.ts'
import { publishWheel } from '../../src/wheels/wheels.ts'
import { type EntryPage, makeEntryPage } from '../scenes/entry-scene.ts'
import { alwaysWins } from '../scenes/management-scene.ts'
import { makeServer, type Server, suiteLifetime } from '../scenes/scene.ts'

const day = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString()

describe('the closing time in the terms of visitors', () => {
  const lifetime = suiteLifetime()
  let server: Server
  before(async () => {
    server = await makeServer(lifetime)
  })

  /** Saves a wheel that closes then, for a campaign that closes in 30 days. */
  const save = ({ api }: EntryPage, closesAt?: string, wheel = 'main') =>
    api.call('PUT', `/wheels/${wheel}`, {
      ...alwaysWins({}),
      ...(closesAt === undefined ? {} : { closesAt }),
    })
  const publish = ({ api }: EntryPage, wheel = 'main') => api.call('POST', `/wheels/${wheel}/publication`)
  const versions = async ({ api }: EntryPage) =>
    (await api.call('GET', '/campaigns/main/entry/versions')).body.versions.map(
      ({ closesAt }: { closesAt: string }) => closesAt,
    )

  test('the publication of a wheel moves it until somebody has entered, and then no more', async () => {
    const page = await makeEntryPage(server)
    const [first] = await versions(page)
    const sooner = inDays(20)
    await save(page, sooner)
    assert.equal((await publish(page)).status, 200)
    assert.deepEqual(await versions(page), [sooner, first])
    assert.equal((await page.enter({ email: 'ann@shop.example' })).status, 200)
    await save(page, inDays(10))
    const refused = await publish(page)
    assert.equal(refused.body.code, 'wheel_not_publishable')
    assert.equal(refused.body.errors[0].pointer, '/closesAt')
    const at = inDays(1)
    const later = await page.api.call('PUT', '/wheels/main/scheduled-publication', { at })
    assert.equal(later.body.code, 'wheel_not_publishable')
    await save(page, sooner)
    assert.equal((await publish(page)).status, 200)
    assert.deepEqual(await versions(page), [sooner, first])
  })

  test('a publication that was scheduled before somebody entered fails at its time', async () => {
    const page = await makeEntryPage(server)
    await save(page, inDays(10))
    const at = inDays(1)
    const scheduled = await page.api.call('PUT', '/wheels/main/scheduled-publication', { at })
    assert.equal(scheduled.status, 200, scheduled.text)
    assert.equal((await page.enter({ email: 'ann@shop.example' })).status, 200)
    const onTrouble = (error: unknown) => assert.fail(String(error))
    await makeDueChanges(server.ctx.db, new Date(Date.now() + 2 * day), { make: scheduledWork, onTrouble })
    const { scheduledPublication } = (await page.api.call('GET', '/wheels/main')).body
    assert.equal(scheduledPublication.errors[0].pointer, '/closesAt')
    assert.equal((await versions(page)).length, 1)
  })

  test('another wheel moves it only with a reason, and not by its links or later', async () => {
    const page = await makeEntryPage(server)
    const sooner = inDays(10)
    await save(page, sooner, 'other')
    assert.equal((await publish(page, 'other')).status, 200)
    assert.equal((await page.enter({ email: 'ann@shop.example' })).status, 200)
    const at = inDays(1)
    const calls = [
      page.api.call('PATCH', '/campaigns/main', { wheel: 'other' }),
      page.api.call('PUT', '/wheels/other/links'),
      page.api.call('PUT', '/campaigns/main/scheduled-wheel', { wheel: 'other', at }),
    ]
    for (const { body } of await Promise.all(calls)) assert.equal(body.code, 'entry_reason_needed')
    const moved = await page.api.call('PATCH', '/campaigns/main', {
      wheel: 'other',
      reason: 'A better wheel',
    })
    assert.equal(moved.status, 200, moved.text)
    assert.equal((await versions(page))[0], sooner)
  })

  test('a change of something else needs no reason, even if the terms name another time', async () => {
    const page = await makeEntryPage(server)
    assert.equal((await page.enter({ email: 'ann@shop.example' })).status, 200)
    await save(page, inDays(10))
    // As servers did before.
    const { merchantId } = page.api.merchant
    await publishWheel(server.ctx.db, { merchantId, slug: 'main', now: new Date() })
    const paused = await page.api.call('PATCH', '/campaigns/main', { isPaused: true })
    assert.equal(paused.status, 200, paused.text)
  })
})
