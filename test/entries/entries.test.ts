import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { entrySettings, makeEntryPage } from '../scenes/entry-scene.ts'
import { makeServer, type Server, suiteLifetime, times } from '../scenes/scene.ts'

describe('visitors enter a campaign', () => {
  const lifetime = suiteLifetime()
  let server: Server
  before(async () => {
    server = await makeServer(lifetime)
  })

  test('a visitor whom no server knows enters by a form, and plays', async () => {
    const { api, show, enter, open } = await makeEntryPage(server)
    const shown = await show('?language=de')
    assert.equal(shown.status, 200, JSON.stringify(shown.body))
    assert.equal(shown.body.state, 'open')
    assert.equal(shown.body.form.fields[0].label, 'Ihre E-Mail')
    assert.equal(shown.body.terms.text, 'Die Bedingungen.')
    const entered = await enter({ email: 'Ann@shop.example', news: true })
    assert.equal(entered.status, 200, JSON.stringify(entered.body))
    assert.equal(entered.body.outcome, 'entered')
    const session = await open(entered)
    assert.equal(session.spinCount, 2)
    assert.match(session.playerId, /^visitor-[0-9a-f]{20}$/)
    const entries = await api.call('GET', `/players/${session.playerId}/ledger`)
    assert.equal(entries.body.entries[0].kind, 'entry')
    assert.equal(entries.body.entries[0].amount, 2)
  })

  test('one address gets one player, whatever its spelling, and nothing on another browser', async () => {
    const { api, enter } = await makeEntryPage(server)
    assert.equal((await enter({ email: 'john.smith+x@gmail.com' })).status, 200)
    const again = await enter({ email: 'JohnSmith@googlemail.com' })
    assert.equal(again.status, 409)
    assert.equal(again.body.code, 'entry_known')
    assert.equal((await api.call('GET', '/players')).body.players.length, 1)
    assert.equal((await api.call('GET', '/campaigns/main/entry')).body.entries.entered, 1)
  })

  test('a repeat with the same key gets the same visitor, and other answers are refused', async () => {
    const { enter, open } = await makeEntryPage(server)
    const key = randomUUID()
    const first = await enter({ email: 'ann@shop.example' }, {}, key)
    const again = await enter({ email: 'ann@shop.example' }, {}, key)
    assert.equal(again.status, 200, JSON.stringify(again.body))
    const [one, other] = [await open(first), await open(again)]
    assert.equal(one.playerId, other.playerId)
    assert.equal(other.spinCount, 2)
    const changed = await enter({ email: 'bob@shop.example' }, {}, key)
    assert.equal(changed.status, 422)
    assert.equal(changed.body.code, 'idempotency_key_reused')
  })

  test('the browser that entered comes back by its pass, and no other pass is accepted', async () => {
    const { api, enter, send, open } = await makeEntryPage(server)
    const { pass } = (await enter({ email: 'ann@shop.example' })).body
    const back = await send('/returns', { pass })
    assert.equal(back.body.outcome, 'entered')
    const { playerId } = await open(back)
    assert.equal((await enter({ email: 'ann@shop.example' }, { pass })).body.outcome, 'entered')
    const stranger = (await (await makeEntryPage(server)).enter({ email: 'ann@shop.example' })).body.pass
    for (const other of ['x', `${pass}x`, pass.replace(/^./, 'A'), stranger])
      assert.equal((await send('/returns', { pass: other })).body.code, 'pass_invalid')
    await api.call('PUT', `/players/${playerId}/block`)
    assert.equal((await send('/returns', { pass })).body.code, 'pass_invalid')
  })

  test('wrong answers are named by their fields, and nothing is stored', async () => {
    const { api, enter } = await makeEntryPage(server, {
      fields: [
        ...entrySettings.fields,
        {
          id: 'size',
          kind: 'choice',
          labels: { en: 'Size' },
          isRequired: true,
          when: 'entry',
          options: [{ id: 's', labels: { en: 'S' } }],
        },
        { id: 'tel', kind: 'phone', labels: { en: 'Phone' }, isRequired: false, when: 'entry' },
        {
          id: 'born',
          kind: 'birth',
          labels: { en: 'Born' },
          isRequired: true,
          when: 'entry',
          minimumAge: 18,
        },
      ],
    })
    const wrong = await enter({ email: 'a@b@c', size: 'xl', tel: 'none', other: 'x', news: 'yes' })
    assert.equal(wrong.status, 400)
    assert.deepEqual(wrong.body.errors.map(({ pointer }: any) => pointer).toSorted(), [
      '/answers/born',
      '/answers/email',
      '/answers/news',
      '/answers/other',
      '/answers/size',
      '/answers/tel',
    ])
    const { errors } = (await enter({ size: 's', born: { year: 1990, month: 13 }, email: 'a@b.example' }))
      .body
    assert.equal(errors[0].pointer, '/answers/born')
    const fine = { size: 's', tel: '+44 20 7946 0000' }
    const odd = await enter({ ...fine, born: { year: 1990, month: 1 }, email: '"a b"@c.example' })
    assert.equal(odd.body.code, 'address_refused')
    assert.equal(odd.body.errors[0].pointer, '/answers/email')
    const young = await enter({
      ...fine,
      born: { year: new Date().getFullYear() - 17, month: 1 },
      email: 'a@b.example',
    })
    assert.equal(young.status, 403)
    assert.equal(young.body.code, 'entry_too_young')
    assert.deepEqual((await api.call('GET', '/players')).body.players, [])
    const old = await enter({ ...fine, born: { year: 1990, month: 1 }, email: 'a@b.example' })
    assert.equal(old.status, 200, JSON.stringify(old.body))
  })

  test('a closed, paused, full or changed entry says so before anything is stored', async () => {
    const page = await makeEntryPage(server, { entriesMax: 1 })
    const { api, show, enter, setUp } = page
    await api.call('PATCH', '/campaigns/main', { isPaused: true })
    await until1s(async () => (await show()).body.state === 'paused')
    assert.equal((await enter({ email: 'a@b.example' })).body.code, 'entry_paused')
    await api.call('PATCH', '/campaigns/main', {
      isPaused: false,
      opensAt: new Date(Date.now() + 3_600_000).toISOString(),
    })
    await until1s(async () => (await show()).body.state === 'scheduled')
    assert.equal((await enter({ email: 'a@b.example' })).body.code, 'entry_closed')
    await api.call('PATCH', '/campaigns/main', { opensAt: null })
    await until1s(async () => (await show()).body.state === 'open')
    const outdated = await enter({ email: 'a@b.example' }, { formVersion: 7 })
    assert.equal(outdated.body.code, 'form_outdated')
    assert.equal((await enter({ email: 'a@b.example' })).status, 200)
    assert.equal((await show()).body.state, 'full')
    assert.equal((await enter({ email: 'b@b.example' })).body.code, 'entry_full')
    await setUp({ isOpen: false })
    assert.equal((await show()).body.code, 'entry_not_found')
    assert.equal(
      (await enter({ email: 'b@b.example' }).catch(() => ({ body: { code: 'none' } }))).body.code,
      'none',
    )
  })

  test('the merchant reads who entered, newest first and page by page', async () => {
    const { api, enter } = await makeEntryPage(server)
    await enter({ email: 'Ann+1@gmail.com', name: 'Ann', news: true })
    await enter({ email: 'bob@shop.example' })
    const first = await api.call('GET', '/campaigns/main/entries?limit=1')
    assert.equal(first.status, 200, first.text)
    assert.equal(first.body.entries[0].address, 'bob@shop.example')
    assert.deepEqual(first.body.entries[0].consents, [])
    const second = await api.call('GET', `/campaigns/main/entries?limit=1&cursor=${first.body.next}`)
    const [ann] = second.body.entries
    assert.deepEqual(ann.answers, { email: 'Ann+1@gmail.com', name: 'Ann', news: true })
    assert.equal(ann.verifiedAt, null)
    assert.equal(ann.consents[0].purpose, 'marketing')
    assert.equal(ann.consents[0].confirmedAt, null)
    assert.deepEqual(
      (await api.call('GET', `/campaigns/main/entries?cursor=${second.body.next}`)).body.entries,
      [],
    )
    const { body } = await api.call('GET', '/events?types=entry.created')
    assert.equal(JSON.stringify(body).includes('gmail.com'), false)
  })

  test('of many entries with one address at once, one is made', async () => {
    const { api, enter } = await makeEntryPage(server)
    const replies = await Promise.all(times(20, () => enter({ email: 'ann@shop.example' })))
    assert.equal(replies.filter(({ status }) => status === 200).length, 1)
    assert.equal(replies.filter(({ body }) => body.code === 'entry_known').length, 19)
    const { players } = (await api.call('GET', '/players')).body
    assert.equal(players.length, 1)
    assert.equal(players[0].spinCount, 2)
  })

  test('an entry is opened only with complete terms, and terms change only with a reason once somebody entered', async () => {
    const { api, enter } = await makeEntryPage(server)
    const change = (settings: object) =>
      api.call('PUT', '/campaigns/main/entry', { ...entrySettings, ...settings })
    const bare = await change({ terms: {} })
    assert.equal(bare.body.code, 'entry_not_ready')
    assert.ok(bare.body.errors.some(({ pointer }: any) => pointer === '/terms/organiser'))
    const [email, , news] = entrySettings.fields
    const forced = await change({ fields: [email, { ...news, isRequired: true }] })
    assert.equal(forced.body.errors[0].pointer, '/fields/1/isRequired')
    assert.equal((await change({ verify: 'code' })).body.code, 'entry_mail_missing')
    await enter({ email: 'ann@shop.example' })
    const terms = { ...entrySettings.terms, whoMayEnter: 'Everybody' }
    assert.equal((await change({ terms })).body.code, 'entry_reason_needed')
    const changed = await change({ terms, reason: 'A mistake' })
    assert.equal(changed.body.version, 2)
    assert.equal((await change({ terms, spins: 3 })).body.version, 2)
    const stale = await api.call(
      'PUT',
      '/campaigns/main/entry',
      { ...entrySettings, terms },
      { 'If-Match': '"1"' },
    )
    assert.equal(stale.body.code, 'campaign_changed')
  })

  test('an entry that is taken away is gone, or only closed once somebody has entered: its rules still bind', async () => {
    const { api, enter, send, show, setUp } = await makeEntryPage(server)
    await api.call('DELETE', '/campaigns/main/entry')
    assert.equal((await api.call('GET', '/campaigns/main/entry')).body.code, 'entry_not_found')
    await setUp({ answersDays: 7 })
    const { pass } = (await enter({ email: 'ann@shop.example' })).body
    await api.call('DELETE', '/campaigns/main/entry')
    await until1s(async () => (await show()).body.code === 'entry_not_found')
    const { isOpen, answersDays, version, revision } = (await api.call('GET', '/campaigns/main/entry')).body
    assert.deepEqual([isOpen, answersDays, version, revision], [false, 7, 2, 2])
    await api.call('DELETE', '/campaigns/main/entry')
    assert.equal((await api.call('GET', '/campaigns/main/entry')).body.revision, 2)
    assert.equal((await send('/returns', { pass })).body.outcome, 'entered')
    const terms = { ...entrySettings.terms, whoMayEnter: 'Everybody' }
    const again = await api.call('PUT', '/campaigns/main/entry', { ...entrySettings, terms })
    assert.equal(again.body.code, 'entry_reason_needed')
    const moved = await api.call('PATCH', '/campaigns/main', { closesAt: null })
    assert.equal(moved.body.code, 'entry_reason_needed')
  })

  test('the closing time is in the terms: once somebody entered it moves only with a reason, for later entries', async () => {
    const { api, enter, show } = await makeEntryPage(server)
    const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const move = (closesAt: string | null, reason?: string) =>
      api.call('PATCH', '/campaigns/main', { closesAt, reason })
    assert.equal((await move(at(40))).status, 200)
    assert.equal((await enter({ email: 'ann@shop.example' })).status, 200)
    const { terms, form } = (await show()).body
    const refused = await move(at(50))
    assert.equal(refused.body.code, 'entry_reason_needed')
    assert.equal((await api.call('PATCH', '/campaigns/main', { name: 'Another name' })).status, 200)
    assert.equal((await move(null, 'For ever')).body.errors[0].pointer, '/closesAt')
    const later = at(60)
    assert.equal((await move(later, 'More prizes arrived')).body.closesAt, later)
    const old = { formVersion: form.version, terms: terms.hash }
    assert.equal((await enter({ email: 'bob@shop.example' }, old)).body.code, 'form_outdated')
    assert.equal((await enter({ email: 'bob@shop.example' })).status, 200)
    const { versions } = (await api.call('GET', '/campaigns/main/entry/versions')).body
    assert.deepEqual(
      versions.map(({ version, closesAt, reason }: any) => [version, closesAt === later, reason]),
      [
        [3, true, 'More prizes arrived'],
        [2, false, null],
        [1, false, null],
      ],
    )
    const { entries } = (await api.call('GET', '/campaigns/main/entries')).body
    assert.deepEqual(
      entries.map(({ formVersion }: any) => formVersion),
      [3, 2],
    )
  })
})

/** The published wheel is cached for a second. */
async function until1s(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) continue
}
