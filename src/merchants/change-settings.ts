import { hash } from 'node:crypto'
import { type Database, statement, untilDone } from '../db/database.ts'
import { Refusal } from '../refusals.ts'
import { type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { findMerchant, type Merchant, type MerchantSettings, setSettings } from './merchants.ts'

/**
 * Changes a merchant's own settings. `revision` names the settings that the change is based on: if they have changed
 * since, the request is refused, so that no other change is lost. Without it, the last save wins.
 */
export async function changeSettings(
  db: Database,
  order: { slug: string; change: Partial<MerchantSettings>; revision: string | undefined },
  cause: Cause,
): Promise<Merchant> {
  return untilDone(() =>
    db.transaction(async (tx) => {
      await tx.query(lock, [order.slug])
      const merchant = await findMerchant(tx, order.slug)
      const before = settingsOf(merchant)
      const after = { ...before, ...order.change }
      const changed = settingNames.filter(
        (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
      )
      if (changed.length === 0) return merchant
      if (order.revision !== undefined && order.revision !== revisionOf(merchant))
        throw new Refusal('settings_changed')
      const only = (settings: MerchantSettings) =>
        Object.fromEntries(changed.map((name) => [name, settings[name]]))
      const { merchantId } = merchant
      const subject = { kind: 'merchant', id: merchant.slug }
      await recordChanges(
        tx,
        [{ merchantId, action: 'merchant.set', subject, before: only(before), after: only(after) }],
        cause,
      )
      return setSettings(tx, order.slug, after)
    }),
  )
}

/** The revision of the settings, for conditional changes. */
export function revisionOf(merchant: MerchantSettings): string {
  return hash('sha256', JSON.stringify(settingsOf(merchant))).slice(0, 16)
}

const settingNames = [
  'strictPlayers',
  'grantMax',
  'dailyGrantMax',
  'supportDailyGrantMax',
  'linkLifetimeSeconds',
  'spinLifetimeDays',
  'spinExpiryNoticeHours',
  'redemptionReversalHours',
  'embedOrigins',
  'timeZone',
  'currency',
] as const satisfies (keyof MerchantSettings)[]

export function settingsOf(merchant: MerchantSettings): MerchantSettings {
  return Object.fromEntries(settingNames.map((name) => [name, merchant[name]])) as MerchantSettings
}

const lock = statement(`
select merchant_id
from merchants
where slug = $1
for update`)
