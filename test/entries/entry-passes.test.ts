import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { addEntryPage, type EntryPage, makeEntryPage } from '../scenes/entry-scene.ts'
import { makeServer, type Server, suiteLifetime, until } from '../scenes/scene.ts'
import { makeTestMailbox, type TestMailbox } from '../scenes/test-mailbox.ts'

describe('a browser that has not proved an address', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let mailbox: TestMailbox
  before(async () => {
    mailbox = await makeTestMailbox(lifetime)
    server = await makeServer(lifetime, { env: { SMTP_URL: mailbox.url, MAIL_FROM: 'spins@acme.example' } })
  })

  /** Enters by the code in the newest of so many mails. */
  async function prove(page: EntryPage, address: string, mails = 1) {
    const sent = await page.enter({ email: address })
    assert.equal(sent.body.outcome, 'code_sent', JSON.stringify(sent.body))
    const own = () => mailbox.mails.filter(({ to }) => to.includes(address))
    await until(() => own().length === mails)
    const code = /^Subject: ([0-9]{6}) /m.exec(own().at(-1)?.text ?? '')?.[1]
    const entered = await page.send('/proof', { session: sent.body.session, code })
    assert.equal(entered.body.outcome, 'entered', JSON.stringify(entered.body))
    return entered
  }

  /** A campaign without proof, in which somebody typed an address of another person, and one with proof. */
  async function makeTyped(address: string) {
    const free = await makeEntryPage(server)
    const proving = await addEntryPage(server, free, { campaign: 'proving', settings: { verify: 'code' } })
    const typed = await free.enter({ email: address })
    return { free, proving, typed, pass: typed.body.pass }
  }

  test('needs the code where the address must be proved, and never gets the game of the person who did', async () => {
    const { free, proving, typed, pass } = await makeTyped('ann@shop.example')
    const stranger = await proving.enter({ email: 'ann@shop.example' }, { pass })
    assert.equal(stranger.body.outcome, 'code_sent')
    assert.equal((await free.send('/returns', { pass })).body.outcome, 'entered')
    assert.equal((await free.open(typed)).spinCount, 2)
    const proved = await prove(proving, 'ann@shop.example', 2)
    assert.equal((await free.open(typed)).code, 'game_token_revoked')
    assert.equal((await proving.open(proved)).spinCount, 2)
    assert.equal((await prove(proving, 'ann@shop.example', 3)).body.outcome, 'entered')
    assert.equal((await proving.open(proved)).spinCount, 2, 'another proof revokes nothing')
    for (const page of [proving, free])
      assert.equal((await page.send('/returns', { pass })).body.code, 'pass_invalid')
    const other = await addEntryPage(server, free, { campaign: 'other' })
    for (const page of [free, other])
      assert.equal((await page.enter({ email: 'ann@shop.example' }, { pass })).body.code, 'entry_known')
  })

  test('gets nothing by sending its form again, once the person has proved the address', async () => {
    const free = await makeEntryPage(server)
    const proving = await addEntryPage(server, free, { campaign: 'proving', settings: { verify: 'code' } })
    const key = randomUUID()
    const again = () => free.enter({ email: 'cid@shop.example' }, {}, key)
    assert.equal((await again()).body.outcome, 'entered')
    assert.equal((await again()).body.outcome, 'entered')
    await prove(proving, 'cid@shop.example')
    assert.equal((await again()).body.code, 'entry_known')
  })

  test('differs from the browser that did, which goes on everywhere, also by the passes it gets then', async () => {
    const { free, proving } = await makeTyped('bob@shop.example')
    const { pass } = (await prove(proving, 'bob@shop.example')).body
    const back = (await proving.send('/returns', { pass })).body
    const other = await addEntryPage(server, free, { campaign: 'other', settings: { verify: 'code' } })
    const entered = await other.enter({ email: 'bob@shop.example' }, { pass: back.pass })
    assert.equal(entered.body.outcome, 'entered', JSON.stringify(entered.body))
    assert.equal((await other.send('/returns', { pass: entered.body.pass })).body.outcome, 'entered')
    const there = await free.enter({ email: 'bob@shop.example' }, { pass: entered.body.pass })
    assert.equal(there.body.outcome, 'entered', JSON.stringify(there.body))
  })
})
