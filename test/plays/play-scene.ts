// Fixtures for the tests of plays in one statement: orders that a process with a memory can foresee, and the rows they
// leave.
import assert from 'node:assert/strict'
import { type Database, type Queryable, statement } from '../../src/db/database.ts'
import { grantSpins } from '../../src/grants/grant-spins.ts'
import { lockPlayers } from '../../src/players/ledger.ts'
import { playAtOnce } from '../../src/plays/play-at-once.ts'
import { PlayMemory } from '../../src/plays/play-memory.ts'
import type { PlayOrder, PlayState } from '../../src/plays/play-types.ts'
import { playWheels } from '../../src/plays/play-wheels.ts'
import { keyOf, orderOf, playOrdersOf, type Scene, writtenEvents } from '../scenes/batch-scene.ts'

export async function givePlayers(scene: Scene, playerIds: readonly string[], amount = 5): Promise<void> {
  const grants = playerIds.map((playerId) =>
    orderOf(scene, { playerId, amount, key: `${amount} for playing` }),
  )
  await grantSpins(scene.db, grants, new Date('2026-11-14T12:00:00Z'))
}

export type Foreseen = { orders: PlayOrder[]; state: PlayState; memory: PlayMemory }

/** The next play of each player, and a memory in which they are as they are now. */
export async function foreseeable(
  scene: Scene,
  playerIds: readonly string[],
  memory = new PlayMemory(),
): Promise<Foreseen> {
  const { orders, seedKeys } = await playOrdersOf(scene, playerIds)
  assert.equal(orders.length, playerIds.length, 'every player exists')
  const keys = playerIds.map((playerId) => keyOf({ ...scene, playerId }))
  const players = await scene.db.transaction((tx) => lockPlayers(tx, keys))
  for (const player of players) memory.rememberPlayer(player, player)
  const byName = new Map(orders.map((order) => [order.playerId, order]))
  const sorted = playerIds.map((playerId) => byName.get(playerId) as PlayOrder)
  return { orders: sorted, state: { seedKeys, now: new Date() }, memory }
}

/** A memory that has seen the stock of a play of this player, as a process has after its first play of a prize. */
export async function memoryAfterPlayOf(scene: Scene, playerId: string): Promise<PlayMemory> {
  const { orders, state, memory } = await foreseeable(scene, [playerId])
  const [verdict] = await playWheels(scene.db, orders, state, memory)
  assert.equal(verdict?.outcome, 'played')
  return memory
}

/** Carries out plays by the statement alone. Returns the balances of those that it carried out. */
export async function atOnce(
  db: Database,
  { orders, state, memory }: Foreseen,
): Promise<(number | undefined)[]> {
  const results = memory.foresee(orders, state)
  assert.equal(results.length, orders.length, 'all are foreseen')
  return db.session((connection) => playAtOnce(connection, results, state.now))
}

/** Everything that these players' plays of one moment left behind, without generated numbers and ids of pages. */
export async function rowsOfPlays(
  db: Queryable,
  of: { merchantId: number; playerIds: readonly string[]; at: Date },
): Promise<Record<string, unknown>> {
  const read = async (text: string) => db.query(statement<object>(text), [of.merchantId, of.playerIds, of.at])
  const those = 'players.merchant_id = $1 and player_id = any ($2::text[])'
  return {
    players: await read(`
      select player_id, balance, entry_count, play_count, granted_day, granted_day_total
      from players where ${those} and $3::timestamptz is not null order by player_id`),
    entries: await read(`
      select player_id, entry_no, kind, amount, balance_after, key, reason, origin
      from ledger_entries join players using (shard, player_no)
      where ${those} and ledger_entries.created_at = $3 order by player_id, entry_no`),
    plays: await read(`
      select
        player_id, play_no, play_id, encode(player_seed, 'hex') as player_seed, seed_key_id, wheel_version, drawn, segment,
        won, fallback_reason, code, claim_before
      from plays join players using (shard, player_no)
      where ${those} and plays.created_at = $3 order by player_id, play_no`),
    stocks: await read(`
      select prize_id, stock, given, day, day_given
      from prize_stocks where merchant_id = $1 and $2::text[] is not null and $3::timestamptz is not null order by prize_id`),
    events: JSON.stringify(await writtenEvents(db, of.merchantId, of.at)),
  }
}
