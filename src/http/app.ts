import { randomBytes } from 'node:crypto'
import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { connectionsPerAddressMax, requestsInFlightMax } from '../limits.ts'
import { overloaded, Refusal } from '../refusals.ts'
import { WheelDocument } from '../wheel-document/wheel-document.ts'
import { accountRoutes } from './console/account-routes.ts'
import { testMessageRoutes } from './console/test-message-routes.ts'
import { alertRoutes } from './console/alert-routes.ts'
import { auditRoutes } from './manage/merchants/audit-routes.ts'
import { authenticator, tokenQuota } from './authenticate.ts'
import { batchRoutes } from './manage/grants/batch-routes.ts'
import { campaignRoutes } from './manage/campaigns/campaign-routes.ts'
import { freeSpinRoutes } from './manage/campaigns/free-spin-routes.ts'
import { parseJsonBody } from './transport/body.ts'
import { limitConnections } from './transport/connection-limit.ts'
import { consoleRoutes } from './console/console-routes.ts'
import { mailFrameRoutes } from './console/mail-frame-routes.ts'
import { docsRoutes, registerOpenApi } from './docs/docs-routes.ts'
import { embedRoutes } from './game/embed-routes.ts'
import { eventRoutes } from './manage/events/event-routes.ts'
import { EventSchema, TestEventSchema } from './answers/events.ts'
import { exportRoutes } from './manage/exports/export-routes.ts'
import { addFastPath } from './transport/fast-path.ts'
import { GameRateLimits } from './game/game-rate-limits.ts'
import { entryRoutes } from './game/entry-routes.ts'
import { laterFormRoutes } from './game/later-form-routes.ts'
import { entryFigureRoutes } from './manage/campaigns/entry-figure-routes.ts'
import { entrySettingsRoutes } from './manage/campaigns/entry-routes.ts'
import { visitorExportRoutes } from './manage/campaigns/visitor-export-routes.ts'
import { deadAddressRoutes } from './manage/campaigns/dead-address-routes.ts'
import { messageLogRoutes } from './manage/campaigns/message-log-routes.ts'
import { messageTextRoutes } from './manage/campaigns/message-text-routes.ts'
import { messageRoutes } from './manage/campaigns/message-routes.ts'
import { contactRoutes } from './manage/players/contact-routes.ts'
import { visitorRoutes } from './manage/campaigns/visitor-routes.ts'
import { gameRoutes } from './game/game-routes.ts'
import { runRoutes } from './game/run-routes.ts'
import { unsubscribeRoutes } from './game/unsubscribe-routes.ts'
import { campaignGrantRoutes, grantRoutes } from './manage/grants/grant-routes.ts'
import { refuseInvalidHeaders } from './transport/header-rules.ts'
import { givePlentyOfTimeToFiles, limitSlowSenders } from './transport/slow-senders.ts'
import { healthRoutes } from './health-routes.ts'
import { LoopTurns } from './transport/loop-turns.ts'
import { linkListRoutes } from './manage/grants/link-list-routes.ts'
import { campaignLinkRoutes, linkRoutes } from './manage/grants/link-routes.ts'
import { merchantRoutes } from './merchant/merchant-routes.ts'
import { operatorRoutes } from './console/operator-routes.ts'
import { consentRoutes } from './manage/players/consent-routes.ts'
import { personalDataRoutes } from './manage/players/personal-data-routes.ts'
import { playRoutes } from './manage/plays/play-routes.ts'
import { playerRoutes } from './manage/players/player-routes.ts'
import { poolRoutes } from './manage/wheels/pool-routes.ts'
import { holdRoutes } from './manage/plays/hold-routes.ts'
import { prizeRoutes } from './manage/plays/prize-routes.ts'
import { logUnexpected, sendProblem, toRefusal } from './transport/problems.ts'
import { reportRoutes } from './manage/reports/report-routes.ts'
import { observeRequests } from './transport/request-log.ts'
import { RequestQueues } from './transport/request-queues.ts'
import { requestRoutes } from './manage/reports/request-routes.ts'
import { resendRoutes } from './manage/events/resend-routes.ts'
import { Play, ProblemSchema } from './answers/shapes.ts'
import { publicationScheduleRoutes, wheelScheduleRoutes } from './manage/campaigns/schedule-routes.ts'
import { sealRoutes } from './manage/merchants/seal-routes.ts'
import { sessionRoutes } from './console/session-routes.ts'
import { settingsRoutes } from './manage/merchants/settings-routes.ts'
import { simulationRoutes } from './manage/wheels/simulation-routes.ts'
import { signInMethodRoutes } from './console/sign-in-method-routes.ts'
import { staffRoutes } from './console/staff-routes.ts'
import { fixedHeaders, prepareServer, serverOptions } from './transport/server-options.ts'
import { readRequestsStrictly } from './transport/strict-requests.ts'
import { promotionRoutes } from './manage/test-mode/promotion-routes.ts'
import { testMerchantRoutes } from './manage/test-mode/test-merchant-routes.ts'
import { testRoutes } from './manage/test-mode/test-routes.ts'
import { tokenRoutes } from './manage/merchants/token-routes.ts'
import { versionRoutes } from './manage/wheels/version-routes.ts'
import { walletRoutes } from './game/wallet-routes.ts'
import { visitorPageRoutes } from './game/visitor-page-routes.ts'
import { mailReportRoutes } from './mail-report-routes.ts'
import { webhookRoutes } from './manage/events/webhook-routes.ts'
import { paceRoutes } from './manage/wheels/pace-routes.ts'
import { wheelRoutes } from './manage/wheels/wheel-routes.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a request may wait for long, such as for events. Such requests have their own limits. */
    mayWait?: (request: FastifyRequest) => boolean
    /** Its body is a file that is stored as it arrives, and may take longer than other requests. */
    takesFile?: boolean
    /** For a POST that only reads: it needs a body, but a read-only role may call it. */
    changesNothing?: boolean
  }
  interface FastifyInstance {
    ctx: Context
    /** Set when the server stops: it still answers requests, but closes each connection afterwards. */
    isStopping: boolean
    gameRateLimits: GameRateLimits
  }
}

/** The whole HTTP server, not yet listening. All routes are registered here. */
export async function buildApp(ctx: Context): Promise<FastifyInstance> {
  const nextRequestId = requestIds()
  const turns = new LoopTurns()
  const queues = new RequestQueues(turns)
  const options = serverOptions(ctx, { nextRequestId, queues })
  const app = Fastify(options).withTypeProvider<TypeBoxTypeProvider>()
  prepareServer(app.server)
  addDecorators(app, ctx)
  addSchemas(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJsonBody)
  const noSuchRoute = collectRoutes(app)
  answerErrors(app)
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, noSuchRoute(request)))
  observeRequests(app)
  setSecurityHeaders(app)
  limitRequestsInFlight(app)
  givePlentyOfTimeToFiles(app)
  refuseInvalidHeaders(app)
  // Before the body is read: for an unknown path, errors in the body don't matter.
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 ? noSuchRoute(request) : undefined)
  })
  // Requests that wait for events are answered now, so that the stop need not wait for them.
  app.addHook('preClose', async () => {
    app.isStopping = true
    await ctx.events.feed.close()
  })
  readRequestsStrictly(app)
  await registerOpenApi(app)
  const quota = tokenQuota(ctx.config.rateLimitPerSecond)
  const authenticate = authenticator(quota)
  const authenticated = authenticatedRoutes.map((routes) => routes(authenticate))
  const others = [...(ctx.config.servesConsole ? consoleOnly : []), ...publicRoutes]
  for (const routes of [...authenticated, ...others]) await app.register(named(routes))
  await app.ready()
  addFastPath(app, { quota, headers: fixedHeaders(ctx), nextRequestId, queues, turns })
  limitSlowSenders(app.server)
  limitConnections(app.server, {
    perAddressMax: connectionsPerAddressMax,
    trusted: ctx.config.trustProxy,
  })
  return app
}

/** Fastify looks for a plugin without a display name among all loaded modules, a tenth of the time of a start. */
function named(routes: FastifyPluginAsyncTypebox): FastifyPluginAsyncTypebox {
  return Object.assign(routes, { [Symbol.for('fastify.display-name')]: routes.name })
}

/** Routes for a service token or a console session. */
const authenticatedRoutes = [
  merchantRoutes,
  campaignRoutes,
  entrySettingsRoutes,
  visitorRoutes,
  visitorExportRoutes,
  entryFigureRoutes,
  freeSpinRoutes,
  wheelScheduleRoutes,
  wheelRoutes,
  publicationScheduleRoutes,
  simulationRoutes,
  paceRoutes,
  versionRoutes,
  poolRoutes,
  playerRoutes,
  personalDataRoutes,
  consentRoutes,
  contactRoutes,
  messageRoutes,
  messageLogRoutes,
  messageTextRoutes,
  deadAddressRoutes,
  batchRoutes,
  campaignGrantRoutes,
  grantRoutes,
  campaignLinkRoutes,
  linkRoutes,
  linkListRoutes,
  playRoutes,
  prizeRoutes,
  holdRoutes,
  reportRoutes,
  exportRoutes,
  eventRoutes,
  webhookRoutes,
  resendRoutes,
  settingsRoutes,
  tokenRoutes,
  auditRoutes,
  requestRoutes,
  sealRoutes,
  testMerchantRoutes,
  promotionRoutes,
  testRoutes,
]

/** Routes for the console alone, with their own authentication. */
const consoleOnly = [
  sessionRoutes,
  accountRoutes,
  alertRoutes,
  testMessageRoutes,
  signInMethodRoutes,
  staffRoutes,
  operatorRoutes,
  mailFrameRoutes,
  consoleRoutes,
]

/** Routes that need no token or session, or check a game token themselves. */
const publicRoutes = [
  gameRoutes,
  entryRoutes,
  laterFormRoutes,
  visitorPageRoutes,
  walletRoutes,
  unsubscribeRoutes,
  runRoutes,
  embedRoutes,
  docsRoutes,
  healthRoutes,
  mailReportRoutes,
]

/** An id sent by the caller is ignored: it could bring anything into the log. */
function requestIds(): () => string {
  const start = randomBytes(5).toString('hex')
  let count = 0
  return () => `${start}-${(++count).toString(36)}`
}

function addDecorators(app: FastifyInstance, ctx: Context): void {
  app.decorate('ctx', ctx)
  app.decorate('isStopping', false)
  app.decorate('gameRateLimits', new GameRateLimits(ctx.config.gameRateLimits))
  for (const name of ['caller', 'staff', 'problem', 'trace']) app.decorateRequest(name, undefined)
}

function addSchemas(app: FastifyInstance): void {
  for (const schema of [ProblemSchema, Play, WheelDocument, EventSchema, TestEventSchema])
    app.addSchema(schema)
}

function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = toRefusal(error, request)
    logUnexpected(app.ctx, request.id, error, refusal)
    return sendProblem(request, reply, refusal)
  })
}

/** Records the methods of each path. Returns the refusal of a request without a route: `405` if the path has others. */
function collectRoutes(app: FastifyInstance): (request: FastifyRequest) => Refusal {
  const routes: { path: RegExp; methods: string[] }[] = []
  app.addHook('onRoute', (route) => {
    const path = route.url
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:[^/]+/g, '[^/]+')
      .replace('*', '.*')
    routes.push({ path: new RegExp(`^${path}$`), methods: [route.method].flat() })
  })
  return ({ url, method }) => {
    const path = url.split('?', 1)[0] ?? ''
    const methods = routes.filter((route) => route.path.test(path)).flatMap((route) => route.methods)
    const allowed = [...new Set(methods)].toSorted().join(', ')
    if (methods.length === 0 || methods.includes(method)) return new Refusal('route_not_found')
    return new Refusal('method_not_allowed', {
      detail: `This path takes ${allowed}.`,
      headers: { Allow: allowed },
    })
  }
}

// The hooks of every request take a callback: promises took a tenth of the time of a grant.

function setSecurityHeaders(app: FastifyInstance): void {
  const fixed = fixedHeaders(app.ctx)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(fixed).header('x-request-id', request.id)
    done()
  })
  // When the answer is sent, not when the request arrives: a connection kept open would delay the stop.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (app.isStopping) reply.header('Connection', 'close')
    done()
  })
}

/**
 * Refuses requests over the limit at once: a queue would only delay all of them. A request counts once its body has
 * arrived, so slow senders take no place. Pages don't count, so slow readers take none either.
 */
function limitRequestsInFlight(app: FastifyInstance): void {
  const { inFlight } = app.ctx.metrics
  app.addHook('preHandler', (request, reply, done) => {
    if (!request.url.startsWith('/api/')) return done()
    if (request.routeOptions.config.mayWait?.(request) === true) {
      endWithClient(request)
      return done()
    }
    if (inFlight.count >= requestsInFlightMax) return done(overloaded('requests'))
    inFlight.count++
    reply.raw.once('close', () => inFlight.count--)
    done()
  })
}

/** A waiting client that closes its side is gone: its place becomes free at once. */
function endWithClient({ raw }: FastifyRequest): void {
  const { socket } = raw
  const end = () => void socket.destroy()
  if (socket.readableEnded) end()
  socket.once('end', end)
  raw.once('close', () => socket.off('end', end))
}
