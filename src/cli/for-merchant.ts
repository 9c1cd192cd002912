import type { Cause } from '../audit-log/audit-log.ts'
import type { Database } from '../db/database.ts'
import { findMerchant } from '../merchants/merchants.ts'
import { Mistake } from '../mistake.ts'
import { Refusal } from '../refusals.ts'
import { commandCause, withDatabase } from './output.ts'

/**
 * Runs on a merchant's data. Reports refusals as mistakes of the user. The time of `cause` is that of the merchant, and the
 * only one that `work` should use.
 */
export async function forMerchant<T>(
  slug: string,
  work: (db: Database, merchantId: number, cause: Cause) => Promise<T>,
): Promise<T> {
  return withDatabase(async (db) => {
    const merchant = await findMerchant(db, slug)
    try {
      return await work(db, merchant.merchantId, commandCause(merchant))
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'database_unavailable') throw error
      if (error.code !== 'wheel_not_publishable' || error.errors === undefined)
        throw new Mistake(error.message, { cause: error })
      const details = error.errors.map(({ pointer, detail }) => `\n  ${pointer} ${detail}`).join('')
      throw new Mistake(`The wheel has errors:${details}`, { cause: error })
    }
  })
}
