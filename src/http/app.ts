import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import {
  bodyBytesMax,
  connectionsCheckIntervalMs,
  connectionsMax,
  headerBytesMax,
  headerCountMax,
  headersTimeoutMs,
  keepAliveTimeoutMs,
  requestsInFlightMax,
  requestTimeoutMs,
} from '../limits.ts'
import { Refusal, type RefusalCode, refusalText } from '../refusals.ts'
import { parseJsonBody } from './body.ts'
import { docsRoutes, registerOpenApi } from './docs-routes.ts'
import { gameRoutes } from './game-routes.ts'
import { healthRoutes } from './health-routes.ts'
import { merchantRoutes } from './merchant-routes.ts'
import { makeProblem, problemContentType, sendProblem, toRefusal } from './problems.ts'
import { observeRequests } from './request-log.ts'
import { ProblemSchema } from './schemas.ts'

declare module 'fastify' {
  interface FastifyInstance {
    ctx: Context
    /** Set when the server has been asked to stop: it answers what comes, but keeps no connection. */
    isStopping: boolean
  }
}

/** The whole HTTP server, not yet listening. Every route is registered on this screen. */
export async function buildApp(ctx: Context): Promise<FastifyInstance> {
  const app = Fastify({
    logger: false,
    genReqId: requestIds(),
    requestIdHeader: false,
    bodyLimit: bodyBytesMax,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    http: {
      maxHeaderSize: headerBytesMax,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: connectionsCheckIntervalMs,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    trustProxy: ctx.config.trustProxy.length > 0 ? [...ctx.config.trustProxy] : false,
    ajv: {
      customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: false, allErrors: true },
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket) => answerBrokenRequest(ctx, error, socket),
    frameworkErrors: (error, request, reply) => void sendProblem(request, reply, toRefusal(error)),
  }).withTypeProvider<TypeBoxTypeProvider>()
  app.server.maxConnections = connectionsMax
  app.server.maxHeadersCount = headerCountMax

  app.decorate('ctx', ctx)
  app.decorate('isStopping', false)
  app.decorateRequest('caller', undefined)
  app.addSchema(ProblemSchema)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJsonBody as never)
  const methodsOf = collectRoutes(app)
  app.setErrorHandler((error, request, reply) => {
    const refusal = toRefusal(error)
    if (refusalText(refusal.code).status >= 500) ctx.log.error({ requestId: request.id, error }, refusal.code)
    return sendProblem(request, reply, refusal)
  })
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsOf(request.url)
    const refusal =
      allowed.length === 0
        ? new Refusal('route_not_found')
        : new Refusal('method_not_allowed', {
            detail: `This path takes ${allowed.join(', ')}.`,
            headers: { Allow: allowed.join(', ') },
          })
    return sendProblem(request, reply, refusal)
  })
  observeRequests(app)
  setSecurityHeaders(app)
  limitRequestsInFlight(app)

  await registerOpenApi(app)
  await app.register(merchantRoutes)
  await app.register(gameRoutes)
  await app.register(docsRoutes)
  await app.register(healthRoutes)
  await app.ready()
  return app
}

/** Ids are ours alone: a caller's own id could carry anything into the log. */
function requestIds(): () => string {
  const start = randomBytes(5).toString('hex')
  let count = 0
  return () => `${start}-${(++count).toString(36)}`
}

/** Remembers which methods each path takes, for `405` and its `Allow` header. */
function collectRoutes(app: FastifyInstance): (url: string) => string[] {
  const routes: { path: RegExp; methods: string[] }[] = []
  app.addHook('onRoute', (route) => {
    const path = route.url
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:[^/]+/g, '[^/]+')
      .replace('*', '.*')
    routes.push({ path: new RegExp(`^${path}$`), methods: [route.method].flat() })
  })
  return (url) => {
    const path = url.split('?', 1)[0] ?? ''
    return [
      ...new Set(routes.filter((route) => route.path.test(path)).flatMap((route) => route.methods)),
    ].toSorted()
  }
}

function setSecurityHeaders(app: FastifyInstance): void {
  const isSecure = app.ctx.config.publicUrl.startsWith('https:')
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'X-Request-Id': request.id,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    })
    if (isSecure) reply.header('Strict-Transport-Security', 'max-age=31536000')
    if (app.isStopping) reply.header('Connection', 'close')
  })
}

/** What is over the limit is turned away at once: a queue would only make everybody late. */
function limitRequestsInFlight(app: FastifyInstance): void {
  let inFlight = 0
  app.addHook('onRequest', async (_request, reply) => {
    app.ctx.metrics.requestsInFlight.set(++inFlight)
    reply.raw.once('close', () => app.ctx.metrics.requestsInFlight.set(--inFlight))
    if (inFlight > requestsInFlightMax) throw new Refusal('overloaded', { headers: { 'Retry-After': '1' } })
  })
}

const parserCodes: Partial<Record<string, RefusalCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
}

/** A request that never became one: answered on the bare socket, with the same kind of document. */
function answerBrokenRequest(ctx: Context, error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const refusal = new Refusal(parserCodes[error.code ?? ''] ?? 'request_malformed')
  const problem = makeProblem(refusal, { publicUrl: ctx.config.publicUrl, requestId: 'none' })
  const body = JSON.stringify(problem)
  socket.end(
    `HTTP/1.1 ${problem.status} Refused\r\nConnection: close\r\nContent-Type: ${problemContentType}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
