import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import {
  bodyBytesMax,
  connectionsCheckIntervalMs,
  connectionsMax,
  connectionsPerAddressMax,
  headerBytesMax,
  headerCountMax,
  headersTimeoutMs,
  idleConnectionTimeoutMs,
  keepAliveTimeoutMs,
  playerIdLengthMax,
  requestsInFlightMax,
  requestsPerConnectionMax,
  requestTimeoutMs,
} from '../limits.ts'
import { overloaded, Refusal, type RefusalCode, refusalText } from '../refusals.ts'
import { WheelDocument } from '../wheels/wheel-document.ts'
import { accountRoutes } from './account-routes.ts'
import { auditRoutes } from './audit-routes.ts'
import { authenticator, tokenQuota } from './authenticate.ts'
import { batchRoutes } from './batch-routes.ts'
import { parseJsonBody } from './body.ts'
import { limitConnections } from './connection-limit.ts'
import { consoleRoutes } from './console-routes.ts'
import { docsRoutes, registerOpenApi } from './docs-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { EventSchema } from './event-schemas.ts'
import { exportRoutes } from './export-routes.ts'
import { addFastLane } from './fast-lane.ts'
import { gameRoutes } from './game-routes.ts'
import { healthRoutes } from './health-routes.ts'
import { lazySerializers, lazyValidators } from './lazy-compilers.ts'
import { linkRoutes } from './link-routes.ts'
import { merchantRoutes } from './merchant-routes.ts'
import { operatorRoutes } from './operator-routes.ts'
import { personalDataRoutes } from './personal-data-routes.ts'
import { playRoutes } from './play-routes.ts'
import { playerRoutes } from './player-routes.ts'
import { poolRoutes } from './pool-routes.ts'
import { prizeRoutes } from './prize-routes.ts'
import { logUnexpected, makeProblem, problemContentType, sendProblem, toRefusal } from './problems.ts'
import { reportRoutes } from './report-routes.ts'
import { logBrokenRequest, observeRequests } from './request-log.ts'
import { requestRoutes } from './request-routes.ts'
import { Play, ProblemSchema } from './schemas.ts'
import { sealRoutes } from './seal-routes.ts'
import { sessionRoutes } from './session-routes.ts'
import { settingsRoutes } from './settings-routes.ts'
import { signInMethodRoutes } from './sign-in-method-routes.ts'
import { staffRoutes } from './staff-routes.ts'
import { tokenRoutes } from './token-routes.ts'
import { versionRoutes } from './version-routes.ts'
import { webhookRoutes } from './webhook-routes.ts'
import { wheelRoutes } from './wheel-routes.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a request may take long because it waits: such requests have limits of their own. */
    mayWait?: (request: FastifyRequest) => boolean
    /** A question that comes as a POST because it has a body: who may only look may ask it. */
    changesNothing?: boolean
  }
  interface FastifyInstance {
    ctx: Context
    /** Set when the server has been asked to stop: it answers what comes, but keeps no connection. */
    isStopping: boolean
  }
}

/** The whole HTTP server, not yet listening. Every route is registered on this screen. */
export async function buildApp(ctx: Context): Promise<FastifyInstance> {
  const nextRequestId = requestIds()
  const app = Fastify({
    logger: false,
    genReqId: nextRequestId,
    requestIdHeader: false,
    // The router measures what is in the path, where a character of an id takes up to twelve.
    routerOptions: { maxParamLength: playerIdLengthMax * 12 },
    bodyLimit: bodyBytesMax,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // Also for an answer that nobody reads.
    connectionTimeout: idleConnectionTimeoutMs,
    http: {
      maxHeaderSize: headerBytesMax,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: connectionsCheckIntervalMs,
      // Node's own refusal has no problem document; refuseOddHeaders does it.
      requireHostHeader: false,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    trustProxy: ctx.config.trustProxy.length > 0 ? [...ctx.config.trustProxy] : false,
    ajv: {
      customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: false, allErrors: false },
    },
    schemaController: {
      compilersFactory: { buildSerializer: lazySerializers(), buildValidator: lazyValidators() },
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket) =>
      answerBrokenRequest(ctx, error, { socket, requestId: nextRequestId() }),
    // The framework runs no hooks for these: a path that can't be decoded.
    frameworkErrors: (error, request, reply) => {
      const refusal = toRefusal(error, request)
      logBrokenRequest(ctx, { requestId: request.id, status: refusalText(refusal.code).status })
      reply.headers(answerHeaders(ctx, request.id))
      void sendProblem(request, reply, refusal)
    },
  }).withTypeProvider<TypeBoxTypeProvider>()
  app.server.maxConnections = connectionsMax
  app.server.maxHeadersCount = headerCountMax
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))

  app.decorate('ctx', ctx)
  app.decorate('isStopping', false)
  app.decorateRequest('caller', undefined)
  app.decorateRequest('staff', undefined)
  app.decorateRequest('problem', undefined)
  app.addSchema(ProblemSchema)
  app.addSchema(Play)
  app.addSchema(WheelDocument)
  app.addSchema(EventSchema)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJsonBody)
  const methodsOf = collectRoutes(app)
  app.setErrorHandler((error, request, reply) => {
    const refusal = toRefusal(error, request)
    logUnexpected(ctx, request.id, error, refusal)
    return sendProblem(request, reply, refusal)
  })
  const noSuchRoute = (request: FastifyRequest) => {
    const allowed = methodsOf(request.url)
    if (allowed.length === 0 || allowed.includes(request.method)) return new Refusal('route_not_found')
    return new Refusal('method_not_allowed', {
      detail: `This path takes ${allowed.join(', ')}.`,
      headers: { Allow: allowed.join(', ') },
    })
  }
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, noSuchRoute(request)))
  observeRequests(app)
  setSecurityHeaders(app)
  limitRequestsInFlight(app)
  refuseOddHeaders(app)
  // Before the body is read: what is wrong with the body of a request to nowhere is of no interest.
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 ? noSuchRoute(request) : undefined)
  })

  // Whoever waits for events is answered now, so that the stop need not wait for them.
  app.addHook('preClose', async () => {
    app.isStopping = true
    await ctx.events.feed.close()
  })

  await registerOpenApi(app)
  const quota = tokenQuota(ctx.config.rateLimitPerSecond)
  const authenticate = authenticator(quota)
  // By service token, or by a session of the console.
  for (const routes of [
    merchantRoutes,
    wheelRoutes,
    versionRoutes,
    poolRoutes,
    playerRoutes,
    personalDataRoutes,
    batchRoutes,
    linkRoutes,
    playRoutes,
    prizeRoutes,
    reportRoutes,
    exportRoutes,
    eventRoutes,
    webhookRoutes,
    settingsRoutes,
    tokenRoutes,
    auditRoutes,
    requestRoutes,
    sealRoutes,
  ])
    await app.register(routes(authenticate))
  // With rules of their own for who may come.
  for (const routes of [
    sessionRoutes,
    accountRoutes,
    signInMethodRoutes,
    staffRoutes,
    operatorRoutes,
    gameRoutes,
    consoleRoutes,
    docsRoutes,
    healthRoutes,
  ])
    await app.register(routes)
  await app.ready()
  addFastLane(app, { quota, headers: fixedHeaders(ctx), nextRequestId })
  limitConnections(app.server, {
    perAddressMax: connectionsPerAddressMax,
    trusted: ctx.config.trustProxy,
  })
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

// The hooks that every request passes take a callback: a promise for each was a tenth of the time of a grant.

function setSecurityHeaders(app: FastifyInstance): void {
  const fixed = fixedHeaders(app.ctx)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(fixed).header('x-request-id', request.id)
    done()
  })
  // When the answer is sent, not when the request came: a connection kept open would hold up the stop.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (app.isStopping) reply.header('Connection', 'close')
    done()
  })
}

function answerHeaders(ctx: Context, requestId: string): Record<string, string> {
  return { 'x-request-id': requestId, ...fixedHeaders(ctx) }
}

function fixedHeaders({ config }: Context): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...(config.publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

/** What Node would answer without a problem document. */
function refuseOddHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw, headers }, _reply, done) => {
    const lacksHost = raw.httpVersion === '1.1' && headers.host === undefined
    const expectsMore = headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue'
    done(lacksHost || expectsMore ? new Refusal('request_malformed') : undefined)
  })
}

/**
 * What is over the limit is turned away at once: a queue would only make everybody late. A request counts once its body
 * is there, so that slow senders take no place, and pages don't count, so that slow readers don't. One connection can't
 * take many places by sending requests ahead of their answers.
 */
function limitRequestsInFlight(app: FastifyInstance): void {
  const { inFlight } = app.ctx.metrics
  const ofSocket = new WeakMap<Socket, number>()
  app.addHook('preHandler', (request, reply, done) => {
    if (!request.url.startsWith('/api/')) return done()
    if (request.routeOptions.config.mayWait?.(request) === true) return done()
    const { socket } = request
    const own = ofSocket.get(socket) ?? 0
    if (inFlight.count >= requestsInFlightMax || own >= requestsPerConnectionMax) {
      return done(overloaded())
    }
    inFlight.count++
    ofSocket.set(socket, own + 1)
    reply.raw.once('close', () => {
      inFlight.count--
      ofSocket.set(socket, (ofSocket.get(socket) ?? 1) - 1)
    })
    done()
  })
}

const parserCodes: Partial<Record<string, RefusalCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
}

/** A request that never became one: answered on the bare socket, with the same kind of document. */
function answerBrokenRequest(
  ctx: Context,
  error: NodeJS.ErrnoException,
  { socket, requestId }: { socket: Socket; requestId: string },
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  // A request before this one may still be waiting for its answer, which this refusal must not be taken for.
  const due = (socket as { _httpMessage?: ServerResponse | null })._httpMessage
  if (due?.req.complete === true) {
    due.once('close', () => socket.destroy())
    return
  }
  const refusal = new Refusal(parserCodes[error.code ?? ''] ?? 'request_malformed')
  const problem = makeProblem(refusal, { publicUrl: ctx.config.publicUrl, requestId })
  const body = JSON.stringify(problem)
  const headers = {
    Connection: 'close',
    'Content-Type': problemContentType,
    'Content-Length': Buffer.byteLength(body),
    ...answerHeaders(ctx, requestId),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  logBrokenRequest(ctx, { requestId, status: problem.status })
  socket.write(`HTTP/1.1 ${problem.status} Refused\r\n${lines.join('')}\r\n${body}`)
  // To end alone would leave the socket to a client that never closes its side.
  socket.destroySoon()
}
