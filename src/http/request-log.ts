import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'

/** One line and one count for each answered request. */
export function observeRequests(app: FastifyInstance): void {
  const { log, metrics } = app.ctx
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    const status = reply.statusCode
    const seconds = reply.elapsedTime / 1000
    metrics.requests.inc({ route, method: knownMethod(request.method), status: String(status) })
    metrics.requestSeconds.observe({ route }, seconds)
    log[status >= 500 ? 'error' : 'info'](
      {
        requestId: request.id,
        method: request.method,
        path: loggablePath(request),
        status,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...(request.caller === undefined
          ? {}
          : { merchant: request.caller.merchant.slug, token: request.caller.tokenId }),
      },
      'request',
    )
  })
}

/** For what never reached the hooks: HTTP that could not be read. Nothing of it is safe to show. */
export function logBrokenRequest(
  { log, metrics }: Context,
  facts: { requestId: string; status: number },
): void {
  metrics.requests.inc({ route: 'none', method: 'other', status: String(facts.status) })
  log.info(
    { requestId: facts.requestId, method: 'other', path: 'none', status: facts.status, ms: 0 },
    'request',
  )
}

/** The route, or for a path that we don't know what may safely be shown: no query, and no part that could be a secret. */
function loggablePath(request: FastifyRequest): string {
  if (request.routeOptions.url !== undefined) return request.routeOptions.url
  const path = request.url.split('?', 1)[0] ?? ''
  return path
    .split('/')
    .slice(0, 8)
    .map((part) => (/^[\w.-]{0,24}$/.test(part) ? part : '…'))
    .join('/')
}

function knownMethod(method: string): string {
  return ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].includes(method) ? method : 'other'
}
