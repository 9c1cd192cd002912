import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { entryCodesPerDay, entryMailRetryMs } from '../../src/entries/entry-limits.ts'
import { auditLedger } from '../../src/integrity/audit.ts'
import {
  type EntryPage,
  type EntryReply,
  entryPageOf,
  inTurns,
  makeEntryPage,
} from '../scenes/entry-scene.ts'
import { databaseUrl, makeServer, spawnServer, times, until } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'
import { makeTestMailbox } from '../scenes/test-mailbox.ts'

const addresses = times(24, (index) => `visitor-${index}@shop.example`)

test('kill -9 of one of two servers during entries: repeated with their keys, each address has one player, entry and grant', async (t) => {
  const server = await makeServer(t)
  const page = await makeEntryPage(server)
  const dying = await spawnServer(t, { DATABASE_URL: databaseUrl(server.target) })
  const dyingPage = entryPageOf(dying, page.api, 'main')

  const orders = addresses.flatMap((email) =>
    times(4, (index) => ({
      email,
      key: randomUUID(),
      isAtDying: index % 2 === 0,
      answer: undefined as EntryReply | undefined,
    })),
  )
  const sent = orders.map(async (order) => {
    const { enter } = order.isAtDying ? dyingPage : page
    // No answer: what happened is not known.
    order.answer = await enter({ email: order.email }, {}, order.key).catch(() => undefined)
    // At the first answer, because all of them come within a moment.
    if (order.isAtDying) dying.child.kill('SIGKILL')
  })
  await dying.stopped
  await Promise.all(sent)
  const wasAnswered = (isWanted: boolean) =>
    orders.some(({ isAtDying, answer }) => isAtDying && (answer !== undefined) === isWanted)
  assert.ok(wasAnswered(true) && wasAnswered(false), 'the server died between its answers')

  const entered = new Map<string, string[]>()
  for (const { email, key, answer } of orders) {
    const again = await page.enter({ email }, {}, key)
    if (again.body.outcome !== 'entered') {
      assert.equal(again.body.code, 'entry_known', JSON.stringify(again.body))
      assert.notEqual(answer?.status, 200, 'acknowledged before the kill')
      continue
    }
    const { playerId } = await page.open(again)
    entered.set(email, [...(entered.get(email) ?? []), playerId])
  }
  const players = addresses.map((email) => entered.get(email))
  assert.ok(players.every((own) => own?.length === 1))
  const known = (await page.api.call('GET', '/players?limit=100')).body.players
  assert.deepEqual(new Set(known.map((one: any) => one.playerId)), new Set(players.flat()))
  assert.equal(known.length, addresses.length)
  for (const playerId of players.flat()) {
    const { entries } = (await page.api.call('GET', `/players/${playerId}/ledger`)).body
    assert.deepEqual(
      entries.map(({ kind, amount }: any) => [kind, amount]),
      [['entry', 2]],
    )
  }
  const { entries } = (await page.api.call('GET', '/campaigns/main/entry')).body
  assert.equal(entries.entered, addresses.length)
  assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
})

/** Spellings of one address, each from a network of its own. Its mails can be told apart. */
const spellings = times(1_000, (index) => ({
  email: `one.visitor+${index}@gmail.com`,
  headers: { 'X-Forwarded-For': `10.${index >> 8}.${index & 255}.1` },
  key: randomUUID(),
}))

for (const verify of ['none', 'code'])
  test(
    `1,000 submissions of one address over two processes that are killed one after the other, verify: ${verify}: one player, one entry, one grant`,
    onLanding,
    async (t) => {
      const mailbox = await makeTestMailbox(t)
      let ahead = 0
      const env = { TRUST_PROXY: '127.0.0.1', SMTP_URL: mailbox.url, MAIL_FROM: 'spins@acme.example' }
      const server = await makeServer(t, { env, now: () => new Date(Date.now() + ahead) })
      const page = await makeEntryPage(server, { verify })
      const ofProcess = { ...env, DATABASE_URL: databaseUrl(server.target) }
      const { body } = await page.show()
      const form = { formVersion: body.form.version, language: 'en', terms: body.terms.hash }

      /** Sends each of these to one of two processes, of which the first dies in between. No answer: undefined. */
      async function send<T>(orders: readonly T[], to: (target: EntryPage, order: T) => Promise<EntryReply>) {
        const [dying, other] = await Promise.all([spawnServer(t, ofProcess), spawnServer(t, ofProcess)])
        let answers = 0
        const sent = await inTurns(orders, 40, async (order, index) => {
          const target = entryPageOf(index % 2 === 0 ? dying : other, page.api, 'main')
          const reply = await to(target, order).catch(() => undefined)
          if (++answers === Math.ceil(orders.length / 3)) dying.child.kill('SIGKILL')
          return reply
        })
        await dying.stopped
        other.child.kill('SIGKILL')
        await other.stopped
        return sent
      }

      const submit = (target: EntryPage, { email, headers, key }: (typeof spellings)[number]) =>
        target.send('/entries', { ...form, answers: { email } }, { ...headers, 'Idempotency-Key': key })
      const first = await send(spellings, submit)
      assert.ok(first.includes(undefined), 'a process died between its answers')
      // Whoever got no answer repeats the submission.
      const replies = await inTurns(
        spellings,
        40,
        async (order, index) => first[index] ?? submit(page, order),
      )

      const entered = replies.filter((reply) => reply.body.outcome === 'entered')
      if (verify === 'code') {
        const waiting = spellings.flatMap(({ email }, index) => {
          const { outcome, session } = replies[index]?.body ?? {}
          return outcome === 'code_sent' ? [{ email, session }] : []
        })
        assert.equal(waiting.length, entryCodesPerDay.address, 'as many codes as one address gets in a day')
        const codes = () => new Map(mailbox.mails.map(({ to, text }) => [to[0], codeIn(text)]))
        // What a killed process was about to mail is due again later.
        ahead = entryMailRetryMs
        await until(() => waiting.every(({ email }) => codes().has(email)))
        const proofs = times(4, () => waiting).flat()
        const prove = (target: EntryPage, { email, session }: (typeof waiting)[number]) =>
          target.send('/proof', { session, code: codes().get(email) })
        const proved = await send(proofs, prove)
        entered.push(...proved.filter((reply) => reply !== undefined))
        for (const one of waiting) entered.push(await prove(page, one))
        assert.deepEqual(new Set(entered.map((reply) => reply.body.outcome)), new Set(['entered']))
      } else
        assert.deepEqual(
          new Set(replies.map((reply) => reply.body.outcome ?? reply.body.code)),
          new Set(['entered', 'entry_known']),
        )

      const { players } = (await page.api.call('GET', '/players?limit=100')).body
      assert.equal(players.length, 1)
      const [{ playerId }] = players
      for (const reply of entered) assert.equal((await page.open(reply)).playerId, playerId)
      const { entries: grants } = (await page.api.call('GET', `/players/${playerId}/ledger`)).body
      assert.deepEqual(
        grants.map(({ kind, amount }: any) => [kind, amount]),
        [['entry', 2]],
      )
      const { entries } = (await page.api.call('GET', '/campaigns/main/entry')).body
      assert.deepEqual(entries, { entered: 1, verified: verify === 'code' ? 1 : 0 })
      assert.equal((await page.api.call('GET', '/campaigns/main/entries')).body.entries.length, 1)
      assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
    },
  )

const codeIn = (mail: string) => /^Subject: ([0-9]{6}) /m.exec(mail)?.[1]
