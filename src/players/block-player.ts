import { type Database, type Queryable, untilDone } from '../db/database.ts'
import { actorText, type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { insertEvents } from '../events/event-pages.ts'
import { Refusal } from '../refusals.ts'
import { lockPlayers } from './ledger.ts'
import { findPlayer, type Player, revokeLinksOfPlayer, setBlock } from './players.ts'
import { shardOf } from './shard.ts'

type PlayerName = { merchantId: number; playerId: string }

/** Blocks a player from spins, links and plays, at once. Undefined if there is no such player. */
export async function blockPlayer(
  db: Database,
  player: PlayerName,
  cause: Cause,
): Promise<Player | undefined> {
  return change(db, player, cause, async (tx, found) => {
    if (found.blockedAt !== null) return undefined
    await setBlock(tx, player, cause.now)
    return { action: 'player.block', event: 'player.blocked' }
  })
}

/** Unblocks a player. An erased player stays blocked. */
export async function unblockPlayer(
  db: Database,
  player: PlayerName,
  cause: Cause,
): Promise<Player | undefined> {
  return change(db, player, cause, async (tx, found) => {
    if (found.erasedAt !== null) throw new Refusal('player_erased')
    if (found.blockedAt === null) return undefined
    await setBlock(tx, player, null)
    return {
      action: 'player.unblock',
      before: { blockedAt: found.blockedAt },
      event: 'player.unblocked',
    }
  })
}

/** Revokes all links that the player has so far. New links work. */
export async function revokePlayerLinks(
  db: Database,
  player: PlayerName,
  cause: Cause,
): Promise<Player | undefined> {
  return change(db, player, cause, async (tx) => {
    await revokeLinksOfPlayer(tx, player, cause.now)
    return { action: 'player.revoke_links' }
  })
}

type Change = { action: string; before?: object; event?: 'player.blocked' | 'player.unblocked' }

/** Changes a locked player and records it in the audit log. `work` returns the change, or undefined for none. */
async function change(
  db: Database,
  player: PlayerName,
  cause: Cause,
  work: (tx: Queryable, found: Player) => Promise<Change | undefined>,
): Promise<Player | undefined> {
  return untilDone(() =>
    db.transaction(async (tx) => {
      await lockPlayers(tx, [{ ...player, shard: shardOf(player) }])
      const found = await findPlayer(tx, player, cause.now)
      if (found === undefined) return undefined
      const done = await work(tx, found)
      if (done === undefined) return found
      const { event: type, ...audited } = done
      const { shard, playerNo } = found
      const subject = { kind: 'player' as const, shard, playerNo }
      await recordChanges(tx, [{ merchantId: player.merchantId, subject, ...audited }], cause)
      if (type !== undefined) await insertEvents(tx, [{ ...eventOf(player, cause), shard, type }])
      return findPlayer(tx, player, cause.now)
    }),
  )
}

function eventOf({ merchantId, playerId }: PlayerName, { actor, now }: Cause) {
  return { merchantId, at: now, data: { playerId, by: actorText(actor) } }
}
