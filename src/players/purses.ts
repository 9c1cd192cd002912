import { type Queryable, statement } from '../db/database.ts'
import { usableBalance } from './lot-rows.ts'

/** A player's spins in a purse other than 0, which is the balance. The purse was made for `campaign`. */
type PurseBalance = { purseId: number; campaign: string; balance: number }

/** A player's purses, read without a lock and without expired spins. Purses that never got spins are missing. */
export async function listPurses(
  db: Queryable,
  player: { shard: number; playerNo: number },
  now: Date,
): Promise<PurseBalance[]> {
  return db.query(list, [player.shard, player.playerNo, now])
}

/**
 * What each of these players has in one purse other than 0, by player number, without expired spins. A player who never
 * got spins there is missing.
 */
export async function readPurse(
  db: Queryable,
  players: readonly { shard: number; playerNo: number }[],
  { purseId, now }: { purseId: number; now: Date },
): Promise<Map<number, number>> {
  const numbers = [players.map(({ shard }) => shard), players.map(({ playerNo }) => playerNo)]
  const found = await db.query(readOne, [...numbers, purseId, now])
  return new Map(found.map(({ playerNo, balance }) => [playerNo, balance]))
}

/** The purses of many players, by player number, as `listPurses` has them. */
export async function listPursesOf(
  db: Queryable,
  players: readonly { shard: number; playerNo: number }[],
  now: Date,
): Promise<Map<number, Omit<PurseBalance, 'purseId'>[]>> {
  const numbers = [players.map(({ shard }) => shard), players.map(({ playerNo }) => playerNo)]
  return Map.groupBy(await db.query(listOf, [...numbers, now]), ({ playerNo }) => playerNo)
}

const list = statement<PurseBalance>(
  `
select
  player_purses.purse_id as "purseId",
  campaigns.slug as campaign,
  ${usableBalance({ purse: 'player_purses.purse_id', balance: 'player_purses.balance' }, '$3::timestamptz')} as balance
from player_purses
join campaigns
  on campaigns.campaign_id = player_purses.purse_id
join players
  on players.player_no = player_purses.player_no
  and players.shard + 0 = player_purses.shard
where player_purses.shard = $1
and player_purses.player_no = $2
order by campaigns.slug`,
  [1, 2],
)

const listOf = statement<{ playerNo: number; campaign: string; balance: number }>(
  `
select
  player_purses.player_no as "playerNo",
  campaigns.slug as campaign,
  ${usableBalance({ purse: 'player_purses.purse_id', balance: 'player_purses.balance' }, '$3::timestamptz')} as balance
from unnest($1::int[], $2::bigint[]) as wanted (shard, player_no)
join player_purses
  on player_purses.shard = wanted.shard
  and player_purses.player_no = wanted.player_no
join campaigns
  on campaigns.campaign_id = player_purses.purse_id
join players
  on players.player_no = player_purses.player_no
  and players.shard + 0 = player_purses.shard
order by campaigns.slug`,
  [1, 2],
)

const readOne = statement<{ playerNo: number; balance: number }>(
  `
select
  player_purses.player_no as "playerNo",
  ${usableBalance({ purse: 'player_purses.purse_id', balance: 'player_purses.balance' }, '$4::timestamptz')} as balance
from unnest($1::int[], $2::bigint[]) as wanted (shard, player_no)
join player_purses
  on player_purses.shard = wanted.shard
  and player_purses.player_no = wanted.player_no
  and player_purses.purse_id = $3
join players
  on players.player_no = player_purses.player_no
  and players.shard + 0 = player_purses.shard`,
  [1, 2],
)
