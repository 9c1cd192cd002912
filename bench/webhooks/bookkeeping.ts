import { randomUUID } from 'node:crypto'
import { scanEvents } from '../../src/events/event-log.ts'
import { healthy } from '../../src/webhooks/sending/health.ts'
import { recordResults } from '../../src/webhooks/sending/record-results.ts'
import { claimCursors } from '../../src/webhooks/webhook-cursors.ts'
import type { Postgres } from '../scene/postgres.ts'
import { childrenMicros } from '../scene/server-process.ts'
import { addWebhook, fillLog, makeScene } from './scene.ts'

/** The rate of the bookkeeping alone, without HTTP: reading the log, recording attempts, moving the cursor. */
export async function measureBookkeeping(postgres: Postgres, events: number) {
  const scene = await makeScene(postgres, 'webhook_bookkeeping')
  const { db } = scene
  const { webhookNo, merchantId } = await addWebhook(scene, 'http://127.0.0.1:1024/')
  await fillLog(scene, events, 1_000)
  const owner = randomUUID()
  const now = new Date()
  const lease = { owner, now, latestAt: now, milliseconds: 3_600_000, quick: 1, slow: 0, perMerchant: 1 }
  const [cursor] = await claimCursors(db, lease)
  const before = childrenMicros(postgres.pid) ?? 0
  const startedAt = performance.now()
  for (let after = cursor?.cursorSeq ?? 0; ;) {
    const stretch = await scanEvents(db, { merchantId, after, limit: 500 })
    if (stretch.next === after) break
    after = stretch.next
    const at = new Date()
    const headers = { 'content-type': 'text/plain', 'content-length': '2', server: 'nginx' }
    const seen = { at, tookMs: 1, status: 200, fault: null, excerpt: 'ok', headers }
    const attempts = stretch.events.map(({ seq, id, type }) => ({
      webhookNo,
      seq,
      eventId: id,
      eventType: type,
      ...seen,
    }))
    const results = { attempts, takenSeqs: [], deliveries: [], disabledReason: undefined }
    await recordResults(
      db,
      { ...results, cursor: { ...healthy, webhookNo, cursorSeq: after } },
      { owner, now: at },
    )
  }
  const seconds = (performance.now() - startedAt) / 1000
  const micros = ((childrenMicros(postgres.pid) ?? 0) - before) / events
  console.log(
    `Bookkeeping alone, one connection, every attempt recorded: ${Math.round(events / seconds)} events/s, database ${micros.toFixed(0)} µs per event`,
  )
  await db.close()
}
