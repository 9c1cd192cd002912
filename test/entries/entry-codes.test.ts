import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { entryCodesPerHour } from '../../src/entries/entry-limits.ts'
import { makeEntryPage } from '../scenes/entry-scene.ts'
import { makeServer, type Server, suiteLifetime, times, until } from '../scenes/scene.ts'
import { makeTestMailbox, type TestMailbox } from '../scenes/test-mailbox.ts'

describe('a code proves the address', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let mailbox: TestMailbox
  let ahead = 0
  before(async () => {
    mailbox = await makeTestMailbox(lifetime)
    server = await makeServer(lifetime, {
      env: { SMTP_URL: mailbox.url, MAIL_FROM: 'spins@acme.example' },
      now: () => new Date(Date.now() + ahead),
    })
  })

  const codeFor = async (address: string, count = 1): Promise<string> => {
    const own = () => mailbox.mails.filter(({ to }) => to.includes(address))
    await until(() => own().length >= count)
    return /^Subject: ([0-9]{6}) /m.exec(own().at(-1)?.text ?? '')?.[1] ?? ''
  }
  const wrong = (code: string) => (code === '000000' ? '000001' : '000000')

  test('a visitor enters with the digits of the mail, and plays', async () => {
    const { api, enter, send, open } = await makeEntryPage(server, { verify: 'code' })
    const sent = await enter({ email: 'Ann+1@gmail.com', news: true })
    assert.equal(sent.body.outcome, 'code_sent', JSON.stringify(sent.body))
    assert.deepEqual((await api.call('GET', '/players')).body.players, [])
    const code = await codeFor('Ann+1@gmail.com')
    assert.match(mailbox.mails.at(-1)?.text ?? '', new RegExp(`\n\n${code} is your code for `))
    const { session } = sent.body
    const entered = await send('/proof', { session, code })
    assert.equal(entered.body.outcome, 'entered', JSON.stringify(entered.body))
    assert.equal((await open(entered)).spinCount, 2)
    const again = await send('/proof', { session, code })
    assert.equal((await open(again)).playerId, (await open(entered)).playerId)
    const { entries } = (await api.call('GET', '/campaigns/main/entry')).body
    assert.deepEqual(entries, { entered: 1, verified: 1 })
  })

  test('a known address gets the same answer, and goes on after its code', async () => {
    const page = await makeEntryPage(server, { verify: 'code' })
    const enterBy = async (count: number) => {
      const sent = await page.enter({ email: 'bob@shop.example' })
      const code = await codeFor('bob@shop.example', count)
      return { sent, entered: await page.send('/proof', { session: sent.body.session, code }) }
    }
    const [first, second] = [await enterBy(1), await enterBy(2)]
    assert.deepEqual(Object.keys(first.sent.body), Object.keys(second.sent.body))
    const [one, other] = [await page.open(first.entered), await page.open(second.entered)]
    assert.equal(one.playerId, other.playerId)
    assert.equal(other.spinCount, 2)
    const known = await page.enter({ email: 'bob@shop.example' }, { pass: first.entered.body.pass })
    assert.equal(known.body.outcome, 'entered')
    const stranger = await page.enter({ email: 'cid@shop.example' }, { pass: first.entered.body.pass })
    assert.equal(stranger.body.outcome, 'code_sent')
  })

  test('a wrong code counts, five of them end it, and only the browser that asked can type it', async () => {
    const page = await makeEntryPage(server, { verify: 'code' })
    const { session } = (await page.enter({ email: 'eve@shop.example' })).body
    const code = await codeFor('eve@shop.example')
    for (const left of [4, 3, 2, 1, 0]) {
      const reply = await page.send('/proof', { session, code: wrong(code) })
      assert.equal(reply.body.code, 'code_wrong')
      assert.equal(reply.body.attemptsLeft, left)
    }
    assert.equal((await page.send('/proof', { session, code })).body.code, 'code_attempts_used')
    const other = await makeEntryPage(server, { verify: 'code' })
    for (const token of [`${session}x`, (await other.enter({ email: 'eve@shop.example' })).body.session])
      assert.equal((await page.send('/proof', { session: token, code })).body.code, 'entry_session_invalid')
  })

  test('another code is sent after a minute, and the one before no longer counts', async () => {
    const page = await makeEntryPage(server, { verify: 'code' })
    const { session } = (await page.enter({ email: 'fay@shop.example' })).body
    const first = await codeFor('fay@shop.example')
    const early = await page.send('/codes', { session })
    assert.equal(early.status, 429)
    assert.equal(early.body.code, 'entry_limit_reached')
    assert.ok(Number(early.headers.get('retry-after')) <= 60)
    ahead += 61_000
    assert.equal((await page.send('/codes', { session })).status, 200)
    const second = await codeFor('fay@shop.example', 2)
    if (first !== second)
      assert.equal((await page.send('/proof', { session, code: first })).body.code, 'code_wrong')
    ahead += 601_000
    assert.equal((await page.send('/proof', { session, code: second })).body.code, 'code_expired')
  })

  test('a repeat of a submission sends no second code', async () => {
    const page = await makeEntryPage(server, { verify: 'code' })
    const key = randomUUID()
    const [one, other] = [
      await page.enter({ email: 'gus@shop.example' }, {}, key),
      await page.enter({ email: 'gus@shop.example' }, {}, key),
    ]
    assert.deepEqual(one.body, other.body)
    const changed = await page.enter({ email: 'hal@shop.example' }, {}, key)
    assert.equal(changed.body.code, 'idempotency_key_reused')
  })

  test('one address gets few codes in an hour, whatever its spelling', async () => {
    const page = await makeEntryPage(server, { verify: 'code' })
    const max = entryCodesPerHour.addressAndNetwork
    const replies = []
    for (const index of times(max + 2, (one) => one))
      replies.push(await page.enter({ email: `ida+${index}@gmail.com` }))
    assert.equal(replies.filter(({ body }) => body.outcome === 'code_sent').length, max)
    assert.equal(replies.at(-1)?.body.code, 'entry_limit_reached')
    assert.equal((await page.enter({ email: 'jan@shop.example' })).body.outcome, 'code_sent')
  })
})
