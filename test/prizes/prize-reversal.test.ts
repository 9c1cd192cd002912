import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditLedger } from '../../src/integrity/audit.ts'
import { readEvents } from '../../src/events/event-log.ts'
import { expirePrizes } from '../../src/prizes/expire-prizes.ts'
import { alwaysWins, makeManagementApi } from '../scenes/management-scene.ts'
import { makeServer, until } from '../scenes/scene.ts'

test('a redemption by mistake is taken back for a while, with a reason, and the prize is redeemed again', async (t) => {
  let laterMs = 0
  const server = await makeServer(t, { now: () => new Date(Date.now() + laterMs) })
  const api = await makeManagementApi(server)
  const settle = (play: any, noun: string, body: object = {}, headers?: Record<string, string>) =>
    api.call('PUT', `/prizes/${play.playId}/${noun}`, body, headers)
  await api.publish(alwaysWins({ stock: 5, claimWithinSeconds: 3_600 }))
  const play = await api.play('p')
  const reverse = (body: object, headers?: Record<string, string>) =>
    settle(play, 'redemption-reversal', body, headers)
  assert.equal((await reverse({ reason: 'early' })).body.code, 'prize_not_redeemed')
  const till = { 'Idempotency-Key': 'till-1' }
  const { body: redeemed } = await settle(play, 'redemption', {}, till)
  assert.equal(
    Date.parse(redeemed.reversibleUntil) - Date.parse(redeemed.settledAt),
    24 * 3_600_000,
    'a day by default',
  )
  assert.deepEqual([(await reverse({})).status, (await reverse({ reason: '' })).status], [400, 400])
  const key = { 'Idempotency-Key': 'back-1' }
  const reversed = await reverse({ reason: 'wrong customer' }, key)
  assert.deepEqual(
    [reversed.status, reversed.body.state, reversed.body.settledAt, reversed.body.reversibleUntil],
    [200, 'claimed', null, null],
  )
  assert.equal(reversed.body.claimedAt, reversed.body.reversedAt)
  assert.equal((await reverse({ reason: 'wrong customer' }, key)).headers.get('idempotent-replayed'), 'true')
  const retried = await settle(play, 'redemption', {}, till)
  assert.deepEqual([retried.status, retried.body.code], [409, 'redemption_reversed'], 'no till hands it out')
  assert.equal((await reverse({ reason: 'twice' })).body.code, 'prize_not_redeemed')
  laterMs += 2 * 3_600_000
  await expirePrizes(server.ctx.db, server.ctx.now())
  assert.equal((await settle(play, 'redemption')).body.state, 'redeemed', 'it does not expire')
  const { body: listed } = await api.call('GET', '/prizes?state=redeemed')
  assert.deepEqual(
    listed.prizes.map((prize: any) => prize.playId),
    [play.playId],
    'listed once',
  )
  assert.deepEqual((await api.call('GET', '/prizes?state=claimed')).body.prizes, [])
  laterMs += 25 * 3_600_000
  const late = await reverse({ reason: 'too late' })
  assert.deepEqual([late.status, late.body.code], [409, 'redemption_final'])
  await api.call('PATCH', '/merchant', { redemptionReversalHours: 48 })
  assert.equal((await reverse({ reason: 'in time again' })).body.state, 'claimed')
  assert.equal((await settle(play, 'cancellation')).body.stockReturned, true)
  const readSettlements = async () => {
    const query = { merchantId: api.merchant.merchantId, after: 0, limit: 1_000 }
    const events = await readEvents(server.ctx.db, query)
    return events.filter(({ type }) => /^prize\.(red|canc|claim|exp)/.test(type))
  }
  // The server numbers them by itself.
  await until(async () => (await readSettlements()).length >= 5)
  const settlements = await readSettlements()
  assert.deepEqual(
    settlements.map(({ type, data }) => [type, (data as any).reason]),
    [
      ['prize.redeemed', undefined],
      ['prize.redemption_reversed', 'wrong customer'],
      ['prize.redeemed', undefined],
      ['prize.redemption_reversed', 'in time again'],
      ['prize.cancelled', undefined],
    ],
  )
  const { body: log } = await api.call('GET', '/audit-log?action=prize.reverse_redemption')
  assert.deepEqual(
    log.entries.map((entry: any) => [entry.before.state, entry.after.state, entry.after.reason]),
    [
      ['redeemed', 'claimed', 'in time again'],
      ['redeemed', 'claimed', 'wrong customer'],
    ],
  )
  assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
})
