import type { Queryable } from '../db/database.ts'
import { findPlayer, type Player } from '../players/players.ts'
import { findAddress } from './address-keys.ts'
import { type AddressParts, foldAddress } from './address.ts'

/** The visitor with an address, in any spelling of it. An erased visitor is not found. */
export async function findVisitor(
  db: Queryable,
  merchant: { merchantId: number; slug: string },
  address: AddressParts,
  now: Date,
): Promise<Player | undefined> {
  const fold = foldAddress(address)
  const owner = fold === undefined ? undefined : await findAddress(db, { merchant, fold })
  if (owner === undefined || owner.playerId === null) return undefined
  return findPlayer(db, { merchantId: merchant.merchantId, playerId: owner.playerId }, now)
}
