/** What the reports say, for the days up to today. */
import type { DayReport as ReportDay } from '../../../../src/reports/day-reports.ts'
import type { PrizeReport as ReportPrize } from '../../../../src/reports/prize-reports.ts'
import { useRead } from '../../session.tsx'

export type { ReportDay, ReportPrize }

/** The figures that the overview shows. */
export const measures = ['plays', 'wins', 'spinsGranted', 'newPlayers', 'cost'] as const
export type Measure = (typeof measures)[number]

type DayReport = {
  timeZone: string
  from: string
  to: string
  countedUntil: string | null
  days: ReportDay[]
}

/** Twice the days, so that the time before can be compared with. */
export function useDayReport(days: number) {
  return useRead<DayReport>(['reports', 'days', days], `/api/v1/reports/days?from=${dayBack(days * 2 - 1)}`, {
    refetchInterval: 60_000,
  })
}

export function usePrizeReport(days: number) {
  return useRead<{ prizes: ReportPrize[] }>(
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
