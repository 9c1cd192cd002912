import { type Queryable, statement } from '../db/database.ts'
import { figureNames } from './figures-sql.ts'

/**
 * Sums of whole months, from the days that are summed already: a year of 50 campaigns is 110,000 rows of days and 3,600
 * of months. A month is here if and only if its last day is closed.
 */
const sums = [
  {
    name: 'play',
    key: ['campaign_id', 'wheel_id', 'wheel_version', 'drawn', 'segment'],
    counts: ['plays'],
  },
  {
    name: 'settlement',
    key: ['campaign_id', 'wheel_id', 'wheel_version', 'segment', 'state'],
    counts: ['settlements'],
  },
  { name: 'campaign', key: ['campaign_id', 'wheel_id'], counts: figureNames },
]

/** Sums the months that ended between two days of a merchant, `since` excluded. */
export async function closeMonths(
  tx: Queryable,
  due: readonly { merchantId: number; since: string; until: string }[],
): Promise<void> {
  const columns = [
    due.map(({ merchantId }) => merchantId),
    due.map(({ since }) => since),
    due.map(({ until }) => until),
  ]
  for (const sum of sumMonths) await tx.query(sum, columns)
}

/** Forgets the months that end after the last closed day of their merchant. */
export async function reopenMonths(tx: Queryable): Promise<void> {
  for (const forget of forgetOpen) await tx.query(forget)
}

/** Forgets all months of these merchants. */
export async function forgetMonths(tx: Queryable, merchantIds: readonly number[]): Promise<void> {
  for (const forget of forgetMerchants) await tx.query(forget, [merchantIds])
}

const monthTables = sums.map(({ name }) => `${name}_months`)

const sumMonths = sums.map(({ name, key, counts }) =>
  statement(`
insert into ${name}_months (merchant_id, month, ${[...key, ...counts].join(', ')})
select
  merchant_id,
  date_trunc('month', day)::date,
  ${[...key, ...counts.map((count) => `sum(${count})`)].join(', ')}
from unnest($1::int[], $2::date[], $3::date[]) as due (merchant_id, since, until)
join ${name}_days using (merchant_id)
where day >= date_trunc('month', due.since + 1)::date
and day < date_trunc('month', due.until + 1)::date
group by 1, 2, ${key.join(', ')}
order by 1, 2, ${key.join(', ')}`),
)

const forgetOpen = monthTables.map((table) =>
  statement(`
delete from ${table}
using closed_days
where closed_days.merchant_id = ${table}.merchant_id
and ${table}.month + interval '1 month' > closed_days.until + 1`),
)

const forgetMerchants = monthTables.map((table) =>
  statement(`
delete from ${table}
where merchant_id = any ($1::int[])`),
)
