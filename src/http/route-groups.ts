import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { RouteOptions } from 'fastify'
import type { Scope } from '../merchants/scopes.ts'
import type { RefusalCode } from '../refusals.ts'
import { merchantRefusals, problemResponses } from './answers/shapes.ts'
import { staffRefusals } from './answers/staff.ts'
import type { authenticator } from './authenticate.ts'
import { bindCursors } from './manage/bound-cursors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Refusals that the route documents, beside those of all routes of its group. */
    refusals?: readonly RefusalCode[]
  }
}

type App = Parameters<FastifyPluginAsyncTypebox>[0]
type Authenticate = ReturnType<typeof authenticator>

/** An area of the API. A token needs a scope of `read` or `change`; a role needs the area `tag` (staff/roles.ts). */
type Area = { tag: string; read?: readonly Scope[]; change?: readonly Scope[] }

/** Routes for a service token or a console session. Each gets authentication, tag, security and the common refusals. */
export function managementRoutes(
  { tag, read = ['manage', 'read'], change = ['manage'] }: Area,
  addRoutes: (app: App, authenticate: Authenticate) => void | Promise<void>,
): (authenticate: Authenticate) => FastifyPluginAsyncTypebox {
  return (authenticate) => async (app) => {
    app.addHook('onRoute', (route) => {
      route.onRequest ??= authenticate(...(changesSomething(route) ? change : read))
      describe(route, {
        tag,
        security: 'serviceToken',
        refusals: [...merchantRefusals, 'merchant_not_found', 'token_bound'],
      })
    })
    await addRoutes(app, authenticate)
  }
}

/**
 * Routes for the console alone. Each gets tag, security and the common refusals; its handler requires the session, the
 * role or the operator. A route that needs no session sets `security: []`.
 */
export function consoleOnlyRoutes(addRoutes: (app: App) => void | Promise<void>): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRoute', (route) =>
      describe(route, { tag: 'Console', security: 'staffSession', refusals: staffRefusals }),
    )
    await addRoutes(app)
  }
}

function changesSomething({ method, config }: RouteOptions): boolean {
  return method !== 'GET' && method !== 'HEAD' && config?.changesNothing !== true
}

type Description = { tag: string; security: string; refusals: readonly RefusalCode[] }

function describe(route: RouteOptions, { tag, security, refusals }: Description): void {
  bindCursors(route)
  route.schema = {
    tags: [tag],
    security: [{ [security]: [] }],
    ...route.schema,
    response: {
      ...problemResponses(...refusals, ...(route.config?.refusals ?? [])),
      ...(route.schema?.response as object | undefined),
    },
  }
}
