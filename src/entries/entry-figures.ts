import { type Queryable, statement } from '../db/database.ts'
import { entriesCountedAtOnce } from './entry-limits.ts'
import type { CampaignKey } from './entry-rows.ts'

/** What happened at the entry of a campaign on a day. People count on the day on which they entered. */
type EntryFigures = {
  opened: number
  submitted: number
  entered: number
  verified: number
  played: number
  won: number
  claimed: number
  /** By code. */
  refusals: Record<string, number>
}

/** The figures of the days from `from` to `to`, both included (UTC), and their sum. Entries are counted by pages. */
export async function readEntryFigures(
  db: Queryable,
  { merchantId, campaignId }: CampaignKey,
  { from, to, perPage = entriesCountedAtOnce }: { from: string; to: string; perPage?: number },
): Promise<{ total: EntryFigures; days: (EntryFigures & { day: string })[] }> {
  const campaign = { merchantId, campaignId }
  const people = await countPeople(db, campaign, { from, to, perPage })
  const happened = Map.groupBy(
    await db.query(readHappened, [merchantId, campaignId, from, to]),
    ({ day }) => day,
  )
  const days = daysFrom(from, to).map((day) => {
    const counts = Object.fromEntries((happened.get(day) ?? []).map((one) => [one.happened, one.count]))
    const { opened = 0, submitted = 0, ...refusals } = counts
    return { day, opened, submitted, ...(people.get(day) ?? nobody), refusals }
  })
  return { total: days.reduce((sum, one) => added(sum, one), { ...nothing, refusals: {} }), days }
}

/** How far the people who entered came, by the day of their entry. */
async function countPeople(
  db: Queryable,
  { merchantId, campaignId }: CampaignKey,
  { from, to, perPage }: { from: string; to: string; perPage: number },
): Promise<Map<string, typeof nobody>> {
  const people = new Map<string, typeof nobody>()
  let last = { lastAt: new Date(`${from}T00:00:00Z`), lastId: '00000000-0000-0000-0000-000000000000' }
  for (let counted = perPage; counted === perPage;) {
    counted = 0
    const page = [merchantId, campaignId, last.lastAt, last.lastId, to, perPage]
    for (const { day, lastAt, lastId, ...counts } of await db.query(readPeople, page)) {
      const before = people.get(day) ?? nobody
      people.set(
        day,
        mapped((name) => before[name] + counts[name]),
      )
      counted += counts.entered
      last = { lastAt, lastId }
    }
  }
  return people
}

function mapped(countOf: (name: keyof typeof nobody) => number): typeof nobody {
  const own = Object.keys(nobody) as (keyof typeof nobody)[]
  return Object.fromEntries(own.map((name) => [name, countOf(name)])) as typeof nobody
}

const nobody = { entered: 0, verified: 0, played: 0, won: 0, claimed: 0 }
const nothing = { opened: 0, submitted: 0, ...nobody }
const names = Object.keys(nothing) as (keyof typeof nothing)[]

function added(sum: EntryFigures, day: EntryFigures): EntryFigures {
  const refusals = { ...sum.refusals }
  for (const [code, count] of Object.entries(day.refusals)) refusals[code] = (refusals[code] ?? 0) + count
  const counts = Object.fromEntries(names.map((name) => [name, sum[name] + day[name]])) as typeof nothing
  return { ...counts, refusals }
}

function daysFrom(from: string, to: string): string[] {
  const first = Temporal.PlainDate.from(from)
  return Array.from({ length: first.until(to).days + 1 }, (_, days) => first.add({ days }).toString())
}

// How far each visitor came: 1 played, 2 won, 3 claimed. A prize can be redeemed without a claim before.
const readPeople = statement<{ day: string; lastAt: Date; lastId: string } & typeof nobody>(`
select
  (entered_at at time zone 'UTC')::date::text as day,
  count(*)::int as entered,
  count(verified_at)::int as verified,
  count(*) filter (where reached >= 1)::int as played,
  count(*) filter (where reached >= 2)::int as won,
  count(*) filter (where reached >= 3)::int as claimed,
  max(entered_at) as "lastAt",
  (array_agg(entry_id order by entered_at desc, entry_id desc))[1] as "lastId"
from (
  select shard, player_no, campaign_id, entered_at, entry_id, verified_at
  from visitor_entries
  where merchant_id = $1
  and campaign_id = $2
  and (entered_at, entry_id) > ($3::timestamptz, $4::uuid)
  and entered_at < ($5::date + 1)::timestamp at time zone 'UTC'
  order by entered_at, entry_id
  limit $6
) as page
cross join lateral (
  select
    coalesce(max(
      case
        when not won then 1
        when exists (
          select 1
          from prize_settlements
          where prize_settlements.shard = plays.shard
          and prize_settlements.player_no = plays.player_no
          and prize_settlements.play_no = plays.play_no
          and state in ('claimed', 'redeemed')
        ) then 3
        else 2
      end
    ), 0) as reached
  from plays
  where plays.shard = page.shard
  and plays.player_no = page.player_no
  and coalesce(plays.campaign_id, 0) = page.campaign_id
) as plays_here
group by 1
order by 1`)

const readHappened = statement<{ day: string; happened: string; count: number }>(`
select day::text as day, happened, count
from entry_days
where merchant_id = $1
and campaign_id = $2
and day between $3::date and $4::date`)
