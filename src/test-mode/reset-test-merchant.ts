import { type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { lockCampaigns } from '../campaigns/campaigns.ts'
import type { Database } from '../db/database.ts'
import { settingsOf } from '../merchants/change-settings.ts'
import {
  insertTestMerchant,
  type Merchant,
  replaceTestMerchant,
  requireTestMerchant,
  setSettings,
} from '../merchants/merchants.ts'
import { moveTokens } from '../merchants/service-tokens.ts'
import { Refusal } from '../refusals.ts'
import { copyWebhooks } from '../webhooks/copy-webhooks.ts'
import { copySetup } from './copy-setup.ts'

/**
 * Replaces a test merchant by a fresh one with the same id, whose clock shows the real time. Settings, wheels,
 * campaigns, webhooks and tokens are as they were. Players, stock, codes and events begin anew. Nothing of the old
 * ledger is deleted.
 */
export async function resetTestMerchant(
  { db, now }: { db: Database; now: () => Date },
  { testOf, testName }: Pick<Merchant, 'testOf' | 'testName'>,
  cause: Cause,
): Promise<Merchant> {
  if (testOf === null) throw new Refusal('test_merchant_needed')
  return db.transaction(async (tx) => {
    await lockCampaigns(tx, testOf)
    const old = await requireTestMerchant(tx, { testOf, testName })
    const realTime = now()
    await replaceTestMerchant(tx, old.merchantId, realTime)
    const made = await insertTestMerchant(tx, { testOf, testName }, realTime)
    if (made === undefined) throw new Error('the id of the replaced test merchant is not free')
    const { merchantId, slug } = made
    const merchant = await setSettings(tx, slug, settingsOf(old))
    await copySetup(tx, { from: old, to: merchant, now: realTime })
    await copyWebhooks(tx, { from: old.merchantId, to: merchantId, now: realTime })
    await moveTokens(tx, old.merchantId, merchantId)
    const subject = { kind: 'merchant', id: slug }
    const change = { merchantId, action: 'test_merchant.reset', subject }
    await recordChanges(tx, [change], { ...cause, now: realTime })
    return merchant
  })
}
