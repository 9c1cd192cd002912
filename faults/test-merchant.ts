import { Database } from '../src/db/database.ts'
import { DatabaseFailure } from '../src/db/database-fault.ts'
import { parseDatabaseUrl } from '../src/settings/database-url.ts'
import { issueToken } from '../src/merchants/service-tokens.ts'
import { uploadCodes } from '../src/stock/code-pools.ts'
import { createWebhook } from '../src/webhooks/create-webhook.ts'
import { defaultWheel, type WheelDocument } from '../src/wheel-document/wheel-document.ts'
import { createMerchant } from '../src/merchants/create-merchant.ts'
import { publishWheel, saveDraft } from '../src/wheels/wheels.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { Receiver } from './listeners.ts'
import type { TestMerchant } from './load.ts'
import type { Scene } from './scene.ts'

export const hotStock = 40
const codeCount = 400

/** Creates a round's merchant, with a wheel of limited prizes, a pool of codes, a token and a webhook. */
export async function createTestMerchant(
  scene: Scene,
  receiver: Receiver,
  random: SeededRandom,
  wheel: (now: Date) => WheelDocument = () => wheelOf(hotStock),
): Promise<{ merchant: TestMerchant; webhookId: string; webhookFrom: number }> {
  return withDatabase(scene, (db) =>
    repeated(async () => {
      const now = new Date()
      const merchant = await insertMerchant(db, random, now)
      const { merchantId } = merchant
      const codes = Array.from({ length: codeCount }, (_, place) => `CODE-${place}`)
      await uploadCodes(db, { merchantId, pool: 'codes' }, codes, now)
      await publish(db, merchantId, wheel(now), now)
      const nextSeq = await untilNumbered(scene, merchantId)
      const rules = { allowHttp: true, allowedNetworks: ['127.0.0.0/8'] }
      const order = { merchantId, rules, now, url: receiver.url, description: '', types: null }
      const webhook = await createWebhook(db, order)
      receiver.secret = webhook.secret
      return { merchant, webhookId: webhook.webhookId, webhookFrom: nextSeq }
    }),
  )
}

/** On a cluster it may be cancelled, while the servers that have just started add partitions. */
async function repeated<T>(create: () => Promise<T>): Promise<T> {
  for (let triesLeft = 5; ; triesLeft--) {
    try {
      return await create()
    } catch (error) {
      const isPassing = error instanceof DatabaseFailure && error.isPassing
      if (!isPassing || triesLeft === 0) throw error
    }
  }
}

/** Another merchant, which the judge of a round does not look at. On its wheel there is nothing to win. */
export async function createOtherMerchant(scene: Scene, random: SeededRandom): Promise<TestMerchant> {
  return withDatabase(scene, async (db) => {
    const now = new Date()
    const merchant = await insertMerchant(db, random, now)
    const color = '#336699'
    const nothing = { label: 'Nothing', color, weight: 1, prize: { kind: 'none' } } as const
    const segments = ['one', 'two'].map((id) => ({ id, ...nothing }))
    await publish(db, merchant.merchantId, { ...defaultWheel, fallback: 'one', segments }, now)
    return merchant
  })
}

async function insertMerchant(db: Database, random: SeededRandom, now: Date): Promise<TestMerchant> {
  const slug = `faults-${random.hex(6)}`
  const merchant = await createMerchant(db, { slug, name: slug, now })
  const scopes = ['spins', 'links', 'manage'] as const
  const token = await db.transaction((tx) =>
    issueToken(tx, merchant, { name: 'faults', scopes: [...scopes], expiresAt: null, now }),
  )
  return { merchantId: merchant.merchantId, slug, token }
}

async function publish(db: Database, merchantId: number, draft: WheelDocument, now: Date): Promise<void> {
  await saveDraft(db, { merchantId, slug: 'main', draft, revision: undefined, now })
  await publishWheel(db, { merchantId, slug: 'main', now })
}

async function withDatabase<T>(scene: Scene, work: (db: Database) => Promise<T>): Promise<T> {
  const targets = parseDatabaseUrl(scene.postgres.url)
  if (typeof targets === 'string') throw new Error(targets)
  const db = new Database({
    targets,
    poolMax: 2,
    pooler: false,
    statementTimeoutMs: 60_000,
    lockTimeoutMs: 60_000,
    idleInTransactionTimeoutMs: 60_000,
    applicationName: 'faults',
    onConnectionError: () => undefined,
  })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

async function untilNumbered({ postgres }: Scene, merchantId: number): Promise<number> {
  const ask = <Row extends object>(text: string) => postgres.query<Row>(text, [merchantId], 'wheelhouse')
  // One after the other: on a cluster, a statement on both tables has no common snapshot.
  while (
    (await ask('select 1 from event_pages where merchant_id = $1 and first_seq is null limit 1')).length > 0
  )
    await new Promise((resolve) => setTimeout(resolve, 100))
  const [row] = await ask<{ next: number }>(
    'select next_seq::int as next from event_streams where merchant_id = $1',
  )
  return row?.next ?? 1
}

/** Segments: no prize, spins, a prize with a small stock, codes, and a prize that each player can win once. */
export function wheelOf(stock: number, nothingWeight = 40): WheelDocument {
  const color = '#336699'
  return {
    ...defaultWheel,
    fallback: 'nothing',
    segments: [
      { id: 'nothing', label: 'Nothing', color, weight: nothingWeight, prize: { kind: 'none' } },
      { id: 'spins', label: 'Two spins', color, weight: 20, prize: { kind: 'spins', spins: 2 } },
      { id: 'hot', label: 'Mug', color, weight: 15, prize: { kind: 'handover' }, stock },
      { id: 'code', label: 'Code', color, weight: 20, prize: { kind: 'pool', pool: 'codes' } },
      { id: 'once', label: 'Pen', color, weight: 5, prize: { kind: 'handover' }, limitPerPlayer: 1 },
    ],
  }
}
