// The texts of merchants and campaigns: checked, inherited, seen before they are sent.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { statement } from '../../src/db/database.ts'
import { mailWords, playerLanguages } from '../../src/languages/mail-words.ts'
import { textFor } from '../../src/messages/message-texts.ts'
import type { Role } from '../../src/staff/roles.ts'
import { alwaysWins, callApi, makeManagementApi, type ManagementApi } from '../scenes/management-scene.ts'
import { makeServer, type Server, suiteLifetime, until } from '../scenes/scene.ts'
import { makeStaff, signInAs } from '../scenes/staff-scene.ts'
import { makeTestMailbox, plainText, type TestMailbox } from '../scenes/test-mailbox.ts'

const on = { isOn: true, texts: {} }

test('a text is chosen by language, campaign before merchant, and passed over if it names what is missing', () => {
  const text = (subject: string) => ({ subject, lead: 'x' })
  const campaign = { pt: text('campaign pt'), en: text('campaign en') }
  const merchant = { 'pt-BR': text('merchant pt-BR'), nl: text('merchant nl'), de: text('until {lastDay}') }
  const chosen = (language: string | null, fallback: string, lastDay = '') =>
    textFor([campaign, merchant], { language, fallback, values: { lastDay } })?.subject
  assert.equal(chosen('pt-BR', 'pt'), 'campaign pt')
  assert.equal(chosen('nl', 'en'), 'merchant nl')
  assert.equal(chosen('nl-BE', 'en'), 'merchant nl')
  assert.equal(chosen('NL', 'en'), 'merchant nl')
  assert.equal(
    textFor([{ 'pt-br': text('x') }], { language: 'PT-BR', fallback: 'pt', values: {} })?.subject,
    'x',
  )
  assert.equal(mailWords('DE').language, 'de')
  assert.equal(chosen('sv', 'en'), 'campaign en')
  assert.equal(chosen(null, 'en'), 'campaign en')
  assert.equal(chosen('fr', 'fr'), undefined)
  assert.equal(chosen('de', 'de', 'Friday'), 'until {lastDay}')
  assert.equal(chosen('de', 'de'), undefined)
})

describe('texts of messages', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let box: TestMailbox
  before(async () => {
    box = await makeTestMailbox(lifetime)
    const env = { SMTP_URL: box.url, MAIL_FROM: 'Wheel <wheel@house.example>' }
    server = await makeServer(lifetime, { env })
  })

  const call = async (api: ManagementApi, method: string, path: string, body?: object) => {
    const reply = await api.call(method, path, body)
    assert.equal(reply.status, 200, `${method} ${path}: ${reply.text}`)
    return reply.body
  }
  const preview = (api: ManagementApi, body: object) => call(api, 'POST', '/messages/preview', body)
  const staffOf = async (api: ManagementApi, role: Role, isProven = true) => {
    const person = await makeStaff(server.ctx.db, [[api.merchant, role]])
    const prove = statement('update staff set email_proven_at = now() where staff_id = $1')
    if (isProven) await server.ctx.db.query(prove, [person.staffId])
    const browser = await signInAs(server, person)
    const post = (path: string, body: object) =>
      browser.call('POST', `/api/v1${path}`, { merchant: api.merchant.slug, body })
    return { post, email: person.email }
  }

  test('campaigns inherit the texts of their merchant, and their own ones come first', async () => {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({ label: 'Free coffee', prize: { kind: 'handover' } }))
    const saved = await call(api, 'PUT', '/messages/texts', {
      kinds: { won: { en: { subject: 'From {merchant}: {prize}', lead: 'Well <done>!\nSee you.' } } },
    })
    assert.deepEqual([saved.revision, saved.kinds.claim_ends], [1, {}])
    assert.deepEqual(await call(api, 'GET', '/messages/texts'), saved)
    const settings = { replyTo: null, kinds: { won: on } }
    await call(api, 'PUT', '/campaigns/main/messages', settings)
    const win = async () => {
      const playerId = randomUUID()
      const email = `${playerId}@shop.example`
      await call(api, 'POST', '/links', { playerId, initialSpins: 1 })
      await call(api, 'PUT', `/players/${playerId}/contact`, { email, language: 'en-GB' })
      await api.play(playerId)
      await until(() => box.mails.some(({ to }) => to[0] === email))
      return plainText(box.mails.find(({ to }) => to[0] === email) as TestMailbox['mails'][0])
    }
    const first = await win()
    assert.ok(first.includes(`Subject: From ${api.merchant.name}: Free coffee`), first)
    assert.ok(first.includes('Well <done>!\nSee you.'), 'as text')
    assert.ok(first.includes('Well &lt;done&gt;!<br>See you.'), 'as HTML')
    const texts = { en: { subject: 'Ours: {prize}', lead: 'Bravo' } }
    await call(api, 'PUT', '/campaigns/main/messages', { ...settings, kinds: { won: { isOn: true, texts } } })
    assert.match(await win(), /Subject: Ours: Free coffee/)
    const example = { kind: 'won', language: 'en' }
    assert.match((await preview(api, example)).subject, /^From /)
    assert.match((await preview(api, { ...example, campaign: 'main' })).subject, /^Ours: /)
    assert.match((await preview(api, { ...example, campaign: 'main', texts: {} })).subject, /^From /)
    assert.doesNotMatch((await preview(api, { ...example, texts: {} })).subject, /^(From|Ours)/)
  })

  test('texts are refused at their field, and changed by one person at a time', async () => {
    const api = await makeManagementApi(server)
    const problemsOf = async (subject: string, lead = 'x', kind = 'won') => {
      const kinds = { [kind]: { de: { subject, lead } } }
      const { status, body } = await api.call('PUT', '/messages/texts', { kinds })
      return status === 200 ? [] : body.errors.map(({ pointer, detail }: any) => `${pointer} ${detail}`)
    }
    assert.deepEqual(await problemsOf('{prise}'), [
      '/kinds/won/de/subject has {prise}, but knows only {merchant}, {prize}, {lastDay}',
    ])
    assert.match((await problemsOf('x', 'Only {lastDay}', 'spins_waiting'))[0], /\/lead has {lastDay}/)
    assert.match((await problemsOf('Hello {merchant'))[0], /has a brace that belongs to no placeholder/)
    assert.match((await problemsOf('{{merchant}}'))[0], /has a brace/)
    assert.match((await problemsOf('\r\n'))[0], /must not be empty/)
    assert.equal((await call(api, 'GET', '/messages/texts')).revision, 0)
    assert.deepEqual(await problemsOf('Hi\r\nBcc: x@y.example\u0007', 'one\r\ntwo\tthree\u0000'), [])
    const { kinds } = await call(api, 'GET', '/messages/texts')
    assert.deepEqual(kinds.won.de, { subject: 'Hi Bcc: x@y.example', lead: 'one\ntwo three' })
    const stale = await api.call('PUT', '/messages/texts', { kinds: {} }, { 'If-Match': '"0"' })
    assert.equal(stale.body.code, 'settings_changed')
    const { entries } = await call(api, 'GET', '/audit-log?action=messages.texts')
    assert.equal(entries[0].after.won.de.subject, 'Hi Bcc: x@y.example')
  })

  test('a test merchant has the messages of the live one, and keeps its own when it starts again', async () => {
    const live = await makeManagementApi(server)
    await live.publish(alwaysWins({ prize: { kind: 'handover' } }))
    await call(live, 'POST', '/campaigns', { campaign: 'summer', name: 'Summer', wheel: 'main' })
    const texts = { en: { subject: 'Summer', lead: 'x' } }
    await call(live, 'PUT', '/messages/texts', { kinds: { won: texts } })
    for (const campaign of ['main', 'summer'])
      await call(live, 'PUT', `/campaigns/${campaign}/messages`, {
        replyTo: `${campaign}@acme.example`,
        kinds: { won: { isOn: true, texts } },
      })
    const { token } = await call(live, 'POST', '/test-merchant', {})
    const inTest = (method: string, path: string, body?: object) =>
      callApi(server, token, method, `/api/v1${path}`, body === undefined ? {} : { body })
    const check = async (replyTo: string) => {
      assert.deepEqual((await inTest('GET', '/messages/texts')).body.kinds.won, texts)
      const { body } = await inTest('GET', '/campaigns/summer/messages')
      assert.deepEqual([body.replyTo, body.kinds.won], [replyTo, { isOn: true, texts }])
      assert.equal((await inTest('GET', '/campaigns/main/messages')).body.replyTo, 'main@acme.example')
    }
    await check('summer@acme.example')
    const own = { replyTo: 'test@acme.example', kinds: { won: { isOn: true, texts } } }
    assert.equal((await inTest('PUT', '/campaigns/summer/messages', own)).status, 200)
    assert.equal((await inTest('POST', '/test/reset')).status, 200)
    await check('test@acme.example')
    // They are planned from, too: the player's prize leads to a message.
    const grant = { playerId: 'ann', spins: 1 }
    await callApi(server, token, 'POST', '/api/v1/grants', {
      body: grant,
      headers: { 'Idempotency-Key': randomUUID() },
    })
    const link = await inTest('POST', '/links', { playerId: 'ann' })
    const session = await fetch(`${server.url}/api/v1/game/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token: link.body.token }),
    })
    await live.spin(await session.json())
    await until(async () => (await inTest('GET', '/messages')).body.messages.length === 1)
  })

  test('a preview checks texts as if they were saved, in every language, with the way out of marketing', async () => {
    const api = await makeManagementApi(server)
    const texts = { de: { subject: '{prise}', lead: 'x' } }
    const wrong = await api.call('POST', '/messages/preview', { kind: 'won', language: 'de', texts })
    assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, '/texts/de/subject'])
    for (const language of playerLanguages)
      for (const kind of ['won', 'claim_ends', 'spins_waiting', 'spins_expire', 'address_code']) {
        const { subject, text, html } = await preview(api, { kind, language })
        assert.ok(html.includes(`<html lang="${language}"`), `${kind} ${language}`)
        assert.doesNotMatch(subject + text, /\{|undefined/, `${kind} ${language}`)
        assert.equal(/\/u\/example/.test(text) && /\/u\/example/.test(html), kind.startsWith('spins'))
      }
    const own = { nl: { subject: 'Hallo', lead: 'Draai!' } }
    const dutch = await preview(api, { kind: 'spins_waiting', language: 'nl', texts: own })
    assert.match(dutch.html, /<p [^>]*lang="nl" dir="auto">Draai!/)
    assert.match(dutch.text, /\/u\/example/)
    const { token } = await call(api, 'POST', '/tokens', { name: 'reads', scopes: ['read'] })
    const body = { kind: 'won', language: 'en' }
    assert.equal((await callApi(server, token, 'POST', '/api/v1/messages/preview', { body })).status, 200)
  })

  test('a test message goes to the proven address of the one who asks, and to no other', async () => {
    const api = await makeManagementApi(server)
    const order = { kind: 'won', language: 'en', texts: { en: { subject: 'Try: {prize}', lead: 'x' } } }
    const editor = await staffOf(api, 'editor')
    assert.deepEqual((await editor.post('/messages/test', order)).body, { to: editor.email })
    const [mail] = box.mails.filter(({ to }) => to[0] === editor.email)
    assert.match(plainText(mail as TestMailbox['mails'][0]), /Subject: Try: A coffee on the house/)
    const codeOf = async (who: { post: typeof editor.post }, body: object = order) =>
      (await who.post('/messages/test', body)).body.code
    assert.equal(await codeOf(editor, { ...order, to: 'x@y.example' }), 'validation_failed')
    assert.equal(await codeOf(await staffOf(api, 'editor', false)), 'address_not_proven')
    assert.equal(await codeOf(await staffOf(api, 'support')), 'role_missing')
    assert.equal(await codeOf(editor, { ...order, campaign: 'none' }), 'campaign_not_found')
    box.refuses = true
    assert.equal(await codeOf(editor), 'mail_not_sent')
    box.refuses = false
    assert.equal(
      (await callApi(server, api.token, 'POST', '/api/v1/messages/test', { body: order })).status,
      403,
    )
    const codes = []
    for (let tries = 0; tries < 20; tries++) codes.push(await codeOf(editor))
    assert.ok(codes.includes('rate_limited'), codes.join())
  })
})
