import { Paper, Title } from '@mantine/core'
import type { ForecastAnswer } from '../../../../../src/http/answers/wheels.ts'
import { SeriesChart } from '../../../parts/lazy-series-chart.tsx'
import { formatDay, t } from '../../../texts.ts'
import { palette } from '../draft/new-wheel.ts'

/** What is left of each limited prize in the evening of each day. */
export function StockChart({
  forecast,
  limited,
}: {
  forecast: ForecastAnswer
  limited: ForecastAnswer['prizes']
}) {
  const lines = limited.map(({ id, label }, index) => ({
    name: id,
    label,
    color: palette[index % palette.length] as string,
  }))
  const point = (
    label: string,
    stockOf: (prize: ForecastAnswer['prizes'][number]) => number | undefined,
  ) => ({
    label,
    ...Object.fromEntries(limited.map((prize) => [prize.id, stockOf(prize) ?? null])),
  })
  const points = [
    point(t('simulation.start'), ({ stock }) => stock?.atStart),
    ...forecast.days.map(({ day }, place) =>
      point(formatDay(day), ({ stock }) => Math.round(stock?.byDay[place]?.expected ?? 0)),
    ),
  ]
  return (
    <Paper component="section" aria-labelledby="stock-title">
      <Title order={2} id="stock-title" mb="md">
        {t('simulation.stock')}
      </Title>
      <SeriesChart lines={lines} points={points} />
    </Paper>
  )
}
