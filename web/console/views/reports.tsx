/** Reports by campaign, wheel and dates, beside another period. Everything shown can be downloaded as CSV. */
import { Stack, Text } from '@mantine/core'
import type { PerformanceReport } from '../../../src/http/answers/reports.ts'
import { Loaded, PageHead } from '../parts/states.tsx'
import { useMerchant } from '../session.tsx'
import { formatTime, t } from '../texts.ts'
import { ByDay } from './reports/by-day.tsx'
import { Cohorts } from './reports/cohorts.tsx'
import { Downloads } from './reports/downloads.tsx'
import { Filters } from './reports/filters.tsx'
import { Funnel } from './reports/funnel.tsx'
import { Prizes } from './reports/prizes.tsx'
import { Spins } from './reports/spins.tsx'
import { Streaks } from './reports/streaks.tsx'
import { Totals } from './reports/totals.tsx'
import { useReport, useReportFilter } from './reports/use-report-filter.ts'
import './reports/reports.css'

export function Reports() {
  const { timeZone } = useMerchant()
  const { filter, change } = useReportFilter(timeZone)
  const performance = useReport<PerformanceReport>('performance', filter)
  return (
    <>
      <PageHead title={t('nav.reports')}>
        <Downloads filter={filter} />
      </PageHead>
      <Stack gap="lg">
        <Filters filter={filter} onChange={change} />
        <Loaded query={performance} rows={6}>
          {(report) => (
            <>
              <Totals report={report} />
              <ByDay report={report} />
            </>
          )}
        </Loaded>
        <Spins filter={filter} />
        <Streaks filter={filter} />
        <Funnel filter={filter} />
        <Prizes filter={filter} />
        <Cohorts filter={filter} />
        {performance.data?.countedUntil ? (
          <Text size="sm" c="dimmed">
            {t('reports.countedUntil', { time: formatTime(performance.data.countedUntil) })}
          </Text>
        ) : null}
      </Stack>
    </>
  )
}
