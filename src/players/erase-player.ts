import { randomBytes } from 'node:crypto'
import { type Database, type Transaction, untilDone } from '../db/database.ts'
import { insertErasure } from '../events/event-erasures.ts'
import { type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { keepErasedId } from './erased-ids.ts'
import { forgetTimeZones } from './free-spin-rows.ts'
import { type LockedPlayer, lockPlayers } from './ledger.ts'
import { renamePlayer } from './players.ts'
import { shardOf } from './shard.ts'

/**
 * Replaces a player's id by a random pseudonym, blocks it, and revokes its links. Entries, plays and counts stay,
 * since they refer to the player by number. The id is removed from events afterwards. A keyed hash of it stays, so
 * that nobody gets the same free spins again. `alsoErase` removes what others know. Returns the pseudonym, or
 * undefined if there is no such player.
 */
export async function erasePlayer(
  db: Database,
  player: { merchantId: number; playerId: string },
  cause: Cause,
  alsoErase?: (tx: Transaction, player: LockedPlayer) => Promise<void>,
): Promise<string | undefined> {
  const shard = shardOf(player)
  const pseudonym = pseudonymIn(player.merchantId, shard)
  return untilDone(() =>
    db.transaction(async (tx) => {
      const names = [player.playerId, pseudonym].map((playerId) => ({ ...player, playerId, shard }))
      const found = await lockPlayers(tx, names)
      // A second attempt, after a commit whose answer was lost.
      if (found.some(({ playerId }) => playerId === pseudonym)) return pseudonym
      const [locked] = found
      if (locked === undefined) return undefined
      await renamePlayer(tx, { ...player, shard }, pseudonym, cause.now)
      await forgetTimeZones(tx, locked)
      await keepErasedId(tx, locked)
      await alsoErase?.(tx, locked)
      await insertErasure(tx, { ...player, shard, pseudonym, erasedAt: cause.now })
      const subject = { kind: 'player' as const, shard, playerNo: locked.playerNo }
      await recordChanges(
        tx,
        [{ merchantId: player.merchantId, action: 'player.erase', subject, after: { playerId: pseudonym } }],
        cause,
      )
      return pseudonym
    }),
  )
}

/** Rows can't move to another shard, so the pseudonym must belong to the same one; one in 64 does. */
function pseudonymIn(merchantId: number, shard: number): string {
  for (;;) {
    const playerId = `erased-${randomBytes(16).toString('base64url')}`
    if (shardOf({ merchantId, playerId }) === shard) return playerId
  }
}
