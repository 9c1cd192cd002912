import type { Queryable } from '../db/database.ts'
import { forgetOwner } from './address-keys.ts'
import { deleteConsentsOf } from './consents.ts'
import { deleteRequestsOf } from './entry-requests.ts'
import { deleteSessionsOf } from './entry-sessions.ts'
import { deleteAnswersOf } from './visitor-entries.ts'

/**
 * Removes what a visitor told us, in the transaction that erases the player. The keyed hashes of the address stay
 * without the player, so that nobody mails the person again.
 */
export async function eraseVisitor(
  tx: Queryable,
  player: { shard: number; playerNo: number; merchantId: number; playerId: string },
): Promise<void> {
  await forgetOwner(tx, player)
  await deleteRequestsOf(tx, player)
  await deleteSessionsOf(tx, player)
  await deleteAnswersOf(tx, player)
  await deleteConsentsOf(tx, player)
}
