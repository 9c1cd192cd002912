/**
 * The service token created last in this tab, for command lines that work when pasted. It is kept in memory only, until
 * the tab is closed or reloaded, or the person signs out.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { IssuedTokenAnswer } from '../../../src/http/answers/tokens.ts'
import { useAction } from '../parts/action.ts'
import { tellProblem } from '../parts/notify.ts'
import { useApi, useRefresh } from '../session.tsx'

type TokenOrder = { name: string; scopes: string[]; expiresAt?: string; campaign?: string }

export function useFreshToken(): string | null {
  const { merchant } = useApi()
  const { data } = useQuery<string | null>({
    queryKey: freshKey(merchant),
    queryFn: () => null,
    enabled: false,
    gcTime: Infinity,
  })
  return data ?? null
}

export function useIssueToken() {
  const api = useApi()
  const client = useQueryClient()
  const refresh = useRefresh()
  return useAction({
    mutationFn: (order: TokenOrder) => api.post<IssuedTokenAnswer>('/api/v1/tokens', order),
    onSuccess: async ({ token }, { scopes }) => {
      const isForLines = ['spins', 'links'].every((scope) => scopes.includes(scope))
      if (isForLines) client.setQueryData(freshKey(api.merchant), token)
      await refresh('tokens')
    },
    onError: tellProblem,
  })
}

function freshKey(merchant: string): readonly string[] {
  return [merchant, 'fresh-token']
}
