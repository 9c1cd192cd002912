import { type Queryable, statement } from '../db/database.ts'
import { addedFigures, figureNames, type Figures, sumFigures } from './figures-sql.ts'

/** The figures of each campaign of a merchant since its beginning, by its number; 0 is `main`. */
export async function readCampaignFigures(db: Queryable, merchantId: number): Promise<Map<number, Figures>> {
  const rows = await db.query(read, [merchantId])
  return new Map(rows.map(({ campaignId, ...figures }) => [campaignId, figures]))
}

export const noFigures = Object.fromEntries(figureNames.map((name) => [name, 0])) as Figures

/**
 * The last day that is summed in the current time zone, and the first day of the month that is not. Without one, all
 * quarters are read.
 */
const closedUntil = `
    select until, time_zone, date_trunc('month', until + 1)::date as month_open
    from closed_days
    join merchants using (merchant_id, time_zone)
    where merchant_id = $1`

const openQuarters = (table: string) => `
    select *
    from ${table}
    where merchant_id = $1
    and quarter >= coalesce(
      (
        select (until + 1)::timestamp at time zone time_zone
        from (${closedUntil}) as closed
      ),
      '-infinity'
    )`

const read = statement<Figures & { campaignId: number }>(`
select campaign_id as "campaignId", ${addedFigures}
from (
  select campaign_id, ${figureNames.join(', ')}
  from campaign_months
  where merchant_id = $1
  and month < (
    select month_open
    from (${closedUntil}) as closed
  )
  union all
  select campaign_id, ${figureNames.join(', ')}
  from campaign_days
  where merchant_id = $1
  and day >= (
    select month_open
    from (${closedUntil}) as closed
  )
  and day <= (
    select until
    from (${closedUntil}) as closed
  )
  union all
  (${sumFigures('campaign_id', {
    plays: `
    select campaign_id, wheel_id, wheel_version, drawn, segment, sum(plays) as plays
    from (${openQuarters('play_counts')}) as quarters
    group by campaign_id, wheel_id, wheel_version, drawn, segment`,
    settlements: openQuarters('settlement_counts'),
  })})
) as counted
group by campaign_id`)
