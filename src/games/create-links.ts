import assert from 'node:assert/strict'
import { allInOrder, type Database, type Transaction, untilDone } from '../db/database.ts'
import { decideGrants, type Grant, mayCreate, openAccounts, withHashes } from '../players/grant-spins.ts'
import type { KnownPlayers } from '../players/known-players.ts'
import { type PlayerKey, playerName, writeEntries } from '../players/ledger.ts'
import type { RefusalCode } from '../refusals.ts'

/** A wish for a game link. `initial` is there if the link brings spins to a player that never had such. */
export type LinkOrder = PlayerKey & { linkId: string; expiresAt: Date; initial: Grant | undefined }

export type LinkVerdict = { outcome: 'created' } | { outcome: 'refused'; code: RefusalCode }

/**
 * Prepares links in one transaction, with a verdict for each in the order given: players that are not there are created,
 * and get their initial spins, once in their life.
 */
export async function createLinks(
  db: Database,
  orders: readonly LinkOrder[],
  now: Date,
  known?: KnownPlayers,
): Promise<LinkVerdict[]> {
  assert(orders.length > 0)
  return untilDone(() => db.transaction((tx) => createInTransaction(tx, orders, { now, known })))
}

async function createInTransaction(
  tx: Transaction,
  orders: readonly LinkOrder[],
  { now, known }: { now: Date; known: KnownPlayers | undefined },
): Promise<LinkVerdict[]> {
  const grants = orders.flatMap(({ initial, shard }) =>
    initial === undefined ? [] : withHashes({ ...initial, shard }),
  )
  const { players, earlier } = await openAccounts(tx, {
    players: orders,
    creating: orders.filter(({ initial }) => initial === undefined || mayCreate(initial)),
    keys: grants,
    now,
    known,
  })
  const { verdicts, entries, changed } = decideGrants(grants, { players, earlier, now })
  if (entries.length > 0) await allInOrder([writeEntries(tx, entries, changed, now), tx.commit()])
  const blocked = new Set(players.filter((player) => player.isBlocked).map(playerName))
  const granted = verdicts.values()
  return orders.map((order): LinkVerdict => {
    const verdict = order.initial === undefined ? undefined : granted.next().value
    if (blocked.has(playerName(order))) return { outcome: 'refused', code: 'player_blocked' }
    return verdict?.outcome === 'refused' ? verdict : { outcome: 'created' }
  })
}
