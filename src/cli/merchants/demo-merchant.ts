import type { Database, Queryable } from '../../db/database.ts'
import { DatabaseFailure } from '../../db/database-fault.ts'
import { insertMerchant, listMerchants } from '../../merchants/merchants.ts'
import { issueToken } from '../../merchants/service-tokens.ts'
import { Mistake } from '../../mistake.ts'
import { hasUnaddressed, insertInvitation } from '../../staff/invitations.ts'
import { giveFirstWheel } from '../../merchants/create-merchant.ts'
import { oneAtATime } from '../server/one-at-a-time.ts'

/**
 * The secrets of the demo merchant: its service token, and the invitation of the first operator, unless withdrawn
 * before.
 */
export type Demo = { token: string; invitationToken: string | undefined }

/**
 * Creates the demo merchant if there is no merchant yet.
 *
 * Only hashes of its secrets are stored, so they can be shown only now. They are shown before the commit: if the
 * process dies in between, the database is still empty, and the next start creates and shows new ones. In the other
 * order, a crash would leave a live token that was never shown.
 */
export async function makeDemoMerchant(
  db: Database,
  options: { now: Date; show: (demo: Demo) => Promise<void> },
): Promise<Demo | undefined> {
  let isShown = false
  try {
    return await oneAtATime(db, async (tx) => {
      if ((await listMerchants(tx)).length > 0) return undefined
      const demo = await insertDemoMerchant(tx, options.now)
      isShown = true
      await options.show(demo)
      return demo
    })
  } catch (error) {
    if (!isShown || !(error instanceof DatabaseFailure)) throw error
    throw new Mistake(
      `The database failed while the demo merchant was being saved: ${error.message}. ` +
        'The token and the link above may not work. In that case the next start shows new ones.',
      { cause: error },
    )
  }
}

async function insertDemoMerchant(tx: Queryable, now: Date): Promise<Demo> {
  const merchant = await insertMerchant(tx, { slug: 'demo', name: 'Demo merchant', now })
  await giveFirstWheel(tx, merchant.merchantId, now)
  const token = await issueToken(tx, merchant, {
    name: 'demo',
    scopes: ['spins', 'links', 'manage'],
    expiresAt: null,
    now,
  })
  if (await hasUnaddressed(tx)) return { token, invitationToken: undefined }
  const invitationToken = await insertInvitation(tx, {
    email: null,
    merchantId: merchant.merchantId,
    role: 'owner',
    makesOperator: true,
    resetsStaffId: null,
    madeBy: 'first start',
    now,
  })
  return { token, invitationToken }
}
