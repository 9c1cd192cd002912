import { useQuery } from '@tanstack/react-query'
import type { PrizesAnswer } from '../../../src/http/answers/prizes.ts'
import { useMerchantNow } from '../parts/merchant-now.ts'
import { useApi } from '../session.tsx'
import { t } from '../texts.ts'

const countedMax = 100

/** What to tell about prizes that wait for a check, of one campaign or of all; undefined if there are none. */
export function useHeldNote(campaign?: string): { path: string; text: string } | undefined {
  const api = useApi()
  const now = useMerchantNow()
  const query = new URLSearchParams({ state: 'held', ...(campaign === undefined ? {} : { campaign }) })
  const { data } = useQuery({
    queryKey: [api.merchant, 'prizes', 'held', campaign],
    queryFn: ({ signal }) => api.get<PrizesAnswer>(`/api/v1/prizes?${query}&limit=${countedMax}`, signal),
    refetchInterval: 60_000,
  })
  if (data === undefined || data.prizes.length === 0) return undefined
  const { prizes, next } = data
  const late = prizes.filter(({ heldUntil }) => heldUntil !== null && Date.parse(heldUntil) < now).length
  const path = `/prizes?${query}`
  if (next !== null) return { path, text: t('attention.manyHeld', { count: countedMax }) }
  return {
    path,
    text: t(late === 0 ? 'attention.held' : 'attention.heldLate', { count: prizes.length, late }),
  }
}
