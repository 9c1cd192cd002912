import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { writeRequestLine } from '../../log.ts'
import type { TokenWithMerchant } from '../../merchants/service-tokens.ts'
import type { Problem } from './problems.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request was refused with. */
    problem: Pick<Problem, 'code' | 'detail'> | undefined
  }
}

/** One line and one count for each answered request. */
export function observeRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(app.ctx, {
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      path: loggablePath(request),
      status: reply.statusCode,
      ms: reply.elapsedTime,
      caller: request.caller,
      isStaff: request.staff !== undefined,
      problem: request.problem,
    })
    done()
  })
}

type AnsweredRequest = {
  requestId: string
  method: string
  route: string
  path: string
  status: number
  ms: number
  caller: TokenWithMerchant | undefined
  isStaff: boolean
  problem: Pick<Problem, 'code' | 'detail'> | undefined
}

export function logRequest(ctx: Context, request: AnsweredRequest): void {
  const { log, metrics } = ctx
  const { requestId, method, route, path, status, ms, caller, problem } = request
  metrics.requests.inc({ route, method: knownMethod(method), status: String(status) })
  metrics.requestSeconds.observe({ route }, ms / 1000)
  const who = { merchant: caller?.merchant.slug, token: caller?.tokenId }
  writeRequestLine(log, status >= 500 ? 'error' : 'info', { requestId, method, path, status, ms, ...who })
  if (caller === undefined || request.isStaff) return
  const { tokenId, tokenName, merchant } = caller
  const seen = { requestId, at: Date.now(), method, path, status, ms, tokenId, tokenName, problem }
  ctx.recentRequests.note(merchant.merchantId, seen)
}

/** For what never reached the hooks: HTTP that could not be read. Nothing of it is safe to show. */
export function logBrokenRequest(
  { log, metrics }: Context,
  facts: { requestId: string; status: number },
): void {
  metrics.requests.inc({ route: 'none', method: 'other', status: String(facts.status) })
  writeRequestLine(log, 'info', { ...facts, method: 'other', path: 'none', ms: 0 })
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

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

function knownMethod(method: string): string {
  return methods.has(method) ? method : 'other'
}
