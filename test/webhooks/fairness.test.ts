import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { type Database, statement } from '../../src/db/database.ts'
import { webhooksServedPerMerchantMax } from '../../src/limits.ts'
import { setSuspension } from '../../src/merchants/merchants.ts'
import { claimCursors } from '../../src/webhooks/webhook-cursors.ts'
import { changeWebhook, deleteWebhook, pauseWebhook, type Webhook } from '../../src/webhooks/webhooks.ts'
import { makeReceiver } from '../scenes/receivers.ts'
import { makeDatabase, makeMerchant, times, until } from '../scenes/scene.ts'
import {
  distinctIn,
  grants,
  loopback,
  makeWebhook,
  makeWorker,
  progressOf,
  recordEvents,
} from './webhook-scene.ts'
import { onLanding } from '../scenes/selection.ts'

const makeSlow = statement('update webhook_cursors set slow_until = $2 where webhook_no = any($1::int[])')

/** A merchant with this many webhooks at one address, each with events to send. */
async function makeWebhooks(db: Database, url: string, count: number): Promise<Webhook[]> {
  const { merchant } = await makeMerchant(db)
  const webhooks = []
  for (let made = 0; made < count; made++) webhooks.push(await makeWebhook(db, merchant, { url }))
  await recordEvents(db, grants(merchant.merchantId, 40))
  return webhooks
}

test('hanging receivers of many merchants do not delay a healthy one', async (t) => {
  const { db } = await makeDatabase(t)
  const hanging = await makeReceiver(t, () => undefined)
  for (let merchants = 0; merchants < 6; merchants++) await makeWebhooks(db, hanging.url, 25)
  const { worker } = makeWorker(t, db)
  await until(() => worker.servingCount >= 100)
  const { merchant } = await makeMerchant(db)
  const healthy = await makeReceiver(t)
  const webhook = await makeWebhook(db, merchant, { url: healthy.url })
  await recordEvents(db, grants(merchant.merchantId, 60))
  await until(() => distinctIn(healthy.received) === 60)
  await until(async () => (await progressOf(db, webhook)).lag === 0)
})

test('slow webhooks take turns, so that each of them sends', async (t) => {
  const { db } = await makeDatabase(t)
  const seen = new Set<string>()
  const slow = await makeReceiver(t, (_, response, request) => {
    seen.add(String(request.url))
    setTimeout(() => response.end(), 2_500)
  })
  const { merchant } = await makeMerchant(db)
  const count = webhooksServedPerMerchantMax + 10
  for (let made = 0; made < count; made++) await makeWebhook(db, merchant, { url: `${slow.url}/${made}` })
  await recordEvents(db, grants(merchant.merchantId, 200, 1))
  makeWorker(t, db)
  await until(() => seen.size === count)
})

describe('worker slots are assigned', () => {
  const claimOf = (owner: string, quick: number, slow = 0) => ({
    owner,
    milliseconds: 60_000,
    now: new Date(),
    latestAt: new Date(Date.now() + 86_400_000),
    quick,
    slow,
    perMerchant: webhooksServedPerMerchantMax,
  })

  test('to each merchant in turn, whatever the order and number of its webhooks', async (t) => {
    const { db } = await makeDatabase(t)
    const [many, few] = [await makeWebhooks(db, 'http://127.0.0.1:1024/', 30), []] as [Webhook[], Webhook[]]
    for (const count of [1, 2]) few.push(...(await makeWebhooks(db, 'http://127.0.0.1:1024/', count)))
    const claimed = await claimCursors(db, claimOf(randomUUID(), 6))
    const taken = new Set(claimed.map(({ webhookNo }) => webhookNo))
    assert.deepEqual([taken.size, few.every(({ webhookNo }) => taken.has(webhookNo))], [6, true])
    assert.equal(many.filter(({ webhookNo }) => taken.has(webhookNo)).length, 3)
  })

  test('up to a limit per merchant, counted over all claims of a process', async (t) => {
    const { db } = await makeDatabase(t)
    await makeWebhooks(db, 'http://127.0.0.1:1024/', webhooksServedPerMerchantMax + 10)
    const [one, other] = [randomUUID(), randomUUID()]
    const sizes = []
    for (const owner of [one, one, one, other])
      sizes.push((await claimCursors(db, claimOf(owner, 15))).length)
    assert.deepEqual(sizes, [15, webhooksServedPerMerchantMax - 15, 0, 10])
  })

  test('to slow webhooks separately from the others', async (t) => {
    const { db } = await makeDatabase(t)
    const webhooks = await makeWebhooks(db, 'http://127.0.0.1:1024/', 6)
    const slowNos = webhooks.slice(0, 4).map(({ webhookNo }) => webhookNo)
    await db.query(makeSlow, [slowNos, new Date(Date.now() + 60_000)])
    const quick = await claimCursors(db, claimOf(randomUUID(), 6, 0))
    assert.deepEqual(new Set(quick.map(({ webhookNo }) => webhookNo)).size, 2)
    assert.ok(quick.every(({ webhookNo }) => !slowNos.includes(webhookNo)))
    const slow = await claimCursors(db, claimOf(randomUUID(), 6, 3))
    assert.equal(slow.length, 3)
  })
})

describe('a busy sender stops when', () => {
  const stops: Record<string, (db: Database, webhook: Webhook) => Promise<unknown>> = {
    'its merchant is suspended': (db, webhook) => setSuspension(db, webhook.merchant, new Date()),
    'its webhook is paused': (db, webhook) => pauseWebhook(db, webhook, new Date()),
    'its webhook is deleted': (db, webhook) => deleteWebhook(db, webhook, new Date()),
    'its address changes': (db, webhook) =>
      changeWebhook(db, webhook, { url: 'http://127.0.0.1:1024/', rules: loopback }),
  }
  for (const [what, stop] of Object.entries(stops)) {
    test(what, async (t) => {
      const { db } = await makeDatabase(t)
      const { merchant } = await makeMerchant(db)
      const receiver = await makeReceiver(t, (_, response) => {
        setTimeout(() => response.end(), 20)
      })
      const webhook = await makeWebhook(db, merchant, { url: receiver.url })
      const count = 1_500
      await recordEvents(db, grants(merchant.merchantId, count, 1))
      const { worker } = makeWorker(t, db)
      await until(() => receiver.received.length >= 20)
      await stop(db, webhook)
      const stoppedAt = performance.now()
      await until(() => worker.servingCount === 0)
      const last = receiver.received.at(-1)?.at ?? 0
      assert.ok(last - stoppedAt < 5_000, `the last delivery came ${last - stoppedAt} ms later`)
      assert.ok(receiver.received.length < count)
    })
  }
})

test('more healthy webhooks than worker slots are all served', onLanding, async (t) => {
  const { db } = await makeDatabase(t)
  const receiver = await makeReceiver(t)
  const { merchant } = await makeMerchant(db)
  const webhooks = await Promise.all(
    times(webhooksServedPerMerchantMax + 5, () => makeWebhook(db, merchant, { url: receiver.url })),
  )
  makeWorker(t, db)
  await recordEvents(db, grants(merchant.merchantId, 100))
  await until(() => receiver.received.length >= 100 * webhooks.length)
  await until(async () => {
    const all = await Promise.all(webhooks.map((webhook) => progressOf(db, webhook)))
    return all.every(({ lag }) => lag === 0)
  })
  assert.equal(distinctIn(receiver.received), 100)
  assert.equal(receiver.received.length, 100 * webhooks.length)
})
