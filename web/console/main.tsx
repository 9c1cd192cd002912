import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './console.css'
import './tables.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { Problem } from './api.ts'
import { App } from './app.tsx'
import { guardBackButton, unlessUnsaved } from './parts/unsaved.ts'
import { sessionKey } from './session.tsx'
import { theme, variables } from './theme.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''

// The dialogs' scroll lock also creates a style sheet, and takes its nonce from here.
;(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = nonce

/** A session may end at any time. Then the sign-in replaces every view until the person signs in again. */
function onProblem(error: unknown): void {
  const isOver = error instanceof Problem && ['session_missing', 'token_missing'].includes(error.code)
  if (isOver) client.setQueryData(sessionKey, null)
  // Then the session reports it, and one page replaces all views.
  if (error instanceof Problem && error.code === 'merchant_suspended')
    void client.invalidateQueries({ queryKey: sessionKey })
}

const client: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: onProblem }),
  mutationCache: new MutationCache({ onError: onProblem }),
  defaultOptions: {
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 10_000,
      retry: (count, error) =>
        count < 2 && error instanceof Problem && (error.status === 0 || error.status >= 500),
    },
    // Without a connection, an order fails at once. It is never kept, to be sent when nobody expects it any more.
    mutations: { networkMode: 'always' },
  },
})

guardBackButton()
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={client}>
        <Notifications position="bottom-right" limit={4} />
        <Router base="/console" aroundNav={unlessUnsaved}>
          <App />
        </Router>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
