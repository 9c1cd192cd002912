/** How many players have a running streak, by its length. Only for campaigns with free spins. */
import { Group, Paper, Select, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { CampaignAnswer } from '../../../../src/http/answers/campaigns.ts'
import type { StreaksAnswer } from '../../../../src/http/answers/free-spins.ts'
import { FileMenu } from '../../parts/export-menu.tsx'
import { useLiveCampaigns } from '../../parts/known-campaigns.ts'
import { SeriesChart } from '../../parts/lazy-series-chart.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { DataTable } from '../../parts/table.tsx'
import { useRead } from '../../session.tsx'
import { formatNumber, t } from '../../texts.ts'
import { type Shape, ShapeChoice } from './shape-choice.tsx'
import type { ReportFilter } from './use-report-filter.ts'

export function Streaks({ filter }: { filter: ReportFilter }) {
  const campaigns = (useLiveCampaigns() ?? []).filter(
    ({ campaign, freeSpins }) =>
      freeSpins !== null && (filter.campaign === '' || filter.campaign === campaign),
  )
  const [chosen, setChosen] = useState<string | null>(null)
  const campaign = campaigns.find((one) => one.campaign === chosen) ?? campaigns[0]
  if (campaign === undefined) return null
  return (
    <Paper component="section" aria-labelledby="streaks-title">
      {campaigns.length === 1 ? null : (
        <Select
          label={t('filters.campaign')}
          data={campaigns.map(({ campaign: value, name }) => ({ value, label: name }))}
          value={campaign.campaign}
          allowDeselect={false}
          maw={320}
          mb="md"
          onChange={setChosen}
        />
      )}
      <StreaksOf campaign={campaign} />
    </Paper>
  )
}

function StreaksOf({ campaign: { campaign, name, freeSpins } }: { campaign: CampaignAnswer }) {
  const [shape, setShape] = useState<Shape>('chart')
  const address = `/api/v1/campaigns/${campaign}/streaks`
  const streaks = useRead<StreaksAnswer>(['campaigns', 'streaks', campaign], address, {
    refetchInterval: 60_000,
  })
  const every = freeSpins?.every === 'day' || freeSpins?.every === 'week' ? freeSpins.every : 'other'
  return (
    <>
      <Group justify="space-between" mb="xs" gap="sm">
        <Title order={2} id="streaks-title">
          {t('reports.streaks', { name })}
        </Title>
        <Group gap="sm">
          <ShapeChoice shape={shape} onShape={setShape} />
          <FileMenu
            files={[{ path: address, name: `streaks-${campaign}` }]}
            label="reports.download"
            size="xs"
          />
        </Group>
      </Group>
      <Text size="sm" c="dimmed" mb="md">
        {t('reports.streaksText')}
      </Text>
      <Loaded query={streaks}>
        {({ streaks: counts }) =>
          counts.length === 0 ? (
            <Empty icon="players" title={t('reports.noStreaks')} text={t('reports.noStreaksText')} />
          ) : shape === 'chart' ? (
            <SeriesChart
              caption={t('reports.streaks', { name })}
              head={t(`reports.streak.${every}`)}
              bars={[{ name: 'players', label: t('nav.players'), color: 'brand.4' }]}
              points={counts.map(({ streak, players }) => ({ label: formatNumber(streak), players }))}
            />
          ) : (
            <DataTable
              label={t('reports.streaks', { name })}
              items={counts}
              keyOf={({ streak }) => streak}
              columns={[
                { head: t(`reports.streak.${every}`), cell: ({ streak }) => formatNumber(streak) },
                { head: t('nav.players'), right: true, cell: ({ players }) => formatNumber(players) },
              ]}
            />
          )
        }
      </Loaded>
    </>
  )
}
