/** A bar chart by day. Loaded separately: the charting library is as large as the rest of the console. */
import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { VisuallyHidden } from '@mantine/core'
import { formatCompact, formatCompactMoney, formatDay, formatMoney, formatNumber, t } from '../texts.ts'
import type { Measure, ReportDay } from '../views/overview/reports.ts'

const colours: Record<Measure, string> = {
  plays: 'brand.4',
  wins: 'orange.5',
  spinsGranted: 'teal.6',
  newPlayers: 'blue.5',
  cost: 'pink.6',
}

export function DayChart({ days, measures }: { days: readonly ReportDay[]; measures: readonly Measure[] }) {
  const isMoney = measures.includes('cost')
  const show = isMoney ? formatMoney : formatNumber
  return (
    <>
      <div aria-hidden="true">
        <BarChart
          h={260}
          data={days.map((day) => ({ ...day, day: formatDay(day.day) }))}
          dataKey="day"
          series={measures.map((name) => ({ name, label: t(`measure.${name}`), color: colours[name] }))}
          valueFormatter={show}
          // Only money has fractions.
          yAxisProps={{
            tickFormatter: isMoney ? formatCompactMoney : formatCompact,
            width: isMoney ? 64 : 44,
            allowDecimals: isMoney,
          }}
          xAxisProps={{ interval: 'preserveStartEnd', minTickGap: 24 }}
          // Screen readers get the table below instead; the hidden chart must not take the focus.
          barChartProps={{ accessibilityLayer: false }}
          tickLine="none"
          gridAxis="x"
          withLegend={measures.length > 1}
          legendProps={{ verticalAlign: 'bottom' }}
          barProps={{ radius: [3, 3, 0, 0], isAnimationActive: false }}
          maxBarWidth={28}
        />
      </div>
      <VisuallyHidden>
        <table>
          <caption>{t('overview.chart')}</caption>
          <thead>
            <tr>
              <th>{t('overview.day')}</th>
              {measures.map((name) => (
                <th key={name}>{t(`measure.${name}`)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={day.day}>
                <td>{formatDay(day.day)}</td>
                {measures.map((name) => (
                  <td key={name}>{show(day[name])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </>
  )
}
