import type { Campaign } from '../campaigns/campaign.ts'
import { findCampaign, insertCampaign, listCampaigns, updateCampaign } from '../campaigns/campaigns.ts'
import type { Queryable } from '../db/database.ts'
import { liveCampaignsMax, sampleCodesPerPool } from '../limits.ts'
import { type Merchant, setWheelOfMerchant } from '../merchants/merchants.ts'
import { addCodes, readPools } from '../stock/code-pools.ts'
import { copyWheel, listWheels } from '../wheels/wheels.ts'

/**
 * Copies wheels, campaigns and code pools to a new test merchant. Stock is full again. Codes are samples: a code of a live
 * merchant has a value, and must not be given out in a test.
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
  const main = await findCampaign(tx, from.merchantId, 'main')
  const wheelId = wheels.get(main.wheel) as number
  await setWheelOfMerchant(tx, to.merchantId, wheelId)
  if (main.revision > 0) await updateCampaign(tx, { ...main, ...target, wheelId, isMain: true })
  const page = { after: '', limit: liveCampaignsMax, isArchived: false }
  const campaigns = (await listCampaigns(tx, from.merchantId, page)).filter(({ slug }) => slug !== 'main')
  // The campaign that a purse was made for comes before those that share it.
  for (const campaign of campaigns.toSorted(
    (one, other) => Number(isSharing(one)) - Number(isSharing(other)),
  ))
    await insertCampaign(tx, {
      ...campaign,
      ...target,
      wheelId: wheels.get(campaign.wheel) as number,
      purseId: isSharing(campaign) ? await purseOf(tx, to.merchantId, campaign.purse) : null,
    })
}

function isSharing({ slug, purse }: Campaign): boolean {
  return purse !== slug
}

/** A purse that was made for a campaign that is archived by now is replaced by that of `main`. */
async function purseOf(tx: Queryable, merchantId: number, purse: string): Promise<number> {
  const all = await listCampaigns(tx, merchantId, { after: '', limit: liveCampaignsMax, isArchived: false })
  return all.find(({ slug }) => slug === purse)?.purseId ?? 0
}

function sampleCodes(pool: string): string[] {
  return Array.from({ length: sampleCodesPerPool }, (_, index) => `TEST-${pool}-${index + 1}`.toUpperCase())
}
