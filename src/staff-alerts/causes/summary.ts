import { campaignNumber } from '../../campaign-ref.ts'
import { type Queryable, statement } from '../../db/database.ts'
import type { MailRows } from '../../mails/mail-layout.ts'
import { readFigures } from '../../reports/counts-by-day.ts'
import { daysBetween } from '../../reports/report-days.ts'
import { amountText } from '../amount-text.ts'
import { type FindFindings, timeThere } from '../finding.ts'

/** Yesterday, from this hour on. */
const summaryHour = 8

export const findSummaries: FindFindings = async (db, merchantIds, now) => {
  const found = await db.query(due, [merchantIds, now, summaryHour])
  return found.map((one) => ({ ...one, subject: one.day, name: '', value: '', path: '/reports' }))
}

/** What happened on a day, by campaign. Those in which nothing did are left out. */
export async function summarize(
  db: Queryable,
  merchant: { merchantId: number; timeZone: string; currency: string | null },
  { day, campaigns }: { day: string; campaigns: readonly number[] },
): Promise<MailRows> {
  const { merchantId, timeZone, currency } = merchant
  const days = daysBetween(day, day, timeZone)
  const names = await db.query(readNames, [merchantId, campaigns])
  const rows: MailRows = []
  for (const { campaignId, name } of names) {
    const [figures] = await readFigures(db, { merchantId, wheelId: null, campaignId }, days)
    if (figures === undefined) continue
    const { plays, wins, cost, redeemed } = figures
    const parts = [counted(plays, 'play'), counted(wins, 'win'), counted(redeemed, 'redemption')]
    rows.push([name, [...parts, ...(cost > 0 ? [`cost ${amountText(cost, currency)}`] : [])].join(', ')])
  }
  return rows
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`
}

const due = statement<{ merchantId: number; day: string; campaigns: number[] }>(`
select
  merchants.merchant_id as "merchantId",
  ((${timeThere} at time zone time_zone)::date - 1)::text as day,
  array(
    select ${campaignNumber}
    from campaigns
    where campaigns.merchant_id = merchants.merchant_id
  ) as campaigns
from unnest($1::int[]) as watched (merchant_id)
join merchants using (merchant_id)
where extract(hour from ${timeThere} at time zone time_zone) >= $3`)

const readNames = statement<{ campaignId: number; name: string }>(`
select ${campaignNumber} as "campaignId", name
from campaigns
where merchant_id = $1
and ${campaignNumber} = any($2::int[])
order by name`)
