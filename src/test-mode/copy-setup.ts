import { isMain, mainCampaign } from '../campaign-ref.ts'
import type { Campaign } from '../campaigns/campaign.ts'
import { insertCampaign, listCampaigns, updateCampaign } from '../campaigns/campaigns.ts'
import type { Queryable } from '../db/database.ts'
import { liveCampaignsMax, sampleCodesPerPool } from '../limits.ts'
import { type Merchant, setWheelOfMerchant } from '../merchants/merchants.ts'
import { copyMessages } from '../messages/message-settings.ts'
import { addCodes, readPools } from '../stock/code-pools.ts'
import { copyWheel, listWheels } from '../wheels/wheels.ts'

/**
 * Copies wheels, campaigns, messages and code pools to a new test merchant. Stock is full again. Codes are samples: a
 * code of a live merchant has a value, and must not be given out in a test.
 */
export async function copySetup(
  tx: Queryable,
  { from, to, now }: { from: Merchant; to: Merchant; now: Date },
): Promise<void> {
  const target = { merchantId: to.merchantId, now }
  for (const { pool } of await readPools(tx, from.merchantId))
    await addCodes(tx, { merchantId: to.merchantId, pool }, sampleCodes(pool), now)
  const wheels = new Map<string, number>()
  for (const wheel of await listWheels(tx, from.merchantId))
    wheels.set(wheel.slug, await copyWheel(tx, wheel, target))
  const page = { after: '', limit: liveCampaignsMax, isArchived: false }
  const campaigns = await listCampaigns(tx, from.merchantId, page)
  // The campaign that a purse was made for comes before those that share it.
  for (const campaign of campaigns.toSorted(
    (one, other) => Number(isSharing(one)) - Number(isSharing(other)),
  )) {
    const copy = { ...campaign, ...target, wheelId: wheels.get(campaign.wheel) as number }
    const purseId = isSharing(campaign) ? await purseOf(tx, to.merchantId, campaign.purse) : null
    await (isMain(campaign) ? copyMain(tx, copy) : insertCampaign(tx, { ...copy, purseId }))
  }
  await copyMessages(tx, { from: from.merchantId, to: to.merchantId, now })
}

/** The test merchant has its own `main`, which only gets the settings, if they were ever changed. */
async function copyMain(tx: Queryable, copy: Campaign): Promise<void> {
  await setWheelOfMerchant(tx, copy.merchantId, copy.wheelId)
  if (copy.revision > 0) await updateCampaign(tx, copy)
}

function isSharing({ slug, purse }: Campaign): boolean {
  return purse !== slug
}

/** A purse that was made for a campaign that is archived by now is replaced by that of `main`. */
async function purseOf(tx: Queryable, merchantId: number, purse: string): Promise<number> {
  const all = await listCampaigns(tx, merchantId, { after: '', limit: liveCampaignsMax, isArchived: false })
  return (all.find(({ slug }) => slug === purse) ?? mainCampaign).purseId
}

function sampleCodes(pool: string): string[] {
  return Array.from({ length: sampleCodesPerPool }, (_, index) => `TEST-${pool}-${index + 1}`.toUpperCase())
}
