/** Where the players' spins come from, day by day: granted, free and won ones. */
import { Group, Paper, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { DaysReport } from '../../../../src/http/answers/reports.ts'
import { SeriesChart } from '../../parts/lazy-series-chart.tsx'
import { Loaded } from '../../parts/states.tsx'
import { DataTable } from '../../parts/table.tsx'
import { formatDay, formatNumber, t } from '../../texts.ts'
import { type Shape, ShapeChoice } from './shape-choice.tsx'
import { type ReportFilter, useReport } from './use-report-filter.ts'

const sources = ['spinsGranted', 'spinsFree', 'spinsWon'] as const
const colours = { spinsGranted: 'teal.6', spinsFree: 'brand.4', spinsWon: 'orange.5' }

export function Spins({ filter }: { filter: ReportFilter }) {
  const report = useReport<DaysReport>('days', filter)
  const [shape, setShape] = useState<Shape>('chart')
  return (
    <Paper component="section" aria-labelledby="spins-title">
      <Group justify="space-between" mb="md" gap="sm">
        <Title order={2} id="spins-title">
          {t('reports.days')}
        </Title>
        <ShapeChoice shape={shape} onShape={setShape} />
      </Group>
      {filter.campaign === '' && filter.wheel === '' ? null : (
        <Text size="sm" c="dimmed" mb="sm">
          {t('reports.spinsOfAll')}
        </Text>
      )}
      <Loaded query={report}>
        {({ days }) => (
          <>
            <Text size="sm" mb="md">
              {sources
                .map((name) => `${t(`reports.${name}`)}: ${formatNumber(sumOf(days, name))}`)
                .join(' · ')}
            </Text>
            {shape === 'chart' ? <Chart days={days} /> : <Days days={days} />}
          </>
        )}
      </Loaded>
    </Paper>
  )
}

type ReportDays = DaysReport['days']

function Chart({ days }: { days: ReportDays }) {
  return (
    <SeriesChart
      bars={sources.map((name) => ({ name, label: t(`reports.${name}`), color: colours[name] }))}
      points={days.map((day) => ({
        label: formatDay(day.day),
        spinsGranted: day.spinsGranted,
        spinsFree: day.spinsFree,
        spinsWon: day.spinsWon,
      }))}
    />
  )
}

function Days({ days }: { days: ReportDays }) {
  return (
    <div className="report-table">
      <DataTable
        label={t('reports.days')}
        items={days}
        keyOf={({ day }) => day}
        columns={[
          { head: t('overview.day'), cell: ({ day }) => formatDay(day) },
          ...sources.map((name) => ({
            head: t(`reports.${name}`),
            right: true,
            cell: (day: ReportDays[number]) => formatNumber(day[name]),
          })),
        ]}
      />
    </div>
  )
}

function sumOf(days: ReportDays, name: (typeof sources)[number]): number {
  return days.reduce((sum, day) => sum + day[name], 0)
}
