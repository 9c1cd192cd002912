import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { SignInMethodsAnswer } from '../../../../src/http/answers/account.ts'
import { call } from '../../api.ts'
import { sessionKey } from '../../session.tsx'

const methodsKey = ['account', 'sign-in-methods']

export function useSignInMethods() {
  return useQuery({
    queryKey: methodsKey,
    queryFn: ({ signal }) => call<SignInMethodsAnswer>('/api/v1/account/sign-in-methods', { signal }),
  })
}

/** Refreshes the lists here, and whether the session has a second factor. */
export function useRefreshMethods(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await client.invalidateQueries({ queryKey: methodsKey })
    await client.invalidateQueries({ queryKey: sessionKey })
  }
}
