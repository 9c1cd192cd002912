import { type Queryable, statement } from '../db/database.ts'
import type { PrizeState } from '../prizes/prize-settlements.ts'
import { splitDays } from './close-days.ts'
import type { ReportScope } from './counts-by-day.ts'
import type { Figures } from './figures-sql.ts'
import type { ReportDay } from './report-days.ts'

/** The results of a prize, over all played versions of its wheel. */
type PrizeReport = {
  wheel: string
  prizeId: string
  kind: string
  label: string
  /** How often the wheel stopped there. */
  given: number
  /** How often it was drawn, including draws that could not be given. */
  drawn: number
  /** The expected number of draws, and its standard deviation. */
  expected: number
  deviation: number
} & Pick<Figures, 'cost' | 'claimed' | 'redeemed' | 'cancelled' | 'expired' | 'reversed'>

/** The results of each prize on some days, from the counts of count-activity.ts. */
export async function reportPrizes(
  db: Queryable,
  { merchantId, wheelId, campaignId }: ReportScope,
  days: readonly ReportDay[],
): Promise<PrizeReport[]> {
  const { closed, open } = await splitDays(db, merchantId, days)
  const ofClosed = [merchantId, closed[0]?.day ?? null, closed.at(-1)?.day ?? null, wheelId, campaignId]
  const ofOpen = [merchantId, open[0]?.from ?? null, open.at(-1)?.to ?? null, wheelId, campaignId]
  const [plays, settlements] = await Promise.all([
    Promise.all([db.query(closedPlays, ofClosed), db.query(openPlays, ofOpen)]),
    Promise.all([db.query(closedSettlements, ofClosed), db.query(openSettlements, ofOpen)]),
  ])
  const counted = { plays: plays.flat(), settlements: settlements.flat() }
  const versions = [
    ...new Map(
      [...counted.plays, ...counted.settlements].map((row) => [`${row.wheelId}:${row.version}`, row]),
    ).values(),
  ]
  const segments = await db.query(readSegments, [
    versions.map((version) => version.wheelId),
    versions.map(({ version }) => version),
  ])
  return prizeReports(segments, counted.plays, counted.settlements)
}

type SegmentKey = { wheelId: number; version: number; segment: number }
type CountedPlays = SegmentKey & { drawn: number; plays: number }
type CountedSettlements = SegmentKey & { state: Exclude<PrizeState, 'won'> | 'reversed'; settlements: number }
type ReportedSegment = SegmentKey & {
  wheel: string
  prizeId: string
  kind: string
  label: string
  weight: number
  cost: number | null
}

/** Sums by prize. Chances differ between versions, so expectations and variances are summed version by version. */
export function prizeReports(
  segments: readonly ReportedSegment[],
  plays: readonly CountedPlays[],
  settlements: readonly CountedSettlements[],
): PrizeReport[] {
  const reports = new Map<string, PrizeReport>()
  for (const segment of segments) {
    const { wheel, prizeId, kind, label, wheelId, version } = segment
    const isHere = (row: { wheelId: number; version: number }) =>
      row.wheelId === wheelId && row.version === version
    const here = plays.filter(isHere)
    const total = sum(here.map((row) => row.plays))
    const weights = sum(segments.filter(isHere).map((one) => one.weight))
    const chance = weights === 0 ? 0 : segment.weight / weights
    const given = sum(here.filter((row) => row.segment === segment.segment).map((row) => row.plays))
    const name = `${wheel}:${prizeId}`
    const report = reports.get(name) ?? { wheel, prizeId, kind, label, ...nothing }
    // Segments come oldest version first, so a prize gets its newest label.
    Object.assign(report, { kind, label })
    report.given += given
    report.drawn += sum(here.filter((row) => row.drawn === segment.segment).map((row) => row.plays))
    report.expected += total * chance
    report.deviation = Math.hypot(report.deviation, Math.sqrt(total * chance * (1 - chance)))
    report.cost += given * (segment.cost ?? 0)
    for (const row of settlements.filter(isHere))
      if (row.segment === segment.segment) report[row.state] += row.settlements
    reports.set(name, report)
  }
  return [...reports.values()]
}

const nothing = {
  given: 0,
  drawn: 0,
  expected: 0,
  deviation: 0,
  cost: 0,
  claimed: 0,
  redeemed: 0,
  cancelled: 0,
  expired: 0,
  reversed: 0,
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

const ofMerchant = `
where merchant_id = $1
and ($4::int is null or wheel_id = $4)
and ($5::int is null or campaign_id = $5)`
const onClosedDays = 'and day between $2::date and $3::date'
const onOpenDays = `
and quarter >= $2
and quarter < $3`

const countedPlays = (table: string, days: string) =>
  statement<CountedPlays>(`
select wheel_id as "wheelId", wheel_version as version, drawn, segment, sum(plays)::bigint as plays
from ${table}
${ofMerchant}
${days}
group by wheel_id, wheel_version, drawn, segment`)

const closedPlays = countedPlays('play_days', onClosedDays)
const openPlays = countedPlays('play_counts', onOpenDays)

const countedSettlements = (table: string, days: string) =>
  statement<CountedSettlements>(`
select wheel_id as "wheelId", wheel_version as version, segment, state, sum(settlements)::bigint as settlements
from ${table}
${ofMerchant}
${days}
group by wheel_id, wheel_version, segment, state`)

const closedSettlements = countedSettlements('settlement_days', onClosedDays)
const openSettlements = countedSettlements('settlement_counts', onOpenDays)

const readSegments = statement<ReportedSegment>(`
select
  version_segments.wheel_id as "wheelId",
  version_segments.version,
  version_segments.segment,
  wheels.slug as wheel,
  version_segments.prize_id as "prizeId",
  version_segments.kind,
  version_segments.label,
  version_segments.weight,
  version_segments.cost
from unnest($1::int[], $2::int[]) as wanted (wheel_id, version)
join version_segments using (wheel_id, version)
join wheels using (wheel_id)
order by wheels.slug, version_segments.version, version_segments.segment`)
