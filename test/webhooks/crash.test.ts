import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteOldEvents } from '../../src/events/retention.ts'
import { firstKeptSeq, lastSeq } from '../../src/events/event-log.ts'
import { firstUnsentSeq } from '../../src/webhooks/webhook-cursors.ts'
import { countDeliveries } from '../../src/webhooks/webhook-deliveries.ts'
import { pauseWebhook, resumeWebhook } from '../../src/webhooks/webhooks.ts'
import { makeRawReceiver, makeReceiver } from '../scenes/receivers.ts'
import {
  databaseUrl,
  makeDatabase,
  makeMerchant,
  post,
  type ServerProcess,
  spawnServer,
  times,
  until,
} from '../scenes/scene.ts'
import { runsAll } from '../scenes/selection.ts'
import { makeLog } from '../../src/log.ts'
import { grants, makeWebhook, makeWorker, progressOf, recordEvents } from './webhook-scene.ts'

const silent = makeLog('silent')

const pageTimeoutMs = 240_000

type Granted = { type: string; data: { idempotencyKey: string | null } }

test('servers killed with -9 during delivery lose no event, and no event arrives under a second id', async (t) => {
  const { db, target } = await makeDatabase(t)
  const { merchant, token } = await makeMerchant(db)
  const receiver = await makeReceiver(t)
  const hanging = await makeRawReceiver(t, () => undefined)
  const webhook = await makeWebhook(db, merchant, { url: receiver.url })
  await makeWebhook(db, merchant, { url: hanging.url })
  const env = {
    DATABASE_URL: databaseUrl(target),
    WEBHOOK_ALLOW_HTTP: 'on',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEBHOOK_TIMEOUT_SECONDS: '2',
  }
  const servers = await Promise.all([spawnServer(t, env), spawnServer(t, env)])
  const kills = runsAll ? 4 : 2
  const total = 750 * kills
  const acknowledged = new Set<string>()
  let next = 0

  async function grantUntilAcknowledged(key: string, serverNo: number): Promise<void> {
    for (let tries = 0; !acknowledged.has(key); tries++) {
      const { url } = servers[(serverNo + tries) % servers.length] as ServerProcess
      const body = { playerId: `player-${key}`.slice(0, 10), spinNumber: 1 }
      const answer = await post(`${url}/api/player/increaseSpin`, token, body, {
        'Idempotency-Key': key,
      }).catch(() => undefined)
      if (answer?.status === 200) acknowledged.add(key)
      else await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const clients = times(16, async (client) => {
    for (let number = next++; number < total; number = next++)
      await grantUntilAcknowledged(`k${number}`, client)
  })
  for (const round of times(kills, (index) => index + 1)) {
    await until(
      () => acknowledged.size > round * 500 && receiver.received.length > round * 200,
      pageTimeoutMs,
    )
    const victim = round % 2
    servers[victim]?.child.kill('SIGKILL')
    await servers[victim]?.stopped
    servers[victim] = await spawnServer(t, env)
  }
  await Promise.all(clients)

  const keysOf = () => {
    const idsOfKey = new Map<string, Set<string>>()
    for (const { body, headers } of receiver.received) {
      const { type, data } = JSON.parse(body) as Granted
      if (type !== 'spins.granted' || data.idempotencyKey === null) continue
      const ids = idsOfKey.get(data.idempotencyKey) ?? new Set()
      idsOfKey.set(data.idempotencyKey, ids.add(headers['webhook-id'] ?? ''))
    }
    return idsOfKey
  }
  await until(() => keysOf().size === total, pageTimeoutMs)
  assert.ok([...keysOf().values()].every((ids) => ids.size === 1))
  await until(async () => (await progressOf(db, webhook)).lag === 0, pageTimeoutMs)
  const deliveries = () => countDeliveries(db, webhook.webhookNo, 10)
  // A busy machine may still wait to repeat some.
  await until(async () => (await deliveries()).waiting === 0, pageTimeoutMs)
  assert.equal((await deliveries()).dead, 0)
  for (const server of servers) {
    server.child.kill('SIGTERM')
    await server.stopped
    assert.equal(server.child.exitCode, 0, server.output())
  }
})

test('pending deliveries outlive the retention of the log, but not twice its length', async (t) => {
  const { db } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db)
  const { merchantId } = merchant
  const receiver = await makeReceiver(t)
  const webhook = await makeWebhook(db, merchant, { url: receiver.url })
  await pauseWebhook(db, webhook, new Date())
  await recordEvents(db, grants(merchantId, 100))
  const first = (await progressOf(db, webhook)).cursorSeq + 1
  const days = (count: number) => new Date(Date.now() + count * 86_400_000)
  await deleteOldEvents(db, { before: days(1), beforeAtLast: days(-30), heldFrom: firstUnsentSeq })
  assert.ok((await firstKeptSeq(db, merchantId)) <= first)
  await resumeWebhook(db, webhook)
  const { worker } = makeWorker(t, db)
  await until(() => receiver.received.length === 100)
  await worker.close(1_000)

  // After twice the retention, a webhook that was not resumed continues with the events that are left.
  await pauseWebhook(db, webhook, new Date())
  await recordEvents(db, grants(merchantId, 700))
  await deleteOldEvents(db, { before: days(1), beforeAtLast: days(1), heldFrom: firstUnsentSeq })
  assert.equal(await firstKeptSeq(db, merchantId), (await lastSeq(db, merchantId)) + 1)
  await recordEvents(db, grants(merchantId, 3))
  await resumeWebhook(db, webhook)
  makeWorker(t, db, { log: silent })
  await until(() => receiver.received.length === 103)
  await until(async () => (await progressOf(db, webhook)).lag === 0)
})
