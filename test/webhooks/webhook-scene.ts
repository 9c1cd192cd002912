// Fixtures for webhooks: a merchant with an event log, a worker that delivers them, and a clock that a test can
// advance.
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { parseConfig } from '../../src/config.ts'
import type { Database } from '../../src/db/database.ts'
import { insertEvents, type NewEvent } from '../../src/events/event-pages.ts'
import { makeLog } from '../../src/log.ts'
import type { Merchant } from '../../src/merchants/merchants.ts'
import { readProgress, type WebhookProgress } from '../../src/webhooks/webhook-cursors.ts'
import { WebhookWorker, type WorkerOptions } from '../../src/webhooks/sending/webhook-worker.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import type { Webhook, WebhookSettings } from '../../src/webhooks/webhooks.ts'
import type { Received } from '../scenes/receivers.ts'
import { numberAllPages } from '../scenes/event-scene.ts'
import { type Answer, defer, type Lifetime, times } from '../scenes/scene.ts'

export const loopback = { allowHttp: true, allowedNetworks: ['127.0.0.0/8'] }

/** A clock that advances only when a test advances it. */
export class Clock {
  #time = Date.now()
  readonly now = (): Date => new Date(this.#time)
  advance(seconds: number): void {
    this.#time += seconds * 1000
  }
}

export async function makeWebhook(
  db: Database,
  merchant: Merchant,
  settings: Partial<WebhookSettings> & { url: string },
): Promise<Webhook> {
  const { merchantId } = merchant
  // The events from creating the merchant come before the cursor and are not sent.
  await recordEvents(db, [])
  return createWebhook(db, {
    description: '',
    types: null,
    ...settings,
    merchantId,
    rules: loopback,
    now: new Date(),
  })
}

export type Worker = { worker: WebhookWorker; nudge: (merchantIds: readonly number[]) => void }

/** A running worker. `nudge` notifies it of new events, like the sequencer of its process. */
export function makeWorker(t: Lifetime, db: Database, change: Partial<WorkerOptions> = {}): Worker {
  const listeners = new Set<(merchantIds: readonly number[]) => void>()
  const worker = new WebhookWorker({
    db,
    log: makeLog('error'),
    now: () => new Date(),
    chance: () => 0.5,
    reach: { ...loopback, lookup: async () => ['127.0.0.1'], timeoutMs: 60_000 },
    concurrency: 16,
    retryPausesSeconds: parseConfig({}).webhooks.retryPausesSeconds,
    onSent: () => undefined,
    attemptDays: 14,
    deadLetterDays: 90,
    onNumbered: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onBacklog: () => undefined,
    ...change,
  })
  worker.start()
  defer(t, () => worker.close(1_000))
  return {
    worker,
    nudge: (merchantIds) => {
      for (const listener of listeners) listener(merchantIds)
    },
  }
}

/** Events as a play would write them, in the log and numbered. */
export async function recordEvents(db: Database, events: readonly NewEvent[]): Promise<void> {
  for (let start = 0; start < events.length; start += 1_000)
    await db.transaction((tx) => insertEvents(tx, events.slice(start, start + 1_000)))
  await numberAllPages(db)
}

/** `count` events, over `players` players in turn. */
export function grants(merchantId: number, count: number, players = count): NewEvent[] {
  return times(count, (index) => ({
    merchantId,
    shard: 0,
    type: 'spins.granted' as const,
    at: new Date(),
    data: {
      playerId: `player-${index % players}`,
      amount: 1,
      kind: 'grant' as const,
      oldBalance: index,
      newBalance: index + 1,
      idempotencyKey: null,
      reason: null,
    },
  }))
}

export async function progressOf(db: Database, webhook: Webhook): Promise<WebhookProgress> {
  const progress = (await readProgress(db, [webhook.webhookNo])).get(webhook.webhookNo)
  if (progress === undefined) throw new Error('the webhook has no cursor')
  return progress
}

/** The number of distinct events received. */
export function distinctIn(received: readonly Received[]): number {
  return new Set(received.map((one) => one.headers['webhook-id'])).size
}

export type SentEvent = { id: string; seq: number; type: string; data: { playerId: string } }

export function eventIn(received: Received): SentEvent {
  return JSON.parse(received.body) as SentEvent
}

/** Fails unless the public library accepts the signature. */
export function verify(received: Received, secret: string): SentEvent {
  return new StandardWebhook(secret).verify(
    received.body,
    received.headers as Record<string, string>,
  ) as SentEvent
}

/** Calls the webhook endpoints of the API. */
export async function callWebhooks(
  url: string,
  token: string,
  request: { method: string; path: string; body?: unknown; headers?: object | undefined },
): Promise<Answer> {
  const { method, path, body, headers } = request
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
  const response = await fetch(`${url}/api/v1/webhooks${path}`, {
    method,
    headers: { Authorization: token, ...type, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: JSON.parse(text) as Answer['body'] }
}
