import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { endOfNight } from '../../src/messages/quiet-hours.ts'
import { expireNextSpins } from '../../src/players/expire-spins.ts'
import { makeEntryPage } from '../scenes/entry-scene.ts'
import { alwaysWins, makeManagementApi, type ManagementApi } from '../scenes/management-scene.ts'
import { makeServer, type Server, suiteLifetime, times, until } from '../scenes/scene.ts'
import { type Mail, makeTestMailbox, plainText, type TestMailbox } from '../scenes/test-mailbox.ts'
import { onLanding } from '../scenes/selection.ts'

const hour = 3_600_000
const day = 24 * hour
const on = { isOn: true, texts: {} }

describe('messages about spins', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let box: TestMailbox
  // It is ten in the morning, or later.
  let now = Math.ceil(Date.now() / day) * day + 10 * hour
  before(async () => {
    box = await makeTestMailbox(lifetime)
    const env = { SMTP_URL: box.url, MAIL_FROM: 'Wheel <wheel@house.example>' }
    server = await makeServer(lifetime, { env, now: () => new Date(now) })
  })

  const switchOn = async (api: ManagementApi) => {
    await api.publish(alwaysWins({ prize: { kind: 'handover' } }))
    const kinds = { won: on, spins_waiting: on, spins_expire: on }
    const reply = await api.call('PUT', '/campaigns/main/messages', { replyTo: null, kinds })
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.body.kinds.claim_ends.isOn, false)
    return api
  }
  const makeShop = async () => switchOn(await makeManagementApi(server))
  const agree = async (api: ManagementApi, playerId: string, agreed: object = {}) => {
    const email = `${playerId}-${randomUUID().slice(0, 8)}@shop.example`
    const agreedToMarketingAt = new Date(now).toISOString()
    await api.call('POST', '/links', { playerId })
    await setContact(api, playerId, { email, agreedToMarketingAt, ...agreed })
    return email
  }
  const setContact = async (api: ManagementApi, playerId: string, contact: object) => {
    const reply = await api.call('PUT', `/players/${playerId}/contact`, contact)
    assert.equal(reply.status, 200, reply.text)
  }
  const rowsOf = async (api: ManagementApi, playerId: string, kind = 'spins_waiting') =>
    (await api.call('GET', '/messages')).body.messages.filter(
      (one: any) => one.playerId === playerId && one.kind === kind,
    )
  const planned = async (api: ManagementApi, playerId: string, count = 1) =>
    until(async () => (await rowsOf(api, playerId)).length === count)
  /** What became of the newest message. */
  const settled = async (api: ManagementApi, playerId: string, kind?: string) => {
    await until(async () => {
      const [newest] = await rowsOf(api, playerId, kind)
      return newest !== undefined && newest.settledAt !== null
    })
    const [{ state, reason }] = await rowsOf(api, playerId, kind)
    return reason ?? state
  }
  const mailsTo = (address: string) => box.mails.filter(({ to }) => to[0] === address)
  const headerOf = (mail: Mail, name: string) => {
    const [head = ''] = mail.text.split('\n\n')
    return new RegExp(`^${name}: (.+)$`, 'im').exec(head.replaceAll(/\n[ \t]+/g, ' '))?.[1]?.trim()
  }

  test('who agreed is told after a day without a play, and a link in the mail opens the game', async () => {
    const api = await makeShop()
    for (const playerId of ['ann', 'bob', 'eve']) await api.grant(playerId, 3)
    const email = await agree(api, 'ann')
    await setContact(api, 'bob', { email: 'bob@shop.example' })
    await agree(api, 'eve')
    for (const playerId of ['ann', 'bob', 'eve']) await planned(api, playerId)
    now += 10 * hour
    await api.play('eve')

    now += 14 * hour
    assert.equal(await settled(api, 'ann'), 'sent')
    assert.equal(await settled(api, 'bob'), 'no_consent')
    const [mail] = mailsTo(email) as [Mail]
    const text = plainText(mail)
    assert.match(text, /Subject: Spins are waiting for you at/)
    assert.match(text, /Spins: 3/)
    assert.equal(headerOf(mail, 'List-Unsubscribe-Post'), 'List-Unsubscribe=One-Click')
    assert.match(headerOf(mail, 'List-Unsubscribe') ?? '', /^<https?:\/\/[^/]+\/u\/[\w-]{34}>$/)
    assert.match(headerOf(mail, 'List-ID') ?? '', /^<.+>$/)
    const token = /\/spinthewheel\/\?token=([\w.-]+)/.exec(text)?.[1]
    const opened = await fetch(`${server.url}/api/v1/game/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
    })
    assert.equal(opened.status, 200, await opened.text())

    // A day after the play it is eight in the evening.
    const evening = new Date(now + 10 * hour).toISOString()
    await until(async () => (await rowsOf(api, 'eve'))[0].dueAt === evening)
    now += 10 * hour
    assert.equal(await settled(api, 'eve'), 'sent')
  })

  test('nobody is told at night', async () => {
    const api = await makeShop()
    const atNight = (Math.ceil(now / day) + 1) * day - 2 * hour
    now = atNight
    await api.grant('ann', 1)
    const email = await agree(api, 'ann')
    await planned(api, 'ann')
    now += day
    const morning = new Date(atNight + day + 10 * hour).toISOString()
    await until(async () => (await rowsOf(api, 'ann'))[0].dueAt === morning)
    assert.deepEqual(mailsTo(email), [])
    now += 10 * hour
    assert.equal(await settled(api, 'ann'), 'sent')
    now += 2 * hour
  })

  test('marketing leaves a quarter of the hourly limit to prizes', onLanding, async () => {
    const env = {
      SMTP_URL: box.url,
      MAIL_FROM: 'Wheel <wheel@house.example>',
      MAILS_PER_MERCHANT_AND_HOUR: '4',
    }
    const limited = await makeServer(lifetime, { env, now: () => new Date(now) })
    const api = await switchOn(await makeManagementApi(limited))
    const players = times(4, (index) => `player-${index}`)
    for (const playerId of players) {
      await api.grant(playerId, 1)
      await agree(api, playerId)
      await planned(api, playerId)
    }
    now += day
    const states = async () =>
      (await Promise.all(players.map((playerId) => rowsOf(api, playerId)))).flat().map(({ state }) => state)
    await until(async () => (await states()).filter((state) => state === 'sent').length === 3)
    await api.grant('winner', 1)
    await agree(api, 'winner', { agreedToMarketingAt: undefined })
    await api.play('winner')
    assert.equal(await settled(api, 'winner', 'won'), 'sent')
    assert.equal((await states()).filter((state) => state === 'sent').length, 3)
    now += hour
    await until(async () => (await states()).every((state) => state === 'sent'))
  })

  test('spins that expire are announced once for a day', async () => {
    const api = await makeShop()
    const email = await agree(api, 'ann')
    for (const spins of [1, 2]) {
      const expiresAt = new Date(now + 2 * day + (spins - 1) * (hour / 2)).toISOString()
      const body = { playerId: 'ann', spins, expiresAt }
      const reply = await api.call('POST', '/grants', body, { 'Idempotency-Key': randomUUID() })
      assert.equal(reply.status, 200, reply.text)
    }
    now += day + hour
    while ((await expireNextSpins(server.ctx.db, new Date(now))) === 'more');
    assert.equal(await settled(api, 'ann', 'spins_expire'), 'sent')
    const about = mailsTo(email).filter((mail) => plainText(mail).includes('Subject: Until'))
    assert.equal(about.length, 1)
    assert.match(plainText(about[0] as Mail), /Spins: 3/)
  })

  test('a player of two campaigns is told once', async () => {
    const api = await makeShop()
    await api.call('POST', '/campaigns', { campaign: 'summer', name: 'Summer', wheel: 'main' })
    const kinds = { spins_waiting: on }
    await api.call('PUT', '/campaigns/summer/messages', { replyTo: null, kinds })
    const email = await agree(api, 'ann')
    for (const campaign of ['main', 'summer']) {
      const body = { playerId: 'ann', spins: 1, campaign }
      const reply = await api.call('POST', '/grants', body, { 'Idempotency-Key': randomUUID() })
      assert.equal(reply.status, 200, reply.text)
    }
    await planned(api, 'ann', 2)
    now += day
    await until(async () => (await rowsOf(api, 'ann')).every(({ settledAt }: any) => settledAt !== null))
    const outcomes = (await rowsOf(api, 'ann')).map(({ state, reason }: any) => reason ?? state)
    assert.deepEqual(outcomes.toSorted(), ['sent', 'told_recently'])
    assert.equal(mailsTo(email).length, 1)
  })

  test('unsubscribing ends marketing to the address that got the mail, also if the player has it no more', async () => {
    const api = await makeShop()
    await api.grant('ann', 1)
    const agreedToMarketingAt = new Date(now).toISOString()
    const email = await agree(api, 'ann', { agreedToMarketingAt })
    await planned(api, 'ann')
    now += day
    assert.equal(await settled(api, 'ann'), 'sent')
    const link = headerOf(mailsTo(email)[0] as Mail, 'List-Unsubscribe')?.slice(1, -1) ?? ''
    await api.call('DELETE', '/players/ann/contact')
    const path = new URL(link).pathname
    assert.equal((await fetch(`${server.url}${path}`, { method: 'POST' })).status, 200)
    await setContact(api, 'ann', { email, agreedToMarketingAt })
    now += 8 * day
    await api.grant('ann', 1)
    await planned(api, 'ann', 2)
    now += day
    assert.equal(await settled(api, 'ann'), 'no_consent')
  })

  test('a consent is not of tomorrow', async () => {
    const api = await makeShop()
    await agree(api, 'ann')
    const agreedToMarketingAt = new Date(now + hour).toISOString()
    const reply = await api.call('PUT', '/players/ann/contact', {
      email: 'ann@x.example',
      agreedToMarketingAt,
    })
    assert.deepEqual([reply.status, reply.body.errors[0].pointer], [400, '/agreedToMarketingAt'])
  })

  test('a visitor who withdraws gets no marketing at the contact that the merchant has set before', async () => {
    const page = await makeEntryPage(server, { verify: 'code' })
    await switchOn(page.api)
    const email = `vera-${randomUUID().slice(0, 8)}@shop.example`
    const { body } = await page.enter({ email, news: true })
    await until(() => mailsTo(email).length === 1)
    const code = /^Subject: ([0-9]{6}) /m.exec((mailsTo(email)[0] as Mail).text)?.[1]
    const { playerId } = await page.open(await page.send('/proof', { session: body.session, code }))
    await planned(page.api, playerId)
    await setContact(page.api, playerId, { email, agreedToMarketingAt: new Date(now).toISOString() })
    await page.api.call('PUT', `/players/${playerId}/consents/withdrawal`, {})
    now += day
    assert.equal(await settled(page.api, playerId), 'no_consent')
  })

  test("a visitor's consent is looked at when a message is sent, and ends with its way out", async () => {
    const page = await makeEntryPage(server, { verify: 'code' })
    const { api } = page
    await switchOn(api)
    const enter = async (name: string) => {
      const email = `${name}-${randomUUID().slice(0, 8)}@shop.example`
      const { body } = await page.enter({ email, news: true })
      await until(() => mailsTo(email).length === 1)
      const code = /^Subject: ([0-9]{6}) /m.exec((mailsTo(email)[0] as Mail).text)?.[1]
      const { playerId } = await page.open(await page.send('/proof', { session: body.session, code }))
      await planned(api, playerId)
      return { email, playerId }
    }
    const [stays, leaves] = [await enter('stays'), await enter('leaves')]
    await api.call('PUT', `/players/${leaves.playerId}/consents/withdrawal`, {})
    now += day
    assert.equal(await settled(api, stays.playerId), 'sent')
    assert.equal(await settled(api, leaves.playerId), 'no_consent')
    const link = headerOf(mailsTo(stays.email)[1] as Mail, 'List-Unsubscribe') ?? ''
    await fetch(`${server.url}${new URL(link.slice(1, -1)).pathname}`, { method: 'POST' })
    await until(async () => {
      const { events } = (await api.call('GET', '/events?types=consent.withdrawn')).body
      return events.some(({ data }: any) => data.playerId === stays.playerId)
    })
  })

  test('one POST ends marketing and nothing else; a GET changes nothing; a later consent counts', async () => {
    const api = await makeShop()
    const email = await agree(api, 'ann')
    const remind = async () => {
      const { length } = await rowsOf(api, 'ann')
      await api.grant('ann', 1)
      await planned(api, 'ann', length + 1)
      now += day
      const outcome = await settled(api, 'ann')
      now += 8 * day
      return outcome
    }
    assert.equal(await remind(), 'sent')
    const link = headerOf(mailsTo(email)[0] as Mail, 'List-Unsubscribe') ?? ''
    const path = new URL(link.slice(1, -1)).pathname
    const ask = async (method: string, to = path) => {
      const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
      const reply = await fetch(`${server.url}${to}`, method === 'POST' ? { method, body } : {})
      return { status: reply.status, text: await reply.text() }
    }
    const page = await ask('GET')
    assert.equal(page.status, 200)
    assert.match(page.text, /<form method="post">/)
    assert.equal(await remind(), 'sent', 'scanners open every link')
    for (const wrong of [`${path.slice(0, -2)}AA`, `${path}A`, '/u/x'])
      for (const method of ['GET', 'POST']) assert.equal((await ask(method, wrong)).status, 404)
    for (const _ of [1, 2]) assert.equal((await ask('POST')).status, 200)
    assert.equal(await remind(), 'no_consent')
    const form = new FormData()
    form.set('List-Unsubscribe', 'One-Click')
    assert.equal((await fetch(`${server.url}${path}`, { method: 'POST', body: form })).status, 200)
    await api.play('ann')
    assert.equal(await settled(api, 'ann', 'won'), 'sent')
    // The link of the play has brought spins.
    await planned(api, 'ann', 4)
    now += 2 * day
    const agreedToMarketingAt = new Date(now - 30 * day).toISOString()
    await setContact(api, 'ann', { email, agreedToMarketingAt })
    assert.equal(await remind(), 'no_consent', 'an old consent that is sent again')
    await setContact(api, 'ann', { email, agreedToMarketingAt: new Date(now).toISOString() })
    assert.equal(await remind(), 'sent')
  })
})

test('the night ends at eight where the player is', () => {
  const at = (time: string, zone: string) => endOfNight(new Date(`2026-11-19T${time}Z`), zone)?.toISOString()
  assert.equal(at('20:59:00', 'UTC'), undefined)
  assert.equal(at('21:00:00', 'UTC'), '2026-11-20T08:00:00.000Z')
  assert.equal(at('07:59:00', 'UTC'), '2026-11-19T08:00:00.000Z')
  assert.equal(at('08:00:00', 'UTC'), undefined)
  assert.equal(at('20:00:00', 'America/New_York'), undefined)
  assert.equal(at('20:00:00', 'Asia/Kolkata'), '2026-11-20T02:30:00.000Z')
})
