// What was tried out with the test merchant goes live: shown first, then made exactly as shown.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Role } from '../../src/staff/roles.ts'
import { alwaysWins, callApi, type ManagementApi, makeManagementApi } from '../scenes/management-scene.ts'
import { makeServer, type Server, suiteLifetime } from '../scenes/scene.ts'
import { makeStaff, signInAs } from '../scenes/staff-scene.ts'

describe('a promotion from test to live', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let live: ManagementApi
  let token: string
  const ok = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    const reply = await live.call(method, path, body, headers)
    assert.equal(reply.status, 200, reply.text)
    return reply
  }
  const inTest = async (method: string, path: string, body?: unknown) => {
    const reply = await callApi(server, token, method, `/api/v1${path}`, body === undefined ? {} : { body })
    assert.equal(reply.status, 200, reply.text)
    return reply.body
  }
  const publishInTest = async (wheel: string, document: unknown) => {
    await inTest('PUT', `/wheels/${wheel}`, document)
    await inTest('POST', `/wheels/${wheel}/publication`)
  }
  const promotionOf = (what: string, publish = false) =>
    ok('GET', `/test-merchant/${what}/promotion${publish ? '?publish=true' : ''}`)
  const promote = (what: string, revision: string, publish = false) =>
    live.call('POST', `/test-merchant/${what}/promotion`, { publish }, { 'If-Match': `"${revision}"` })
  const promotionsInLog = async () => (await ok('GET', '/audit-log?limit=100')).body.entries

  before(async () => {
    server = await makeServer(lifetime)
    live = await makeManagementApi(server)
    await live.publish(alwaysWins({ stock: 100, weight: 3 }))
    await live.play('alice')
    token = (await ok('POST', '/test-merchant', {})).body.token
  })

  test('shows every field, keeps live stock, and needs the live merchant', async () => {
    const tested = alwaysWins({ stock: 5, weight: 4, prize: { kind: 'fixed', code: 'SECRET-CODE-77' } })
    const cup = { id: 'cup', label: 'A cup', color: '#e11d48', weight: 1, stock: 7 }
    const pooled = { ...cup, prize: { kind: 'pool', pool: 'cups' } } as const
    const codes = Array.from({ length: 7 }, (_, index) => `CUP-${index}`)
    await inTest('POST', '/code-pools/cups/codes', { codes })
    await publishInTest('main', { ...tested, segments: [...tested.segments, pooled] })
    await inTest('PUT', '/wheels/main', { ...tested, name: 'Not yet' })

    const { body, headers } = await promotionOf('wheels/main')
    assert.equal(headers.get('etag'), `"${body.revision}"`)
    const mug = '/wheel/segments/mug'
    assert.deepEqual(
      body.changes.map(({ path, before: was, after, text }: any) => [path, was, after, text]),
      [
        [`${mug}/prize/code`, undefined, 'SECRET-CODE-77', 'Segment "mug", prize code: not set → "••••••77"'],
        [`${mug}/prize/kind`, 'handover', 'fixed', 'Segment "mug", prize kind: "handover" → "fixed"'],
        [`${mug}/weight`, 3, 4, 'Segment "mug", weight: 3 → 4'],
        ['/wheel/segments/cup', undefined, { ...pooled }, 'Segment "cup" is new.'],
      ],
    )
    assert.deepEqual(body.stock, [
      { segment: 'mug', stock: 100, given: 1, isKept: true },
      { segment: 'cup', stock: 7, given: 0, isKept: false },
    ])
    assert.deepEqual(body.pools, [{ pool: 'cups', codesLeft: null }])
    assert.deepEqual(
      body.notes.map(({ code, about }: any) => [code, about]),
      [
        ['test_draft_not_promoted', null],
        ['wheel_shared', 'main'],
      ],
    )
    assert.deepEqual(
      body.problems.map(({ pointer }: any) => pointer),
      ['/segments/2/prize/pool'],
    )

    const foreign = await callApi(server, token, 'GET', '/api/v1/test-merchant/wheels/main/promotion')
    assert.equal(foreign.body.code, 'live_merchant_needed')
    assert.equal((await promote('wheels/main', body.revision, true)).body.code, 'promotion_changed')
    const publishing = (await promotionOf('wheels/main', true)).body.revision
    assert.equal((await promote('wheels/main', publishing, true)).body.code, 'wheel_not_publishable')
    assert.equal((await live.call('POST', '/test-merchant/wheels/main/promotion', {})).status, 400)
    assert.equal((await ok('GET', '/wheels/main')).body.draft.segments.length, 2)
  })

  test('shows no codes to a viewer, neither of a changed prize nor of a new or a removed one', async () => {
    const pen = { id: 'pen', label: 'A pen', color: '#e11d48', weight: 1 }
    const withPen = (code: string) => {
      const { segments, ...rest } = alwaysWins({ prize: { kind: 'fixed', code: `MUG-${code}` } })
      const segment = {
        ...pen,
        id: code.toLowerCase(),
        prize: { kind: 'fixed' as const, code: `PEN-${code}` },
      }
      return { ...rest, segments: [...segments, segment] }
    }
    await publishInTest('codes', withPen('TESTED'))
    await ok('PUT', '/wheels/codes', withPen('ONLYLIVE'))
    const path = '/api/v1/test-merchant/wheels/codes/promotion'
    const readBy = async (role: Role) => {
      const browser = await signInAs(server, await makeStaff(server.ctx.db, [[live.merchant, role]]))
      const answer = await browser.call('GET', path, { merchant: live.merchant.slug })
      assert.equal(answer.status, 200)
      return answer.body as { revision: string; changes: { path: string }[] }
    }
    const [viewer, editor] = [await readBy('viewer'), await readBy('editor')]
    const codes = /MUG-TESTED|PEN-TESTED|MUG-ONLYLIVE|PEN-ONLYLIVE/g
    assert.deepEqual(JSON.stringify(viewer).match(codes), null)
    assert.equal(new Set(JSON.stringify(editor.changes).match(codes)).size, 4)
    assert.deepEqual(
      viewer.changes.map((change) => change.path),
      editor.changes.map((change) => change.path),
    )
    assert.equal(viewer.revision, editor.revision)
  })

  test('is refused once either side has changed, and is one entry of the audit log', async () => {
    const shown = (await promotionOf('wheels/main')).body.revision
    const { draft } = (await ok('GET', '/wheels/main')).body
    await ok('PUT', '/wheels/main', { ...draft, name: 'Edited meanwhile' })
    const late = await promote('wheels/main', shown)
    assert.deepEqual([late.status, late.body.code], [412, 'promotion_changed'])

    const { body } = await promotionOf('wheels/main')
    assert.equal(body.notes[0].code, 'draft_replaced')
    assert.equal(body.changes[0].text, 'Wheel, name: "Edited meanwhile" → "Lucky wheel"')
    const entriesBefore = (await promotionsInLog()).length
    const made = await promote('wheels/main', body.revision)
    assert.deepEqual(made.body, {
      wheel: 'main',
      campaign: null,
      changes: body.changes.length,
      version: null,
    })
    const wheel = (await ok('GET', '/wheels/main')).body
    assert.deepEqual(
      wheel.draft.segments.map(({ id, stock }: any) => [id, stock]),
      [
        ['mug', 100],
        ['nothing', undefined],
        ['cup', 7],
      ],
    )
    assert.equal((await live.play('bob')).label, 'A mug')
    const entries = await promotionsInLog()
    assert.equal(entries.length, entriesBefore + 1)
    const [{ action, subject, before: was, after }] = entries
    assert.deepEqual([action, subject], ['wheel.promote', 'main'])
    assert.deepEqual([was['/wheel/segments/mug/weight'], after['/wheel/segments/mug/weight']], [3, 4])
    assert.deepEqual(
      [after.from, after['/wheel/segments/mug/prize/code']],
      [`test-${live.merchant.slug}`, '••••••77'],
    )

    const again = (await promotionOf('wheels/main')).body
    assert.deepEqual(again.changes, [])
    assert.equal((await promote('wheels/main', again.revision)).body.changes, 0)
    assert.equal((await promotionsInLog()).length, entries.length)
  })

  test('takes a campaign with its wheel, dates and texts, and publishes it if asked', async () => {
    await inTest('PUT', '/wheels/summer', alwaysWins({ stock: 9 }))
    const texts = { de: { name: 'Sommer' } }
    const campaign = { campaign: 'summer', name: 'Summer', wheel: 'summer', texts, purse: 'main' }
    await inTest('POST', '/campaigns', {
      ...campaign,
      closesAt: '2031-09-01T00:00:00Z',
      spinLifetimeDays: 30,
    })
    const untested = await live.call('GET', '/test-merchant/campaigns/summer/promotion')
    assert.equal(untested.body.code, 'wheel_not_tested')
    await inTest('POST', '/wheels/summer/publication')

    const { body } = await promotionOf('campaigns/summer', true)
    const first = body.changes.slice(0, 7).map(({ path }: any) => path.replace('/campaign/', ''))
    assert.deepEqual(first, ['name', 'wheel', 'priority', 'closesAt', 'texts', 'spinLifetimeDays', 'purse'])
    assert.equal(body.changes.at(-2).text, 'Segment "mug" is new.')
    const made = await promote('campaigns/summer', body.revision, true)
    assert.deepEqual([made.status, made.body.version], [200, 1], made.text)
    const own = (await ok('GET', '/campaigns/summer')).body
    assert.deepEqual(
      [own.state, own.purse, own.closesAt, own.texts, own.spinLifetimeDays, own.wheelVersion],
      ['open', 'main', '2031-09-01T00:00:00.000Z', texts, 30, 1],
    )
    const [entry] = await promotionsInLog()
    assert.deepEqual([entry.action, entry.subject, entry.after.version], ['campaign.promote', 'summer', 1])

    await inTest('PATCH', '/campaigns/summer', { texts: { de: { name: 'Sommerrad' } }, closesAt: null })
    const later = (await promotionOf('campaigns/summer', true)).body
    assert.deepEqual(
      later.changes.map(({ text }: any) => text),
      [
        'Campaign, closes at: "2031-09-01T00:00:00.000Z" → not set',
        'Campaign, texts de name: "Sommer" → "Sommerrad"',
      ],
    )
    await ok('PUT', '/campaigns/summer/archive')
    assert.equal((await promote('campaigns/summer', later.revision, true)).body.code, 'campaign_archived')
    await inTest('POST', '/campaigns', { campaign: 'autumn', name: 'Autumn', wheel: 'summer' })
    await inTest('POST', '/campaigns', {
      campaign: 'winter',
      name: 'Winter',
      wheel: 'summer',
      purse: 'autumn',
    })
    const orphan = await live.call('GET', '/test-merchant/campaigns/winter/promotion')
    assert.match(orphan.body.detail, /Promote "autumn" first/)
  })
})
