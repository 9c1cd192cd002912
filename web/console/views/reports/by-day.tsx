import { Group, Paper, Select, Title } from '@mantine/core'
import { useState } from 'react'
import type { PerformanceReport } from '../../../../src/http/answers/reports.ts'
import { SeriesChart } from '../../parts/lazy-series-chart.tsx'
import { DataTable } from '../../parts/table.tsx'
import { formatDay, t } from '../../texts.ts'
import { type Figure, figureOf, figures, formatFigure } from './figures.ts'
import { type Shape, ShapeChoice } from './shape-choice.tsx'

/** A figure day by day, beside the other period, as a chart or as a table. */
export function ByDay({ report }: { report: PerformanceReport }) {
  const [figure, setFigure] = useState<Figure>('plays')
  const [shape, setShape] = useState<Shape>('chart')
  return (
    <Paper component="section" aria-labelledby="by-day-title">
      <Group justify="space-between" mb="md" gap="sm">
        <Title order={2} id="by-day-title">
          {t('overview.chart')}
        </Title>
        <Group gap="sm">
          <Select
            aria-label={t('overview.measure')}
            size="xs"
            w={170}
            data={figures.map((value) => ({ value, label: t(`reports.figure.${value}`) }))}
            value={figure}
            allowDeselect={false}
            onChange={(value) => value !== null && setFigure(value)}
          />
          <ShapeChoice shape={shape} onShape={setShape} />
        </Group>
      </Group>
      {shape === 'chart' ? (
        <Chart report={report} figure={figure} />
      ) : (
        <Days report={report} figure={figure} />
      )}
    </Paper>
  )
}

type Shown = { report: PerformanceReport; figure: Figure }

function Chart({ report, figure }: Shown) {
  const label = t(`reports.figure.${figure}`)
  const others =
    report.compared === null ? [] : [{ name: 'compared', label: t('reports.compared'), color: 'orange.6' }]
  return (
    <SeriesChart
      bars={[{ name: 'now', label, color: 'brand.4' }]}
      lines={others}
      isMoney={figure === 'cost'}
      points={report.days.map((day) => ({
        label: formatDay(day.day),
        now: figureOf(day, figure),
        compared: day.compared === null ? null : figureOf(day.compared, figure),
      }))}
    />
  )
}

function Days({ report, figure }: Shown) {
  const own = {
    head: t(`reports.figure.${figure}`),
    right: true,
    cell: (day: PerformanceReport['days'][number]) => formatFigure(figure, figureOf(day, figure)),
  }
  const other = {
    head: t('reports.compared'),
    right: true,
    cell: ({ compared }: PerformanceReport['days'][number]) =>
      compared === null ? '–' : formatFigure(figure, figureOf(compared, figure)),
  }
  return (
    <div className="report-table">
      <DataTable
        label={t('overview.chart')}
        items={report.days}
        keyOf={({ day }) => day}
        columns={[
          { head: t('overview.day'), cell: ({ day }) => formatDay(day) },
          own,
          ...(report.compared === null ? [] : [other]),
        ]}
      />
    </div>
  )
}
