/** What the reports say, for the days up to today. */
import { useRead } from '../../session.tsx'

export type ReportDay = {
  day: string
  plays: number
  wins: number
  cost: number
  grants: number
  spinsGranted: number
  newPlayers: number
  redeemed: number
}
export type DayReport = {
  timeZone: string
  from: string
  to: string
  countedUntil: string | null
  days: ReportDay[]
}

export type ReportPrize = {
  wheel: string
  prizeId: string
  kind: string
  label: string
  given: number
  drawn: number
  expected: number
  deviation: number
  cost: number
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
