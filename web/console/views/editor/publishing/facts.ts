/** The facts by which a publication is judged: what was given out, codes that are left, and plays. */
import { useQuery } from '@tanstack/react-query'
import type { PoolsAnswer } from '../../../../../src/http/answers/code-pools.ts'
import type { PerformanceReport } from '../../../../../src/http/answers/reports.ts'
import type { VersionsAnswer } from '../../../../../src/http/answers/versions.ts'
import type { ForecastAnswer, SimulationAnswer } from '../../../../../src/http/answers/wheels.ts'
import { forecastPlaysMax } from '../../../../../src/limits.ts'
import { Problem } from '../../../api.ts'
import { useApi, useRead } from '../../../session.tsx'
import { type Facts, usualPlays } from './effects.ts'

/** Undefined while they are loading. What can't be read stays unknown. */
export function useFacts(slug: string, { enabled, at }: { enabled: boolean; at: number }): Facts | undefined {
  const versions = useRead<VersionsAnswer>(['versions', slug], `/api/v1/wheels/${slug}/versions`, { enabled })
  const pools = useRead<PoolsAnswer>(['code-pools'], '/api/v1/code-pools', { enabled })
  const path = `/api/v1/reports/performance?${new URLSearchParams({ wheel: slug })}`
  const plays = useRead<PerformanceReport>(['plays', slug], path, { enabled })
  if (!enabled || [versions, pools, plays].some(({ isPending }) => isPending)) return undefined
  return {
    at,
    given: new Map(versions.data?.stocks.map(({ prize, given }) => [prize, given])),
    codesLeft: new Map(pools.data?.pools.map(({ pool, uploaded, taken }) => [pool, uploaded - taken])),
    playsPerDay: usualPlays(plays.data?.days ?? []),
  }
}

type ForecastOrder = {
  slug: string
  of: 'draft' | 'published' | 'scheduled'
  playsPerDay: number
  /** For a later publication. */
  at: string | undefined
  enabled: boolean
}

const forecastDays = 7

/** The forecast of the next days; null for a wheel with problems. */
export function useForecast({ slug, of, playsPerDay, at, enabled }: ForecastOrder) {
  const api = useApi()
  const days = Math.max(1, Math.min(forecastDays, Math.floor(forecastPlaysMax / playsPerDay)))
  const order = { of, playsPerDay, days, spinsPerPlayer: 3, ...(at === undefined ? {} : { at }) }
  return useQuery<ForecastAnswer | null>({
    queryKey: [api.merchant, 'forecast', slug, order],
    queryFn: async () =>
      (await api.post<SimulationAnswer>(`/api/v1/wheels/${slug}/simulation`, order)).forecast,
    enabled,
    // A merchant has few simulations at a time, and the one of the editor may be running.
    retry: (count, error) => count < 10 && error instanceof Problem && error.status === 503,
    retryDelay: 1_500,
  })
}
