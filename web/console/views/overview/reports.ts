/** The reports for the days up to today. */
import type { DaysReport, PrizesReport } from '../../../../src/http/answers/reports.ts'
import { useMerchantNow } from '../../parts/merchant-now.ts'
import { daysAfter, zonedDay } from '../../parts/zoned-time.ts'
import { useRead } from '../../session.tsx'
import { zoneOfView } from '../../texts.ts'

export type ReportDay = DaysReport['days'][number]
export type ReportPrize = PrizesReport['prizes'][number]

/** The figures that the overview shows. */
export const measures = ['plays', 'wins', 'spinsGranted', 'newPlayers', 'cost'] as const
export type Measure = (typeof measures)[number]

/** Twice the days, to compare with the previous period. */
export function useDayReport(days: number) {
  const now = useMerchantNow()
  return useRead<DaysReport>(
    ['reports', 'days', days],
    `/api/v1/reports/days?from=${dayBack(now, days * 2 - 1)}`,
    {
      refetchInterval: 60_000,
    },
  )
}

export function usePrizeReport(days: number) {
  const now = useMerchantNow()
  return useRead<PrizesReport>(
    ['reports', 'prizes', days],
    `/api/v1/reports/prizes?from=${dayBack(now, days - 1)}`,
    {
      refetchInterval: 60_000,
    },
  )
}

/** So many days before today, in the merchant's time zone. */
export function dayBack(now: number, days: number): string {
  return daysAfter(zonedDay(now, zoneOfView()), -days)
}
