// Shared by the webhook measurements: a database with a merchant, and receivers.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { rotateSigningKeys } from '../../src/crypto/signing-keys.ts'
import { Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { insertEvents, type NewEvent } from '../../src/events/event-pages.ts'
import { numberNextPages } from '../../src/events/sequencer.ts'
import type { Merchant } from '../../src/merchants/merchants.ts'
import { issueToken } from '../../src/merchants/service-tokens.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import type { Webhook } from '../../src/webhooks/webhooks.ts'
import { createMerchant } from '../../src/merchants/create-merchant.ts'
import { databaseUrl, type Postgres } from '../scene/postgres.ts'
import type { Report } from './receiver.ts'

export const program = join(import.meta.dirname, '../../bin/wheelhouse')
const rules = { allowHttp: true, allowedNetworks: ['127.0.0.0/8'] }

export type Scene = {
  db: Database
  merchant: Merchant
  token: string
  /** The settings of a server on this database. */
  env: Record<string, string>
}

export async function makeScene(postgres: Postgres, name: string): Promise<Scene> {
  const target = await postgres.createDatabase(name)
  const db = new Database({
    targets: [target],
    poolMax: 5,
    pooler: false,
    statementTimeoutMs: 60_000,
    lockTimeoutMs: 10_000,
    idleInTransactionTimeoutMs: 60_000,
    applicationName: 'bench',
    onConnectionError: () => undefined,
  })
  await migrate(db)
  const now = new Date()
  for (const purpose of ['links', 'seeds'] as const) await rotateSigningKeys(db, purpose, now)
  const merchant = await createMerchant(db, { slug: 'bench', name: 'Bench', now })
  const scopes = ['spins', 'links', 'manage'] as const
  const token = await issueToken(db, merchant, { name: 'bench', scopes, expiresAt: null, now })
  const env = {
    DATABASE_URL: databaseUrl(target),
    METRICS_ADDRESS: 'off',
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_SECOND: '1000000',
    WEBHOOK_ALLOW_HTTP: 'on',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  }
  return { db, merchant, token, env }
}

type ReceiverProcess = {
  url: string
  ask: (what: 'report' | 'keys') => Promise<Report>
  stop: () => void
}

export async function startReceiver(...args: string[]): Promise<ReceiverProcess> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'receiver.ts'), args)
  const [port] = (await once(child, 'message')) as [number]
  return {
    url: `http://127.0.0.1:${port}/hook`,
    ask: async (what) => {
      const answer = once(child, 'message')
      child.send(what)
      return (await answer)[0] as Report
    },
    stop: () => child.disconnect(),
  }
}

export async function addWebhook({ db, merchant }: Scene, url: string): Promise<Webhook> {
  const { merchantId } = merchant
  return createWebhook(db, { url, description: '', types: null, merchantId, rules, now: new Date() })
}

/** Fills the log with grants to players in turn, a thousand per transaction. */
export async function fillLog({ db, merchant }: Scene, count: number, players: number): Promise<void> {
  for (let start = 0; start < count; start += 1_000) {
    const size = Math.min(1_000, count - start)
    const events = Array.from({ length: size }, (_, index) =>
      grant(merchant.merchantId, start + index, players),
    )
    await db.transaction((tx) => insertEvents(tx, events))
  }
  while ((await numberNextPages(db)).pages > 0);
}

function grant(merchantId: number, index: number, players: number): NewEvent {
  const balance = { oldBalance: index, newBalance: index + 1 }
  const data = { playerId: `player-${index % players}`, amount: 1, kind: 'grant' as const, ...balance }
  const key = { idempotencyKey: `order-${index}`, reason: null }
  return { merchantId, shard: 0, type: 'spins.granted', at: new Date(), data: { ...data, ...key } }
}
