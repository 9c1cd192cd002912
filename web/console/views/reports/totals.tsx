import { Paper, SimpleGrid, Text } from '@mantine/core'
import type { PerformanceReport } from '../../../../src/http/answers/reports.ts'
import { t } from '../../texts.ts'
import { figureOf, figures, formatChange, formatFigure, formatPeriod } from './figures.ts'

/** The sums of the period, each with its change against the other period. */
export function Totals({ report }: { report: PerformanceReport }) {
  const { totals, comparedTotals, compared } = report
  return (
    <section aria-label={t('reports.totals')}>
      <SimpleGrid cols={{ base: 2, md: 3, xl: 6 }} spacing="md">
        {figures.map((figure) => (
          <Paper key={figure} p="md">
            <Text size="sm" c="dimmed">
              {t(`reports.figure.${figure}`)}
            </Text>
            <div className="stat-value">{formatFigure(figure, figureOf(totals, figure))}</div>
            {figure === 'redeemed' && totals.reversed > 0 ? (
              <Text size="xs" mt={4}>
                {t('reports.takenBack', { count: totals.reversed })}
              </Text>
            ) : null}
            {comparedTotals === null ? null : (
              <Text size="xs" c="dimmed" mt={4}>
                {t('reports.against', {
                  change: formatChange(figureOf(totals, figure), figureOf(comparedTotals, figure)),
                  before: formatFigure(figure, figureOf(comparedTotals, figure)),
                })}
              </Text>
            )}
          </Paper>
        ))}
      </SimpleGrid>
      {compared === null ? null : (
        <Text size="sm" c="dimmed" mt="xs">
          {t('reports.comparedWith', { period: formatPeriod(compared) })}
        </Text>
      )}
    </section>
  )
}
