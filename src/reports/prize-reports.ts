import { exactCost } from '../currency.ts'
import { type Queryable, type Statement, statement } from '../db/database.ts'
import type { PrizeState } from '../prizes/prize-settlements.ts'
import { readSpans, spanNames, type Spans } from './close-days.ts'
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
} & Pick<Figures, 'cost' | 'claimed' | 'redeemed' | 'cancelled' | 'expired' | 'reversed' | 'held' | 'refused'>

/** The results of each prize on some days, from the counts of count-activity.ts. */
export async function reportPrizes(
  db: Queryable,
  { merchantId, wheelId, campaignId }: ReportScope,
  days: readonly ReportDay[],
): Promise<PrizeReport[]> {
  const spans = await readSpans(db, merchantId, days)
  const read = async <Row>(counted: Record<keyof Spans, Statement<Row>>): Promise<Row[]> => {
    const asked = spanNames.filter((name) => spans[name].length > 0)
    const rows = asked.map((name) => {
      const columns = [spans[name].map(({ from }) => from), spans[name].map(({ to }) => to)]
      return db.query(counted[name], [merchantId, wheelId, campaignId, ...columns])
    })
    return (await Promise.all(rows)).flat()
  }
  const [plays, settlements] = await Promise.all([read(playsCounted), read(settlementsCounted)])
  const versions = [...byVersion([...plays, ...settlements]).values()].map(([row]) => row)
  const segments = await db.query(readSegments, [
    versions.map((row) => row.wheelId),
    versions.map((row) => row.version),
  ])
  return prizeReports(segments, plays, settlements)
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
  const [playsOf, settlementsOf] = [byVersion(plays), byVersion(settlements)]
  for (const [version, own] of byVersion(segments)) {
    const played = playsOf.get(version) ?? []
    const settled = settlementsOf.get(version) ?? []
    const total = sum(played.map((row) => row.plays))
    const weights = sum(own.map((segment) => segment.weight))
    for (const segment of own) {
      const chance = weights === 0 ? 0 : segment.weight / weights
      addSegment(reports, segment, { played, settled, expected: total * chance, chance })
    }
  }
  return [...reports.values()]
}

/** What was counted for a version of a wheel, and how often one of its segments was to be expected. */
type OfVersion = {
  played: readonly CountedPlays[]
  settled: readonly CountedSettlements[]
  expected: number
  chance: number
}

function addSegment(reports: Map<string, PrizeReport>, segment: ReportedSegment, of: OfVersion): void {
  const { wheel, prizeId, kind, label } = segment
  const name = `${wheel}:${prizeId}`
  const report = reports.get(name) ?? { wheel, prizeId, kind, label, ...nothing }
  // Segments come oldest version first, so a prize gets its newest label.
  Object.assign(report, { kind, label })
  const isHere = (row: { segment: number }) => row.segment === segment.segment
  const given = sum(of.played.filter(isHere).map((row) => row.plays))
  report.given += given
  report.drawn += sum(of.played.filter((row) => row.drawn === segment.segment).map((row) => row.plays))
  report.expected += of.expected
  report.deviation = Math.hypot(report.deviation, Math.sqrt(of.expected * (1 - of.chance)))
  report.cost = exactCost(report.cost + exactCost(given * (segment.cost ?? 0)))
  for (const row of of.settled.filter(isHere)) report[row.state] += row.settlements
  reports.set(name, report)
}

function byVersion<Row extends SegmentKey>(rows: readonly Row[]): Map<string, [Row, ...Row[]]> {
  const found = new Map<string, [Row, ...Row[]]>()
  for (const row of rows) {
    const name = `${row.wheelId}:${row.version}`
    const others = found.get(name)
    if (others === undefined) found.set(name, [row])
    else others.push(row)
  }
  return found
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
  held: 0,
  refused: 0,
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** Sums the counts of a table within spans. `offset 0` keeps the planner from reading all rows of the merchant. */
const sumWithin = (
  table: string,
  time: string,
  type: string,
  { key, count }: { key: string; count: string },
) => `
select wheel_id as "wheelId", wheel_version as version, ${key}, sum(${count})::bigint as ${count}
from unnest($4::${type}[], $5::${type}[]) as span (start_at, end_at)
cross join lateral (
  select wheel_id, wheel_version, ${key}, ${count}
  from ${table}
  where merchant_id = $1
  and ${time} >= span.start_at
  and ${time} < span.end_at
  and ($2::int is null or wheel_id = $2)
  and ($3::int is null or campaign_id = $3)
  offset 0
) as counted
group by wheel_id, wheel_version, ${key}`

const sumsOf = <Row>(
  name: string,
  columns: { key: string; count: string },
): Record<keyof Spans, Statement<Row>> => ({
  months: statement<Row>(sumWithin(`${name}_months`, 'month', 'date', columns)),
  days: statement<Row>(sumWithin(`${name}_days`, 'day', 'date', columns)),
  quarters: statement<Row>(sumWithin(`${name}_counts`, 'quarter', 'timestamptz', columns)),
})

const playsCounted = sumsOf<CountedPlays>('play', { key: 'drawn, segment', count: 'plays' })
const settlementsCounted = sumsOf<CountedSettlements>('settlement', {
  key: 'segment, state',
  count: 'settlements',
})

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
