import { type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { lockCampaigns } from '../campaigns/campaigns.ts'
import type { Database, Transaction } from '../db/database.ts'
import { findTestMerchant, insertTestMerchant, type Merchant } from '../merchants/merchants.ts'
import { Refusal } from '../refusals.ts'
import { isTest, testPrefix } from '../test-clock.ts'
import { copySetup } from './copy-setup.ts'

/** The test merchant of a live merchant. It is created if there is none, with copies of wheels, campaigns and settings. */
export async function openTestMerchant(db: Database, live: Merchant, cause: Cause): Promise<Merchant> {
  return db.transaction((tx) => openInTransaction(tx, live, cause))
}

export async function openInTransaction(tx: Transaction, live: Merchant, cause: Cause): Promise<Merchant> {
  if (isTest(live)) throw new Refusal('live_merchant_needed')
  const { merchantId, slug } = live
  await lockCampaigns(tx, merchantId)
  const existing = await findTestMerchant(tx, merchantId)
  if (existing !== undefined) return existing
  const made = await insertTestMerchant(tx, live, cause.now)
  if (made === undefined)
    throw new Refusal('merchant_exists', {
      detail: `There is already a live merchant with the id "${testPrefix}${slug}".`,
    })
  await copySetup(tx, { from: live, to: made, now: cause.now })
  const subject = { kind: 'merchant', id: made.slug }
  await recordChanges(tx, [{ merchantId, action: 'test_merchant.create', subject }], cause)
  return made
}
