import { type Queryable, statement } from '../db/database.ts'
import { playsSearchedMax } from '../plays/plays.ts'
import { settledKindsSql } from './prize-kinds-sql.ts'

/** Until when the player can use prizes. `isEndless`: one has no last day yet, or was claimed and does not expire. */
export async function readLastDay(
  db: Queryable,
  player: { shard: number; playerNo: number; playCount: number },
): Promise<{ lastDay: Date | null; isEndless: boolean }> {
  const after = player.playCount - playsSearchedMax
  const [found] = await db.query(lastDay, [player.shard, player.playerNo, after])
  return found ?? { lastDay: null, isEndless: false }
}

const lastDay = statement<{ lastDay: Date | null; isEndless: boolean }>(`
select
  max(coalesce(plays.claim_before, hold.claim_before)) as "lastDay",
  coalesce(
    bool_or(coalesce(plays.claim_before, hold.claim_before) is null or last.step is not null),
    false
  ) as "isEndless"
from plays
join version_segments
  on version_segments.wheel_id = plays.wheel_id
  and version_segments.version = plays.wheel_version
  and version_segments.segment = plays.segment
left join prize_holds as hold
  on hold.shard = plays.shard
  and hold.player_no = plays.player_no
  and hold.play_no = plays.play_no
left join lateral (
  select step
  from prize_settlements
  where prize_settlements.shard = plays.shard
  and prize_settlements.player_no = plays.player_no
  and prize_settlements.play_no = plays.play_no
  order by step desc
  limit 1
) as last on true
where plays.shard = $1
and plays.player_no = $2
and plays.play_no > $3
and plays.won
and version_segments.kind in (${settledKindsSql})
and (last.step is null or last.step % 2 = 1)`)
