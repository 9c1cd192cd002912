import { type Database, statement } from '../db/database.ts'
import { listSigningKeys, rotateSigningKeys } from '../crypto/signing-keys.ts'
import { insertMerchant, listMerchants } from '../merchants/merchants.ts'
import { issueToken } from '../merchants/service-tokens.ts'
import { insertInvitation } from '../staff/invitations.ts'
import { giveFirstWheel, listMerchantsWithoutWheel } from '../wheels/wheels.ts'

const waitForRival = statement('set local lock_timeout = 120000')
const firstStartLock = statement('select pg_advisory_xact_lock(7437003)')

/** What is shown at the first start, once: the demo merchant's token, and what the first operator opens the console with. */
export type Demo = { token: string; invitationToken: string }

/**
 * Gives an empty database what it needs: keys and, if wanted, a demo merchant, which is the answer.
 * Of many processes that start at once, one does it.
 */
export async function firstStart(
  db: Database,
  options: { demo: boolean; now: Date },
): Promise<Demo | undefined> {
  return db.longTransaction(async (tx) => {
    await tx.query(waitForRival)
    await tx.query(firstStartLock)
    const keys = await listSigningKeys(tx)
    for (const purpose of ['links', 'seeds'] as const) {
      if (!keys.some((key) => key.purpose === purpose)) await rotateSigningKeys(tx, purpose, options.now)
    }
    // Merchants from before there were wheels.
    for (const merchantId of await listMerchantsWithoutWheel(tx))
      await giveFirstWheel(tx, merchantId, options.now)
    if (!options.demo || (await listMerchants(tx)).length > 0) return undefined
    const merchant = await insertMerchant(tx, { slug: 'demo', name: 'Demo merchant', now: options.now })
    await giveFirstWheel(tx, merchant.merchantId, options.now)
    const token = await issueToken(tx, merchant, {
      name: 'demo',
      scopes: ['spins', 'links', 'manage'],
      expiresAt: null,
      now: options.now,
    })
    const invitationToken = await insertInvitation(tx, {
      email: null,
      merchantId: merchant.merchantId,
      role: 'owner',
      makesOperator: true,
      resetsStaffId: null,
      madeBy: 'first start',
      now: options.now,
    })
    return { token, invitationToken }
  })
}
