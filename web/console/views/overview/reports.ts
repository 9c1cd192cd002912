/** The reports for the days up to today. */
import type { DaysReport, PrizesReport } from '../../../../src/http/answers/reports.ts'
import { useRead } from '../../session.tsx'

export type ReportDay = DaysReport['days'][number]
export type ReportPrize = PrizesReport['prizes'][number]

/** The figures that the overview shows. */
export const measures = ['plays', 'wins', 'spinsGranted', 'newPlayers', 'cost'] as const
export type Measure = (typeof measures)[number]

/** Twice the days, to compare with the previous period. */
export function useDayReport(days: number) {
  return useRead<DaysReport>(
    ['reports', 'days', days],
    `/api/v1/reports/days?from=${dayBack(days * 2 - 1)}`,
    {
      refetchInterval: 60_000,
    },
  )
}

export function usePrizeReport(days: number) {
  return useRead<PrizesReport>(
    ['reports', 'prizes', days],
    `/api/v1/reports/prizes?from=${dayBack(days - 1)}`,
    {
      refetchInterval: 60_000,
    },
  )
}

function dayBack(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}
