/**
 * The service token that was made last in this tab, for command lines that work when they are pasted. It lives in memory
 * only, and goes when the tab is closed, loaded anew or signed out.
 */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { tellProblem } from '../parts/notify.ts'
import { useApi, useRefresh } from '../session.tsx'

type TokenOrder = { name: string; scopes: string[]; expiresAt?: string }

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
  return useMutation({
    mutationFn: (order: TokenOrder) => api.post<{ tokenId: string; token: string }>('/api/v1/tokens', order),
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
