import { type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { lockCampaigns } from '../campaigns/campaigns.ts'
import type { Database, Transaction } from '../db/database.ts'
import {
  insertTestMerchant,
  listTestMerchants,
  type Merchant,
  replaceTestMerchant,
  requireTestMerchant,
  type TestMerchantName,
  testSlug,
} from '../merchants/merchants.ts'
import { testMerchantsMax } from '../limits.ts'
import { Refusal } from '../refusals.ts'
import { isTest } from '../test-clock.ts'
import { copySetup } from './copy-setup.ts'

/**
 * A test merchant of a live merchant: the one with this name, or the one without. It is created if there is none, with
 * copies of wheels, campaigns and settings.
 */
export async function openTestMerchant(
  db: Database,
  order: { live: Merchant; testName: string | null },
  cause: Cause,
): Promise<Merchant> {
  return db.transaction((tx) => openInTransaction(tx, order, cause))
}

export async function openInTransaction(
  tx: Transaction,
  { live, testName }: { live: Merchant; testName: string | null },
  cause: Cause,
): Promise<Merchant> {
  if (isTest(live)) throw new Refusal('live_merchant_needed')
  const { merchantId, slug } = live
  await lockCampaigns(tx, merchantId)
  const existing = await listTestMerchants(tx, merchantId)
  const found = existing.find((one) => one.testName === testName)
  if (found !== undefined) return found
  if (existing.length >= testMerchantsMax) throw new Refusal('test_merchant_limit_reached')
  const made = await insertTestMerchant(tx, { testOf: merchantId, testName }, cause.now)
  if (made === undefined)
    throw new Refusal('merchant_exists', {
      detail: `There is already a live merchant with the id "${testSlug(slug, testName)}".`,
    })
  await copySetup(tx, { from: live, to: made, now: cause.now })
  const subject = { kind: 'merchant', id: made.slug }
  await recordChanges(tx, [{ merchantId, action: 'test_merchant.create', subject }], cause)
  return made
}

/** Puts a test merchant out of use. Its tokens, links and webhooks end; its ledger is kept. */
export async function removeTestMerchant(
  db: Database,
  name: TestMerchantName,
  cause: Cause,
): Promise<Merchant> {
  const merchantId = name.testOf
  return db.transaction(async (tx) => {
    await lockCampaigns(tx, merchantId)
    const found = await requireTestMerchant(tx, name)
    await replaceTestMerchant(tx, found.merchantId, cause.now)
    const subject = { kind: 'merchant', id: found.slug }
    await recordChanges(tx, [{ merchantId, action: 'test_merchant.remove', subject }], cause)
    return found
  })
}
