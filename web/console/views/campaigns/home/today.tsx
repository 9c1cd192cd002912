import { Anchor, Group, Paper, SimpleGrid, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import type { CampaignAnswer } from '../../../../../src/http/answers/campaigns.ts'
import type { PerformanceReport } from '../../../../../src/http/answers/reports.ts'
import { useMerchantNow } from '../../../parts/merchant-now.ts'
import { Loaded } from '../../../parts/states.tsx'
import { useApi, useRead } from '../../../session.tsx'
import { formatTime, t } from '../../../texts.ts'
import { dayBack } from '../../overview/reports.ts'
import { type Figure, formatFigure } from '../../reports/figures.ts'

const figures = ['visits', 'plays', 'wins', 'cost', 'redeemed'] as const satisfies readonly Figure[]

/** The figures of today, beside those of yesterday and of the same day a week ago. */
export function Today({ campaign: { campaign } }: { campaign: CampaignAnswer }) {
  const { merchant } = useApi()
  const from = dayBack(useMerchantNow(), 8)
  const report = useRead<PerformanceReport>(
    ['reports', 'today', campaign, from],
    `/api/v1/reports/performance?campaign=${campaign}&from=${from}`,
    { refetchInterval: 15_000 },
  )
  return (
    <section aria-labelledby="today-title">
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2} id="today-title">
          {t('home.today')}
        </Title>
        <Anchor component={Link} size="sm" href={`/m/${merchant}/reports?campaign=${campaign}`}>
          {t('home.reports')}
        </Anchor>
      </Group>
      <Loaded query={report} rows={3}>
        {({ days, countedUntil }) => (
          <>
            <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="md">
              {figures.map((figure) => (
                <Tile key={figure} figure={figure} days={days} />
              ))}
            </SimpleGrid>
            {countedUntil === null ? null : (
              <Text size="sm" c="dimmed" mt="xs">
                {t('home.countedUntil', { time: formatTime(countedUntil) })}
              </Text>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

function Tile({ figure, days }: { figure: Figure; days: PerformanceReport['days'] }) {
  const [lastWeek, yesterday, today] = [-8, -2, -1].map((at) =>
    formatFigure(figure, days.at(at)?.[figure] ?? 0),
  )
  return (
    <Paper p="md">
      <Text size="sm" c="dimmed">
        {t(`reports.figure.${figure}`)}
      </Text>
      <div className="stat-value">{today}</div>
      <Text size="xs" c="dimmed" mt={4}>
        {t('home.yesterday', { figure: yesterday ?? '' })}
      </Text>
      <Text size="xs" c="dimmed">
        {t('home.lastWeek', { figure: lastWeek ?? '' })}
      </Text>
    </Paper>
  )
}
