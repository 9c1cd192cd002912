// Messages on their way to an SMTP server by another hand (test/smtp-server), from processes that are killed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statement } from '../../src/db/database.ts'
import { alwaysWins, callApi, makeManagementApi, readAll } from '../scenes/management-scene.ts'
import {
  databaseUrl,
  type Lifetime,
  makeServer,
  notOnCluster,
  type ServerProcess,
  spawnServer,
  times,
  until,
} from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'
import { makeSmtpBox } from './smtp-scene.ts'

const landing = { ...onLanding, ...notOnCluster }
const off = { isOn: false, texts: {} }
const settings = { replyTo: null, kinds: { won: { isOn: true, texts: {} }, claim_ends: off } }

/** A merchant whose players win, and processes that mail them. The server of this process sends nothing. */
async function makeScene(t: Lifetime) {
  const box = await makeSmtpBox(t)
  const server = await makeServer(t)
  const api = await makeManagementApi(server)
  await api.publish(alwaysWins({}))
  const sender = () =>
    spawnServer(t, {
      DATABASE_URL: databaseUrl(server.target),
      SMTP_URL: box.url,
      MAIL_FROM: 'Wheel <wheel@house.example>',
    })
  const { db } = server.ctx
  return {
    box,
    api,
    sender,
    switchOn: async (process: ServerProcess) => {
      const path = '/api/v1/campaigns/main/messages'
      const reply = await callApi(process, api.token, 'PUT', path, { body: settings })
      assert.equal(reply.status, 200, reply.text)
    },
    /** The player's id is the address. */
    win: async (email: string) => {
      await api.grant(email, 1)
      const reply = await api.call('PUT', `/players/${encodeURIComponent(email)}/contact`, { email })
      assert.equal(reply.status, 200, reply.text)
      await api.play(email)
    },
    list: () => readAll(api, '/messages', 'messages'),
    /** In place of the time until the next attempt. */
    hurry: () => db.query(statement(`update mails set due_at = now() where state = 'planned'`)),
    /** In place of the time after which a mail counts as unknown. No process may be sending. */
    expireSending: () => db.query(statement(`update mails set due_at = now() where state = 'sending'`)),
    setSendingAside: () =>
      db.query(statement(`update mails set due_at = now() + interval '1 day' where state = 'sending'`)),
  }
}

async function kill(process: ServerProcess) {
  process.child.kill('SIGKILL')
  await process.stopped
}

test(
  'kill -9 in each state of a message loses none, and one that comes twice is one that the log calls unknown',
  landing,
  async (t) => {
    const { box, api, sender, switchOn, win, list, hurry, expireSending } = await makeScene(t)
    const stateOf = async (email: string) => (await list()).find(({ playerId }) => playerId === email)
    let process = await sender()
    await switchOn(process)

    await api.call('PUT', '/messages/stop', {})
    await win('planned@shop.example')
    await until(async () => (await stateOf('planned@shop.example'))?.state === 'planned')
    await kill(process)
    await api.call('DELETE', '/messages/stop')

    for (const [email, stage, answer] of [
      ['before-the-dot@shop.example', 'recipient', 'hang'],
      ['after-the-dot@shop.example', 'end', 'hang'],
      ['after-the-reply@shop.example', 'end', undefined],
    ] as const) {
      const reached = Promise.withResolvers<void>()
      box.answer = (to, at) => {
        if (to !== email || at !== stage) return undefined
        reached.resolve()
        return answer
      }
      process = await sender()
      await win(email)
      await reached.promise
      await kill(process)
      box.answer = () => undefined
      await expireSending()
    }

    process = await sender()
    await win('sent@shop.example')
    await until(async () => (await stateOf('sent@shop.example'))?.state === 'sent')
    await kill(process)

    let defers = true
    box.answer = (to, at) => {
      if (at === 'recipient' && to.startsWith('refused')) return '550 5.1.1 no such user'
      return at === 'recipient' && to.startsWith('deferred') && defers ? '451 4.7.1 come again' : undefined
    }
    process = await sender()
    for (const email of ['deferred@shop.example', 'refused@shop.example']) await win(email)
    await until(async () => (await stateOf('deferred@shop.example'))?.tries === 1)
    defers = false
    await until(async () => {
      await hurry()
      const mails = await list()
      return mails.length === 7 && mails.every(({ settledAt }) => settledAt !== null)
    })
    await kill(process)

    const arrived = (email: string) => box.mails.filter(({ to }) => to === email)
    for (const [name, state, reason, copies] of [
      ['planned', 'sent', [null], [1]],
      ['before-the-dot', 'sent', ['unknown_before'], [1]],
      ['after-the-dot', 'sent', ['unknown_before'], [2]],
      // The process had the reply, or died before it.
      ['after-the-reply', 'sent', [null, 'unknown_before'], [1, 2]],
      ['sent', 'sent', [null], [1]],
      ['deferred', 'sent', [null], [1]],
      ['refused', 'refused', ['address_dead'], [0]],
    ] as [string, string, (string | null)[], number[]][]) {
      const email = `${name}@shop.example`
      const mail = await stateOf(email)
      const mails = arrived(email)
      assert.equal(mail.state, state, name)
      assert.ok(reason.includes(mail.reason), `${name}: ${mail.reason}`)
      assert.ok(copies.includes(mails.length), `${name}: ${mails.length} copies`)
      assert.ok(mails.length < 2 || mail.reason === 'unknown_before', name)
      assert.ok(mails.every(({ messageId }) => messageId === `${mail.id}@house.example`))
    }
  },
)

test(
  'of 100 messages none is lost while the server drops one connection in ten and processes are killed',
  landing,
  async (t) => {
    const { box, api, sender, switchOn, win, list, hurry, expireSending, setSendingAside } =
      await makeScene(t)
    const emails = times(100, (index) => `player-${index}@shop.example`)
    let process = await sender()
    await switchOn(process)
    await api.call('PUT', '/messages/stop', {})
    for (const email of emails) await win(email)
    await until(async () => (await list()).length === emails.length)
    await kill(process)
    await api.call('DELETE', '/messages/stop')

    const seen = new Set<string>()
    box.answer = (to, at) => {
      if (at === 'recipient' || seen.has(to)) return undefined
      seen.add(to)
      return seen.size % 10 === 0 ? 'drop' : undefined
    }
    for (const arrivals of [20, 40, 60]) {
      process = await sender()
      await until(() => box.mails.length >= arrivals)
      await kill(process)
      // A second kill at the same message would leave it unknown for good, which is not what this test is about.
      await setSendingAside()
    }
    await expireSending()
    process = await sender()
    await until(async () => {
      await hurry()
      return (await list()).every(({ settledAt }) => settledAt !== null)
    })

    const copies = Map.groupBy(box.mails, ({ to }) => to)
    for (const mail of await list()) {
      const own = copies.get(mail.playerId) ?? []
      assert.ok(own.length === 1 || own.length === 2, `${mail.playerId}: ${own.length} copies`)
      assert.ok(own.every(({ messageId }) => messageId === `${mail.id}@house.example`))
      if (own.length === 2) assert.match(mail.reason, /^unknown/)
    }
    assert.ok([...copies.values()].some((own) => own.length === 2))
  },
)
