import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api.ts'
import { sessionKey } from '../../session.tsx'

export type Passkey = {
  passkeyId: string
  name: string
  isSynced: boolean
  isBackedUp: boolean
  createdAt: string
  lastUsedAt: string | null
}

type SignInMethods = { app: boolean; recoveryCodesLeft: number; passkeys: Passkey[] }

const methodsKey = ['account', 'sign-in-methods']

export function useSignInMethods() {
  return useQuery({
    queryKey: methodsKey,
    queryFn: ({ signal }) => call<SignInMethods>('/api/v1/account/sign-in-methods', { signal }),
  })
}

/** After a change: the lists here, and whether the session has a second factor. */
export function useRefreshMethods(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await client.invalidateQueries({ queryKey: methodsKey })
    await client.invalidateQueries({ queryKey: sessionKey })
  }
}
