import { Group, Paper, SegmentedControl, SimpleGrid, Skeleton, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Icon, type IconName } from '../../parts/icons.tsx'
import { lazyComponent } from '../../parts/lazy-component.tsx'
import { Loaded } from '../../parts/states.tsx'
import { formatMoney, formatNumber, formatShare, t } from '../../texts.ts'
import { type Measure, measures, type ReportDay, useDayReport } from './reports.ts'

const DayChart = lazyComponent(
  () => import('../../parts/day-chart.tsx').then((m) => m.DayChart),
  () => <Skeleton height={chartHeight} />,
)

const chartHeight = 260
const icons: Record<Measure, IconName> = {
  plays: 'wheel',
  wins: 'prizes',
  spinsGranted: 'bolt',
  newPlayers: 'players',
  cost: 'codes',
}
const views = {
  game: ['plays', 'wins'],
  spins: ['spinsGranted'],
  players: ['newPlayers'],
  cost: ['cost'],
} as const satisfies Record<string, readonly Measure[]>

/**
 * Totals of the date range compared with the previous one, and a chart by day. The chart is loaded after the figures
 * are shown, because drawing it takes longer than all of them.
 */
export function Figures({ days, isShown }: { days: number; isShown: boolean }) {
  const report = useDayReport(days)
  const [view, setView] = useState<keyof typeof views>('game')
  return (
    <Loaded query={report} rows={6}>
      {(data) => {
        const now = data.days.slice(-days)
        const before = data.days.slice(0, -days)
        return (
          <>
            <SimpleGrid cols={{ base: 1, xs: 2, md: 3, xl: 5 }} spacing="md">
              {measures.map((measure) => (
                <Tile key={measure} measure={measure} now={sum(now, measure)} before={sum(before, measure)} />
              ))}
            </SimpleGrid>
            <Paper component="section" aria-labelledby="chart-title">
              <Group justify="space-between" mb="md">
                <Title order={2} id="chart-title">
                  {t('overview.chart')}
                </Title>
                <SegmentedControl
                  size="xs"
                  aria-label={t('overview.measure')}
                  value={view}
                  onChange={setView}
                  data={(Object.keys(views) as (keyof typeof views)[]).map((value) => ({
                    value,
                    label: t(`overview.view.${value}`),
                  }))}
                />
              </Group>
              {isShown ? <DayChart days={now} measures={views[view]} /> : <Skeleton height={chartHeight} />}
            </Paper>
          </>
        )
      }}
    </Loaded>
  )
}

function Tile({ measure, now, before }: { measure: Measure; now: number; before: number }) {
  const change = before === 0 ? null : (now - before) / before
  return (
    <Paper p="md">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text size="sm" c="dimmed">
          {t(`measure.${measure}`)}
        </Text>
        <span className="tile tile-small">
          <Icon name={icons[measure]} size={16} />
        </span>
      </Group>
      <div className="stat-value">{measure === 'cost' ? formatMoney(now) : formatNumber(now)}</div>
      <Text size="xs" c="dimmed" mt={4}>
        {change === null
          ? t('overview.noBefore')
          : t(change >= 0 ? 'overview.more' : 'overview.less', { share: formatShare(Math.abs(change)) })}
      </Text>
    </Paper>
  )
}

function sum(days: readonly ReportDay[], measure: Measure): number {
  return Math.round(days.reduce((total, day) => total + day[measure], 0) * 100) / 100
}
