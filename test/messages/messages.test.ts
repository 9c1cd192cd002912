import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { statement } from '../../src/db/database.ts'
import { entrySettings, makeEntryPage } from '../scenes/entry-scene.ts'
import { alwaysWins, makeManagementApi, type ManagementApi } from '../scenes/management-scene.ts'
import { makeServer, type Server, suiteLifetime, times, until } from '../scenes/scene.ts'
import { type Mail, makeTestMailbox, plainText, type TestMailbox } from '../scenes/test-mailbox.ts'
import { onLanding } from '../scenes/selection.ts'

const day = 86_400_000
const noTexts = { texts: {} }
const wonOn = {
  replyTo: 'shop@acme.example',
  kinds: { won: { isOn: true, ...noTexts }, claim_ends: { isOn: true, ...noTexts } },
}

describe('messages about prizes', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let box: TestMailbox
  let ahead = 0
  before(async () => {
    box = await makeTestMailbox(lifetime)
    server = await makeServer(lifetime, {
      env: {
        SMTP_URL: box.url,
        MAIL_FROM: 'Wheel <wheel@house.example>',
        MAIL_BOUNCES_TO: 'bounce@house.example',
      },
      now: () => new Date(Date.now() + ahead),
    })
  })

  const makeShop = async (settings: object = wonOn) => {
    const api = await makeManagementApi(server)
    await api.publish(
      alwaysWins({ label: 'Free coffee', prize: { kind: 'handover' }, claimWithinSeconds: 10 * 86_400 }),
    )
    const reply = await api.call('PUT', '/campaigns/main/messages', settings)
    assert.equal(reply.status, 200, reply.text)
    return api
  }
  const win = async (api: ManagementApi, playerId: string, contact: object | undefined) => {
    await api.call('POST', `/links`, { playerId, initialSpins: 1 })
    if (contact !== undefined) {
      const reply = await api.call('PUT', `/players/${playerId}/contact`, contact)
      assert.equal(reply.status, 200, reply.text)
    }
    return api.play(playerId)
  }
  const listed = async (api: ManagementApi) => (await api.call('GET', '/messages')).body.messages
  const settled = async (api: ManagementApi, kind = 'won') => {
    const found = async () =>
      (await listed(api)).find((one: any) => one.kind === kind && one.settledAt !== null)
    await until(async () => (await found()) !== undefined)
    return found()
  }
  const told = async (api: ManagementApi, type: string) => {
    const found = async () => (await api.call('GET', `/events?types=${type}`)).body.events
    await until(async () => (await found()).length > 0)
    return found()
  }
  const mailsTo = (address: string) => box.mails.filter(({ to }) => to[0] === address)
  const messageIdOf = (mail: Mail) => /^Message-ID: <(.+)>$/im.exec(mail.text)?.[1]

  test('a player whose prize is held learns that, and gets the number once it is released', async () => {
    const api = await makeShop()
    await api.publish(alwaysWins({ label: 'Free coffee', prize: { kind: 'handover' }, hold: {} }))
    const [ann, ben] = [`${randomUUID()}@shop.example`, `${randomUUID()}@shop.example`] as const
    const { playId } = await win(api, 'ann', { email: ann })
    await until(() => mailsTo(ann).length === 1)
    const { number } = (await api.call('GET', `/prizes/${playId}`)).body
    const [held] = mailsTo(ann).map(plainText) as [string]
    assert.match(held, /Subject: Your win at .* is being checked: Free coffee/)
    assert.ok(!held.includes(number))
    await api.call('PUT', `/prizes/${playId}/release`, {})
    await until(() => mailsTo(ann).length === 2)
    assert.ok(plainText(mailsTo(ann)[1] as Mail).includes(number))
    // What was decided before the mail was sent is not announced.
    await api.call('PUT', '/messages/stop', {})
    const refused = await win(api, 'ben', { email: ben })
    const ofBen = async () => (await listed(api)).find((one: any) => one.playerId === 'ben')
    await until(async () => (await ofBen())?.state === 'planned')
    await api.call('PUT', `/prizes/${refused.playId}/refusal`, { reason: 'terms_not_met' })
    await api.call('DELETE', '/messages/stop')
    await until(async () => (await ofBen()).state === 'dropped')
    assert.equal((await ofBen()).reason, 'prize_refused')
  })

  test('a player who wins gets the prize, the number and a link to the wallet, once', async () => {
    const api = await makeShop()
    const email = `${randomUUID()}@shop.example`
    await win(api, 'ann', { email, language: 'de' })
    assert.equal((await settled(api)).state, 'sent')
    const [mail] = mailsTo(email) as [Mail]
    const text = plainText(mail)
    assert.match(text, /Subject: Ihr Gewinn bei/)
    assert.match(text, /\/wallet\/\?token=/)
    assert.match(text, /Auto-Submitted: auto-generated/)
    assert.match(text, /Reply-To: shop@acme\.example/)
    assert.match(text, /Content-Type: multipart\/related/)
    assert.match(text, /Content-Type: image\/png[^]*Content-I[Dd]: <qr>/)
    assert.match(mail.from, /^bounce\+[0-9a-f-]{36}@house\.example$/)
    const events = await told(api, 'message.sent')
    assert.equal(events[0].data.playerId, 'ann')
    assert.equal(messageIdOf(mail), `${events[0].data.messageId}@house.example`)
    assert.equal(mailsTo(email).length, 1)
  })

  test('a code that a form to claim holds back is not in the message', async () => {
    const street = { id: 'street', kind: 'text', labels: { en: 'Street' }, isRequired: true, when: 'toClaim' }
    const fields = [...entrySettings.fields, street]
    const page = await makeEntryPage(server, { verify: 'code', fields })
    await page.api.publish(alwaysWins({ prize: { kind: 'handover' } }))
    await page.api.call('PUT', '/campaigns/main/messages', wonOn)
    const email = `${randomUUID()}@shop.example`
    const { body } = await page.enter({ email })
    await until(() => mailsTo(email).length === 1)
    const code = /^Subject: ([0-9]{6}) /m.exec((mailsTo(email)[0] as Mail).text)?.[1]
    await page.api.spin(await page.open(await page.send('/proof', { session: body.session, code })))
    await until(() => mailsTo(email).length === 2)
    const text = plainText(mailsTo(email)[1] as Mail)
    assert.match(text, /Prize: A mug/)
    assert.doesNotMatch(text, /Code:|image\/png/)
  })

  test('nobody is told without an address, after a switch, or while all messages are stopped', async () => {
    const api = await makeShop()
    await win(api, 'ann', undefined)
    const dropped = await settled(api)
    assert.deepEqual([dropped.state, dropped.reason], ['dropped', 'no_address'])
    const other = await makeShop()
    await other.call('PUT', '/messages/stop', {})
    const email = `${randomUUID()}@shop.example`
    await win(other, 'bob', { email })
    await until(async () => (await listed(other)).length === 2)
    const off = { ...wonOn, kinds: { ...wonOn.kinds, won: { isOn: false, ...noTexts } } }
    await other.call('PUT', '/campaigns/main/messages', off)
    await other.call('DELETE', '/messages/stop')
    assert.equal((await settled(other)).reason, 'switched_off')
    assert.deepEqual(mailsTo(email), [])
  })

  test('a dead address is mailed no more, and a mailbox that defers gets its mail later', async () => {
    const api = await makeShop()
    const [dead, slow] = [`${randomUUID()}@dead.example`, `${randomUUID()}@slow.example`]
    let defers = true
    box.answer = (to, at) => {
      if (at === 'end') return undefined
      if (to === dead) return '550 5.1.1 no such user'
      return to === slow && defers ? '451 4.7.1 try again later' : undefined
    }
    await win(api, 'ann', { email: dead })
    const refused = await settled(api)
    assert.deepEqual([refused.state, refused.reason, refused.reply], ['refused', 'address_dead', '550 5.1.1'])
    await win(api, 'bea', { email: dead })
    await until(async () =>
      (await listed(api)).some((one: any) => one.playerId === 'bea' && one.reason === 'address_dead'),
    )
    await win(api, 'cid', { email: slow })
    const ofCid = async () =>
      (await listed(api)).find((one: any) => one.playerId === 'cid' && one.kind === 'won')
    await until(async () => (await ofCid())?.tries === 1)
    defers = false
    ahead += 90_000
    await until(() => mailsTo(slow).length === 1)
    const events = await told(api, 'message.failed')
    assert.equal(events[0].data.reason, 'address_dead')
    box.answer = () => undefined
  })

  test('once all messages are stopped, no other one is begun', async () => {
    const api = await makeShop()
    await api.call('PUT', '/messages/stop', {})
    const emails = times(5, () => `${randomUUID()}@shop.example`)
    for (const email of emails) await win(api, email, { email })
    const states = async (kind = 'won') =>
      (await listed(api)).filter((one: any) => one.kind === kind).map(({ state }: any) => state)
    await until(async () => (await states()).length === emails.length)
    let stop: Promise<unknown> | undefined
    box.answer = async (to, at) => {
      if (at === 'end' && emails.includes(to)) await (stop ??= api.call('PUT', '/messages/stop', {}))
      return undefined
    }
    await api.call('DELETE', '/messages/stop')
    await until(async () => (await states()).includes('sent') && !(await states()).includes('sending'))
    // Two connections were in use.
    assert.ok((await states()).filter((state: string) => state === 'planned').length >= 3)
    box.answer = () => undefined
  })

  test('a server that takes nothing for one recipient does not stop the mail of others', async () => {
    const api = await makeShop()
    const [strict, other] = [`${randomUUID()}@strict.example`, `${randomUUID()}@shop.example`]
    box.answer = (to, at) => (to === strict && at === 'recipient' ? '550 5.7.1 not from you' : undefined)
    await win(api, 'ann', { email: strict })
    const ofAnn = async () =>
      (await listed(api)).find((one: any) => one.playerId === 'ann' && one.kind === 'won')
    await until(async () => (await ofAnn())?.reason === 'sender_refused')
    assert.equal((await ofAnn()).tries, 1)
    await win(api, 'bob', { email: other })
    await until(() => mailsTo(other).length === 1)
    box.answer = () => undefined
  })

  test('the link of a message can be withdrawn by the id of the message', async () => {
    const api = await makeShop()
    const email = `${randomUUID()}@shop.example`
    await win(api, 'ann', { email })
    const { id } = await settled(api)
    const token = /\/wallet\/\?token=([\w.-]+)/.exec(plainText(mailsTo(email)[0] as Mail))?.[1]
    const open = () =>
      fetch(`${server.url}/api/v1/wallet/prizes`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ token }),
      })
    assert.equal((await open()).status, 200)
    await api.call('PUT', `/links/${id}/revocation`)
    assert.equal((await open()).status, 401)
  })

  test('a mail whose reply was lost comes again under the same id, and the list says so', async () => {
    const api = await makeShop()
    const email = `${randomUUID()}@shop.example`
    let drops = true
    box.answer = (to, at) => (to === email && at === 'end' && drops ? 'drop' : undefined)
    await win(api, 'ann', { email })
    const one = async () => (await listed(api)).find((mail: any) => mail.kind === 'won')
    await until(async () => (await one())?.reason === 'unknown')
    drops = false
    ahead += 90_000
    await until(() => mailsTo(email).length === 2)
    assert.equal(new Set(mailsTo(email).map(messageIdOf)).size, 1)
    await until(async () => (await one())?.state === 'sent')
    assert.equal((await one()).reason, 'unknown_before')
    box.answer = () => undefined
  })

  test('a process that died while it sent leaves a mail that is unknown, and is sent again', async () => {
    const api = await makeShop()
    await api.call('PUT', '/messages/stop', {})
    const email = `${randomUUID()}@shop.example`
    await win(api, 'ann', { email })
    await until(async () => (await listed(api)).length === 2)
    const { db } = server.ctx
    const { merchantId } = api.merchant
    const crash = statement(`update mails set state = 'sending' where merchant_id = $1 and kind = 'won'`)
    await db.query(crash, [merchantId])
    await api.call('DELETE', '/messages/stop')
    await until(async () => (await listed(api)).some((mail: any) => mail.reason === 'unknown'))
    ahead += 90_000
    await until(() => mailsTo(email).length === 1)
  })

  test('the last day of a prize is announced, unless it was claimed', async () => {
    const api = await makeShop()
    const [late, early] = [`${randomUUID()}@shop.example`, `${randomUUID()}@shop.example`]
    await win(api, 'ann', { email: late })
    const play = await win(api, 'bob', { email: early })
    const claimed = await api.call('PUT', `/prizes/${play.playId}/claim`, {})
    assert.equal(claimed.status, 200, claimed.text)
    await until(() => mailsTo(late).length === 1 && mailsTo(early).length === 1)
    ahead += 7 * day + 60_000
    await until(() => mailsTo(late).length === 2)
    assert.match(plainText(mailsTo(late)[1] as Mail), /Subject: Until/)
    await until(async () => (await listed(api)).some((one: any) => one.reason === 'prize_claimed'))
    assert.equal(mailsTo(early).length, 1)
  })

  test('a contact is read, is among personal data, and goes with the player; bad input changes nothing', async () => {
    const api = await makeShop()
    await api.call('POST', '/links', { playerId: 'ann' })
    const path = '/players/ann/contact'
    assert.equal((await api.call('GET', path)).body.code, 'contact_not_found')
    for (const email of ['ann', '"a@gmail.com x"@shop.example', 'a@b.example\r\nBcc: c@d.example'])
      assert.equal((await api.call('PUT', path, { email })).status, 400, email)
    await api.call('PUT', path, { email: 'ann@shop.example', language: 'de' })
    assert.equal((await api.call('GET', path)).body.email, 'ann@shop.example')
    assert.match(
      (await api.call('GET', '/players/ann/personal-data')).text,
      /"contact":\{"email":"ann@shop\.example"/,
    )
    // The same again is no change.
    await api.call('PUT', path, { email: 'ann@shop.example', language: 'de' })
    await api.call('DELETE', path)
    assert.equal((await api.call('GET', path)).status, 404)
    const { entries } = (await api.call('GET', '/audit-log?subject=ann')).body
    const changes = entries.filter(({ action }: any) => action.startsWith('contact.'))
    assert.deepEqual(
      changes.map(({ action, after }: any) => [action, after?.hasNewAddress]),
      [
        ['contact.remove', undefined],
        ['contact.set', true],
      ],
    )
    assert.doesNotMatch(JSON.stringify(changes), /shop\.example/)
    await api.call('PUT', path, { email: 'ann@shop.example' })
    const { pseudonym } = (await api.call('DELETE', '/players/ann/personal-data')).body
    assert.equal((await api.call('GET', `/players/${pseudonym}/contact`)).status, 404)
  })

  test('an erased player gets no message that was waiting', async () => {
    const api = await makeShop()
    await api.call('PUT', '/messages/stop', {})
    const email = `${randomUUID()}@shop.example`
    await win(api, 'ann', { email })
    await until(async () => (await listed(api)).length === 2)
    await api.call('DELETE', '/players/ann/personal-data')
    const reasons = (await listed(api)).map((one: any) => [one.state, one.reason, one.dueAt])
    assert.deepEqual(
      reasons,
      times(2, () => ['dropped', 'player_erased', null]),
    )
    await api.call('DELETE', '/messages/stop')
    assert.deepEqual(mailsTo(email), [])
  })

  test('texts of a campaign name only what we know', async () => {
    const api = await makeManagementApi(server)
    const kinds = { ...wonOn.kinds, won: { isOn: true, texts: { en: { subject: '{prise}', lead: 'x' } } } }
    const reply = await api.call('PUT', '/campaigns/main/messages', { ...wonOn, kinds })
    assert.equal(reply.status, 400)
    assert.match(reply.body.detail, /\{prise\}/)
  })

  test('one merchant with many mails does not hold up another', onLanding, async () => {
    const [many, few] = [await makeShop(), await makeShop()]
    await many.call('PUT', '/messages/stop', {})
    const players = times(30, (index) => `player-${index}`)
    for (const playerId of players) await win(many, playerId, { email: `${playerId}@many.example` })
    const email = `${randomUUID()}@few.example`
    await many.call('DELETE', '/messages/stop')
    await win(few, 'ann', { email })
    await until(() => mailsTo(email).length === 1)
    const toMany = () => box.mails.filter(({ to }) => to[0]?.endsWith('@many.example'))
    await until(() => toMany().length === players.length)
    assert.equal(new Set(toMany().map(({ to }) => to[0])).size, players.length)
  })
})
