import { Paper, Text, Title } from '@mantine/core'
import type { FunnelReport } from '../../../../src/http/answers/reports.ts'
import { Empty, Loaded } from '../../parts/states.tsx'
import { formatNumber, formatShare, t } from '../../texts.ts'
import { type ReportFilter, useReport } from './use-report-filter.ts'

/** How far visits came, from opening the game to a redeemed prize. */
export function Funnel({ filter, title }: { filter: ReportFilter; title?: string }) {
  const report = useReport<FunnelReport>('funnel', filter)
  return (
    <Paper component="section" aria-labelledby="funnel-title">
      <Title order={2} id="funnel-title">
        {title ?? t('reports.funnel')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('reports.funnelText')}
      </Text>
      <Loaded query={report}>
        {({ stages }) =>
          stages[0]?.visits === 0 ? (
            <Empty icon="players" title={t('reports.noVisits')} text={t('reports.noVisitsText')} />
          ) : (
            <ol className="funnel">
              {stages.map((stage) => (
                <Stage key={stage.stage} stage={stage} />
              ))}
            </ol>
          )
        }
      </Loaded>
    </Paper>
  )
}

function Stage({ stage }: { stage: FunnelReport['stages'][number] }) {
  const { visits, share, comparedVisits, comparedShare } = stage
  return (
    <li>
      <Text size="sm" fw={600} className="funnel-name">
        {t(`reports.stage.${stage.stage}`)}
      </Text>
      <span className="funnel-track" aria-hidden="true">
        <span className="funnel-bar" style={{ width: `${share * 100}%` }} />
        {comparedShare === null ? null : (
          <span className="funnel-before" style={{ insetInlineStart: `${comparedShare * 100}%` }} />
        )}
      </span>
      <Text size="sm" className="number funnel-count">
        {formatNumber(visits)} · {formatShare(share)}
      </Text>
      {comparedVisits === null ? null : (
        <Text size="xs" c="dimmed" className="number funnel-compared">
          {t('reports.stageBefore', {
            count: formatNumber(comparedVisits),
            share: comparedShare === null ? '–' : formatShare(comparedShare),
          })}
        </Text>
      )}
    </li>
  )
}
