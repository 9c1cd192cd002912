import { type Database, statement } from '../db/database.ts'
import { listSigningKeys, rotateSigningKeys } from '../games/signing-keys.ts'
import { insertMerchant, listMerchants } from '../merchants/merchants.ts'
import { issueToken } from '../merchants/service-tokens.ts'

const firstStartLock = statement('select pg_advisory_xact_lock(7437003)')

/**
 * Gives an empty database what it needs: a signing key and, if wanted, a demo merchant, whose token is the answer.
 * Of many processes that start at once, one does it.
 */
export async function firstStart(
  db: Database,
  options: { demo: boolean; now: Date },
): Promise<string | undefined> {
  return db.transaction(async (tx) => {
    await tx.query(firstStartLock)
    if ((await listSigningKeys(tx)).length === 0) await rotateSigningKeys(tx, options.now)
    if (!options.demo || (await listMerchants(tx)).length > 0) return undefined
    const merchant = await insertMerchant(tx, { slug: 'demo', name: 'Demo merchant', now: options.now })
    return issueToken(tx, merchant, {
      name: 'demo',
      scopes: ['spins', 'links', 'manage'],
      expiresAt: null,
      now: options.now,
    })
  })
}
