/** The filter of all reports. It is part of the URL, so that a report can be shared. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMerchantNow } from '../../parts/merchant-now.ts'
import { useApi } from '../../session.tsx'
import { useSearchParams } from '../../parts/search-params.ts'
import { daysAfter, zonedDay } from '../../parts/zoned-time.ts'

export const comparisons = ['previous', 'week', 'year', 'none'] as const
type Comparison = (typeof comparisons)[number]

export type ReportFilter = { campaign: string; wheel: string; from: string; to: string; compare: Comparison }

/** The filter in the URL: by default the last 30 days in the merchant's time zone, beside the 30 days before. */
export function useReportFilter(timeZone: string) {
  const [params, setParams] = useSearchParams()
  const now = useMerchantNow()
  const today = zonedDay(now, timeZone)
  const to = dayIn(params.get('to')) ?? today
  const from = dayIn(params.get('from'))
  const filter: ReportFilter = {
    campaign: params.get('campaign') ?? '',
    wheel: params.get('wheel') ?? '',
    from: from !== undefined && from <= to ? from : daysAfter(to, -29),
    to,
    compare: comparisons.find((one) => one === params.get('compare')) ?? 'previous',
  }
  const change = (changes: Partial<ReportFilter>) =>
    setParams(
      (before) => {
        for (const [name, value] of Object.entries(changes)) {
          if (value === '') before.delete(name)
          else before.set(name, value)
        }
        return before
      },
      { replace: true },
    )
  return { filter, change }
}

export type ReportName = 'performance' | 'funnel' | 'cohorts' | 'prizes' | 'days'

/** A report for the filter. While another one is loaded, the last one stays. */
export function useReport<Report>(name: ReportName, filter: ReportFilter) {
  const api = useApi()
  const address = addressOf(name, filter)
  return useQuery({
    queryKey: [api.merchant, 'reports', address],
    queryFn: ({ signal }) => api.get<Report>(address, signal),
    refetchInterval: 60_000,
    placeholderData: keepPreviousData,
  })
}

/**
 * Only two of the reports can be compared. The spins of a day are those of all wheels and campaigns. Players return
 * over more weeks than a short period has.
 */
export function addressOf(name: ReportName, { campaign, wheel, from, to, compare }: ReportFilter): string {
  const query = new URLSearchParams({ to })
  if (name !== 'cohorts') query.set('from', from)
  if (campaign !== '' && name !== 'days') query.set('campaign', campaign)
  if (wheel !== '' && name !== 'days') query.set('wheel', wheel)
  if ((name === 'performance' || name === 'funnel') && compare !== 'none') query.set('compare', compare)
  return `/api/v1/reports/${name}?${query}`
}

/** A day of the URL, which may be anything. */
function dayIn(text: string | null): string | undefined {
  return text !== null && /^20\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
    ? text
    : undefined
}
