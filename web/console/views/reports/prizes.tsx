import { Paper, Title } from '@mantine/core'
import type { PrizesReport } from '../../../../src/http/answers/reports.ts'
import type { WheelsAnswer } from '../../../../src/http/answers/wheels.ts'
import { Empty, Loaded } from '../../parts/states.tsx'
import { DataTable } from '../../parts/table.tsx'
import { useRead } from '../../session.tsx'
import { formatMoney, formatNumber, t } from '../../texts.ts'
import { type ReportFilter, useReport } from './use-report-filter.ts'

type Prize = PrizesReport['prizes'][number]

export function Prizes({ filter }: { filter: ReportFilter }) {
  const wheels = useRead<WheelsAnswer>(['wheels'], '/api/v1/wheels').data?.wheels
  const nameOf = (slug: string) => wheels?.find(({ wheel }) => wheel === slug)?.name ?? slug
  const report = useReport<PrizesReport>('prizes', filter)
  const count = (head: string, figure: (prize: Prize) => number) => ({
    head,
    right: true,
    cell: (prize: Prize) => formatNumber(figure(prize)),
  })
  return (
    <Paper component="section" aria-labelledby="prizes-title" className="card-flush" p={0}>
      <Title order={2} id="prizes-title" p="lg" pb="xs">
        {t('reports.prizes')}
      </Title>
      <Loaded query={report}>
        {({ prizes }) =>
          prizes.length === 0 ? (
            <Empty icon="prizes" title={t('player.noPlays')} text={t('reports.noPlaysText')} />
          ) : (
            <DataTable
              label={t('reports.prizes')}
              items={prizes}
              keyOf={({ wheel, prizeId }) => `${wheel} ${prizeId}`}
              columns={[
                { head: t('simulation.prize'), cell: ({ label }) => label },
                ...(filter.wheel === ''
                  ? [{ head: t('reports.wheel'), cell: ({ wheel }: Prize) => nameOf(wheel) }]
                  : []),
                count(t('reports.drawn'), ({ drawn }) => drawn),
                count(t('reports.given'), ({ given }) => given),
                count(t('reports.figure.redeemed'), ({ redeemed, reversed }) => redeemed - reversed),
                ...(prizes.some(({ reversed }) => reversed > 0)
                  ? [count(t('till.takenBack'), ({ reversed }) => reversed)]
                  : []),
                ...(prizes.some(({ held }) => held > 0)
                  ? [
                      count(t('prizeState.held'), ({ held }) => held),
                      count(t('prizeState.refused'), ({ refused }) => refused),
                    ]
                  : []),
                count(t('reports.expired'), ({ expired }) => expired),
                { head: t('reports.figure.cost'), right: true, cell: ({ cost }) => formatMoney(cost) },
              ]}
            />
          )
        }
      </Loaded>
    </Paper>
  )
}
