import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useLocation } from 'wouter'
import { call, Problem } from '../api.ts'
import { sessionKey } from '../session.tsx'

/** Ends the session, and forgets everything that it has read. `to` is where the next person starts. */
export function useSignOut(to?: string): () => Promise<void> {
  const client = useQueryClient()
  const [, go] = useLocation()
  return useCallback(async () => {
    await call('/api/v1/session', { method: 'DELETE' }).catch((error: unknown) => {
      const isOver = error instanceof Problem && error.status === 401
      if (!isOver) throw error
    })
    // First the session, which the app watches: then every view that reads something is gone.
    client.setQueryData(sessionKey, null)
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
    if (to !== undefined) go(to)
  }, [client, go, to])
}
