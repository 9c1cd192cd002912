import { type Queryable, statement } from '../db/database.ts'

/** How many players have a streak of this length. */
type StreakCount = { streak: number; players: number }

/**
 * The streaks of a campaign's players who have collected since a time, by their length. Players whose streak is over
 * and who have not come back since are left out by that time.
 */
export async function countStreaks(
  db: Queryable,
  { merchantId, campaignId }: { merchantId: number; campaignId: number },
  since: Date,
): Promise<StreakCount[]> {
  return db.query(count, [merchantId, campaignId, since])
}

const count = statement<StreakCount>(`
select streak, count(*)::int as players
from player_free_spins
where merchant_id = $1
and campaign_id = $2
and collected_at >= $3
group by streak
order by streak`)
