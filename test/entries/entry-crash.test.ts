import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { auditLedger } from '../../src/integrity/audit.ts'
import { type EntryReply, entryPageOf, makeEntryPage } from '../scenes/entry-scene.ts'
import { databaseUrl, makeServer, spawnServer, times } from '../scenes/scene.ts'

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
