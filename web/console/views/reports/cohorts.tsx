import { Paper, Table, Text, Title } from '@mantine/core'
import type { CohortsReport } from '../../../../src/http/answers/reports.ts'
import { Empty, Loaded } from '../../parts/states.tsx'
import { formatDay, formatNumber, formatShare, t } from '../../texts.ts'
import { type ReportFilter, useReport } from './use-report-filter.ts'

type Cohort = CohortsReport['cohorts'][number]

/** Players by the week of their first play, and the share of them who played in each week since. */
export function Cohorts({ filter }: { filter: ReportFilter }) {
  const report = useReport<CohortsReport>('cohorts', filter)
  return (
    <Paper component="section" aria-labelledby="cohorts-title" className="card-flush" p={0}>
      <Title order={2} id="cohorts-title" px="lg" pt="lg">
        {t('reports.cohorts')}
      </Title>
      <Text size="sm" c="dimmed" px="lg" pb="sm">
        {t('reports.cohortsText')}
      </Text>
      <Loaded query={report}>
        {({ cohorts }) => {
          const shown = cohorts.filter(({ players }) => players > 0)
          return shown.length === 0 ? (
            <Empty icon="players" title={t('player.noPlays')} text={t('reports.noPlaysText')} />
          ) : (
            <CohortTable cohorts={shown} />
          )
        }}
      </Loaded>
    </Paper>
  )
}

function CohortTable({ cohorts }: { cohorts: Cohort[] }) {
  const columns = Math.max(...cohorts.map(({ weeks }) => weeks.length))
  return (
    <div className="scroll" tabIndex={0} role="group" aria-label={t('reports.cohorts')}>
      <Table className="table cohorts">
        <Table.Thead>
          <Table.Tr>
            <Table.Th pl="lg">{t('reports.firstWeek')}</Table.Th>
            <Table.Th ta="right">{t('nav.players')}</Table.Th>
            {Array.from({ length: columns - 1 }, (_, index) => (
              <Table.Th key={index} ta="right">
                {t('reports.weekAfter', { count: index + 1 })}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody className="number">
          {cohorts.map(({ week, players, weeks }) => (
            <Table.Tr key={week}>
              <Table.Th scope="row" pl="lg" fw={500}>
                {formatDay(week)}
              </Table.Th>
              <Table.Td ta="right">{formatNumber(players)}</Table.Td>
              {weeks.slice(1).map(({ after, players: returned, share }) => (
                <Table.Td
                  key={after}
                  ta="right"
                  className="cohort-cell"
                  style={{ '--share': share }}
                  title={t('reports.returned', { count: returned })}
                >
                  {formatShare(Math.round(share * 1000) / 1000)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
