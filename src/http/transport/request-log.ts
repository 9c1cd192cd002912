import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { writeRequestLine } from '../../log.ts'
import type { TokenWithMerchant } from '../../merchants/service-tokens.ts'
import type { Trace } from '../../tracing/trace.ts'
import type { Problem } from './problems.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The refusal that the request got, if any. */
    problem: Pick<Problem, 'code' | 'detail'> | undefined
    /** Undefined for a request that is not traced. */
    trace: Trace | undefined
  }
}

/** Logs, counts and traces requests. */
export function observeRequests(app: FastifyInstance): void {
  traceRequests(app)
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
      trace: request.trace,
    })
    done()
  })
}

/**
 * Starts the trace once the caller is known, since only a merchant's server may ask for one. Probes, pages, and
 * requests that wait for events would only hide the others.
 */
function traceRequests(app: FastifyInstance): void {
  const { tracing } = app.ctx
  if (tracing === undefined) return
  app.addHook('preValidation', (request, reply, done) => {
    const { caller, staff, headers, url, routeOptions } = request
    if (!url.startsWith('/api/') || routeOptions.config.mayWait?.(request) === true) return done()
    request.trace = tracing.startRequest({
      method: request.method,
      route: routeOptions.url ?? 'none',
      requestId: request.id,
      startedAt: performance.now() - reply.elapsedTime,
      merchant: caller?.merchant.slug,
      traceparent: caller !== undefined && staff === undefined ? headers.traceparent : undefined,
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
  trace: Trace | undefined
  /** The refusal log has already admitted it. */
  isAdmitted?: boolean
}

export function logRequest(ctx: Context, request: AnsweredRequest): void {
  const { log, metrics } = ctx
  const { requestId, method, route, path, status, ms, caller, problem, trace } = request
  metrics.requests.inc({ route, method: knownMethod(method), status: String(status) })
  metrics.requestSeconds.observe({ route }, ms / 1000)
  if (problem !== undefined) metrics.refusals.inc({ code: problem.code })
  const slug = caller?.merchant.slug
  const isLogged =
    problem === undefined || request.isAdmitted === true || ctx.refusalLog.admits(route, problem.code, slug)
  if (isLogged)
    writeRequestLine(log, status >= 500 ? 'error' : 'info', {
      requestId,
      method,
      path,
      status,
      ms,
      traceId: trace?.traceId,
      merchant: slug,
      token: caller?.tokenId,
    })
  const facts = { 'http.response.status_code': status, 'wheelhouse.refusal': problem?.code }
  trace?.end(facts, status >= 500 ? (problem?.code ?? String(status)) : undefined)
  if (caller === undefined || request.isStaff) return
  const { tokenId, tokenName, merchant } = caller
  const seen = { requestId, at: Date.now(), method, path, status, ms, tokenId, tokenName, problem }
  ctx.recentRequests.note(merchant.merchantId, seen)
}

/** For requests that no hook sees because they could not be parsed. No part of one is safe to log. */
export function logBrokenRequest(
  { log, metrics }: Context,
  facts: { requestId: string; status: number },
): void {
  metrics.requests.inc({ route: 'none', method: 'other', status: String(facts.status) })
  writeRequestLine(log, 'info', { ...facts, method: 'other', path: 'none', ms: 0 })
}

/** The route, or the safe parts of an unknown path: no query, and no segment that could be a secret. */
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
