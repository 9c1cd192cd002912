import { rotateSigningKeys } from '../../src/crypto/signing-keys.ts'
import { Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { createMerchant } from '../../src/merchants/create-merchant.ts'
import type { Merchant } from '../../src/merchants/merchants.ts'
import { issueToken } from '../../src/merchants/service-tokens.ts'
import type { DatabaseTarget } from '../../src/settings/database-url.ts'
import type { WheelDocument } from '../../src/wheel-document/wheel-document.ts'
import { findWheel, publishWheel, saveDraft } from '../../src/wheels/wheels.ts'

/** A new database with a merchant whose rows are then written straight into the tables. */
export async function makeBusyMerchant(target: DatabaseTarget, { days }: { days: number }) {
  const db = new Database({
    targets: [target],
    poolMax: 4,
    pooler: false,
    statementTimeoutMs: 600_000,
    lockTimeoutMs: 10_000,
    idleInTransactionTimeoutMs: 600_000,
    applicationName: 'bench',
    onConnectionError: () => undefined,
  })
  await migrate(db)
  await rotateSigningKeys(db, 'links', new Date())
  const seedKeyId = await rotateSigningKeys(db, 'seeds', new Date())
  const now = new Date(Date.now() - days * 86_400_000)
  const merchant = await createMerchant(db, { slug: 'big', name: 'Big', now })
  const token = await issueToken(db, merchant, { name: 'bench', scopes: ['manage'], expiresAt: null, now })
  return { db, merchant, now, seedKeyId, token }
}

/** Publishes a wheel and returns its number. */
export async function makeWheel(
  { db, merchant: { merchantId }, now }: { db: Database; merchant: Merchant; now: Date },
  slug: string,
  draft: WheelDocument,
): Promise<number> {
  await saveDraft(db, { merchantId, slug, draft, revision: undefined, now })
  await publishWheel(db, { merchantId, slug, now })
  return (await findWheel(db, merchantId, slug)).wheelId
}

export async function timed(what: string, work: () => Promise<void>): Promise<void> {
  const start = performance.now()
  await work()
  console.log(`  ${what}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
}
