/** Bars and lines over days. Loaded separately: the charting library is as large as the rest of the console. */
import '@mantine/charts/styles.css'
import { CompositeChart } from '@mantine/charts'
import { VisuallyHidden } from '@mantine/core'
import { formatCompact, formatCompactMoney, formatMoney, formatNumber, t } from '../texts.ts'

type Series = { name: string; label: string; color: string }
type Point = { label: string } & Record<string, string | number | null>

/** The chart is for the eyes. Screen readers get the same figures as a table. */
export function SeriesChart(props: {
  bars?: readonly Series[]
  lines?: readonly Series[]
  points: readonly Point[]
  isMoney?: boolean
  /** What the table says that the chart shows, and the head of its first column. Days by default. */
  caption?: string
  head?: string
}) {
  const { bars = [], lines = [], points, isMoney = false } = props
  const show = isMoney ? formatMoney : formatNumber
  const { caption = t('overview.chart'), head = t('overview.day') } = props
  const series = [
    ...bars.map((one) => ({ ...one, type: 'bar' as const })),
    ...lines.map((one) => ({ ...one, type: 'line' as const })),
  ]
  return (
    <>
      <div aria-hidden="true">
        <CompositeChart
          h={280}
          data={[...points]}
          dataKey="label"
          series={series}
          valueFormatter={show}
          // Only money has fractions.
          yAxisProps={{
            tickFormatter: isMoney ? formatCompactMoney : formatCompact,
            width: isMoney ? 64 : 44,
            allowDecimals: hasFractions(points),
          }}
          xAxisProps={{ interval: 'preserveStartEnd', minTickGap: 24 }}
          composedChartProps={{ accessibilityLayer: false }}
          tickLine="none"
          gridAxis="x"
          withDots={false}
          curveType="linear"
          withLegend={series.length > 1}
          legendProps={{ verticalAlign: 'bottom' }}
          barProps={{ radius: [3, 3, 0, 0], isAnimationActive: false }}
          lineProps={{ isAnimationActive: false }}
          maxBarWidth={28}
        />
      </div>
      <VisuallyHidden>
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th>{head}</th>
              {series.map(({ name, label }) => (
                <th key={name}>{label}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map((point, index) => (
              <tr key={index}>
                <td>{point.label}</td>
                {series.map(({ name }) => (
                  <td key={name}>{typeof point[name] === 'number' ? show(point[name]) : '–'}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </>
  )
}

function hasFractions(points: readonly Point[]): boolean {
  return points.some((point) =>
    Object.values(point).some((value) => typeof value === 'number' && !Number.isInteger(value)),
  )
}
