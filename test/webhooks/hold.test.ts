import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendTest } from '../../src/webhooks/sending/send-test.ts'
import { makeReceiver } from '../scenes/receivers.ts'
import { makeDatabase, makeMerchant, until } from '../scenes/scene.ts'
import {
  Clock,
  eventIn,
  grants,
  loopback,
  makeWebhook,
  makeWorker,
  progressOf,
  recordEvents,
} from './webhook-scene.ts'

test('a webhook that is held after failures gets the waiting events after a successful test', async (t) => {
  const { db } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db)
  const clock = new Clock()
  let isDown = true
  const receiver = await makeReceiver(t, (_, response) => response.writeHead(isDown ? 500 : 200).end())
  const webhook = await makeWebhook(db, merchant, { url: receiver.url })
  makeWorker(t, db, { now: clock.now })
  await recordEvents(db, grants(merchant.merchantId, 100, 50))
  await until(async () => ((await progressOf(db, webhook)).heldUntil ?? 0) > clock.now())
  const reach = { ...loopback, lookup: async () => ['127.0.0.1'], timeoutMs: 60_000 }
  const sendOne = () => sendTest(db, webhook, { reach, now: clock.now() })
  assert.equal((await sendOne()).isDelivered, false)
  assert.notEqual((await progressOf(db, webhook)).heldUntil, null)
  isDown = false
  const failed = receiver.received.length
  // The clock stands still: nothing but a test ends the hold. A request that was under way may have begun it once more.
  await until(async () => {
    assert.equal((await sendOne()).isDelivered, true)
    const events = receiver.received.slice(failed).map(eventIn)
    return new Set(events.filter(({ type }) => type !== 'webhook.test').map(({ id }) => id)).size > 50
  })
})
