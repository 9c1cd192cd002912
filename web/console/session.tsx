/** The signed-in person, and the merchant of the view. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import type { SessionAnswer, SessionStateAnswer } from '../../src/http/answers/session.ts'
import { call, callWithTag, type Request, send } from './api.ts'
import { readToEnd } from './read-to-end.ts'
import { formatFor } from './texts.ts'

export type Session = SessionAnswer
export type MerchantRole = Session['merchants'][number]

export const sessionKey = ['session'] as const

/** Null if nobody is signed in. */
export function useSessionQuery() {
  return useQuery({
    queryKey: sessionKey,
    queryFn: async ({ signal }): Promise<Session | null> => {
      const { staff, merchants, build } = await call<SessionStateAnswer>('/api/v1/session', { signal })
      return staff === null || build === null ? null : { staff, merchants, build }
    },
    staleTime: 60_000,
  })
}

/** The ways to sign in that this server offers. */
export type SignInOptions = Pick<SessionStateAnswer, 'resetsByMail' | 'passkeys'>

export function useSignInOptions(): SignInOptions | undefined {
  return useQuery({
    queryKey: ['sign-in-options'],
    queryFn: ({ signal }) => call<SessionStateAnswer>('/api/v1/session', { signal }),
    staleTime: Infinity,
  }).data
}

const SessionContext = createContext<Session | null>(null)

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>
}

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('nobody is signed in here')
  return session
}

const MerchantContext = createContext<MerchantRole | null>(null)

export function MerchantProvider({ merchant, children }: { merchant: MerchantRole; children: ReactNode }) {
  formatFor(merchant)
  return <MerchantContext value={merchant}>{children}</MerchantContext>
}

export function useMerchant(): MerchantRole {
  const merchant = useContext(MerchantContext)
  if (merchant === null) throw new Error('there is no merchant here')
  return merchant
}

/** The person's permissions here. The server decides; this only hides buttons that it would refuse. */
export function useMay() {
  const { role } = useMerchant()
  return {
    administer: role === 'owner',
    edit: role === 'owner' || role === 'editor',
    serve: role !== 'viewer',
  }
}

/** The API, for the merchant of this view. */
export function useApi() {
  const { merchant } = useMerchant()
  return useMemo(() => {
    const bound = (request: Request = {}): Request => ({ ...request, merchant })
    return {
      merchant,
      get: <T,>(path: string, signal?: AbortSignal) => call<T>(path, bound({ signal })),
      getTagged: <T,>(path: string, signal?: AbortSignal) => callWithTag<T>(path, bound({ signal })),
      post: <T,>(path: string, body?: unknown, headers?: Record<string, string>) =>
        call<T>(path, bound({ method: 'POST', body, ...(headers === undefined ? {} : { headers }) })),
      put: <T,>(path: string, body?: unknown, headers?: Record<string, string>) =>
        callWithTag<T>(path, bound({ method: 'PUT', body, ...(headers === undefined ? {} : { headers }) })),
      patch: <T,>(path: string, body?: unknown, headers?: Record<string, string>) =>
        callWithTag<T>(path, bound({ method: 'PATCH', body, ...(headers === undefined ? {} : { headers }) })),
      del: <T,>(path: string, body?: unknown) => call<T>(path, bound({ method: 'DELETE', body })),
      send: (path: string, request: Request = {}) => send(path, bound(request)),
    }
  }, [merchant])
}

export type Api = ReturnType<typeof useApi>

/** Reads data of this merchant and keeps it fresh. */
export function useRead<T>(name: readonly unknown[], path: string, options: ReadOptions<T> = {}) {
  const api = useApi()
  return useQuery({
    queryKey: [api.merchant, ...name],
    queryFn: ({ signal }) => readToEnd((address) => api.get<T & object>(address, signal), path),
    ...options,
  })
}

type ReadOptions<T> = {
  refetchInterval?: number | ((query: { state: { data: T | undefined } }) => number | false)
  enabled?: boolean
  staleTime?: number
}

/** Makes the view reload data that a change may have affected. */
export function useRefresh() {
  const client = useQueryClient()
  const { merchant } = useMerchant()
  return (...names: readonly unknown[]) => client.invalidateQueries({ queryKey: [merchant, ...names] })
}
