import { type Queryable, statement } from '../db/database.ts'
import { usableBalance } from './lot-rows.ts'

/** A player's spins in a purse other than 0, which is the balance. `campaign` is the one that the purse was made for. */
type PurseBalance = { purseId: number; campaign: string; balance: number }

/** A player's purses, read without a lock and without expired spins. Purses that never got spins are missing. */
export async function listPurses(
  db: Queryable,
  player: { shard: number; playerNo: number },
  now: Date,
): Promise<PurseBalance[]> {
  return db.query(list, [player.shard, player.playerNo, now])
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
