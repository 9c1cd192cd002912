import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { bodyBytesMax, failedTokensPerMinuteMax, wholeRequestMs } from '../../limits.ts'
import type { TokenVerifier } from '../../merchants/token-verifier.ts'
import type { TokenWithMerchant } from '../../merchants/service-tokens.ts'
import { Refusal } from '../../refusals.ts'
import { type BareAnswer, serveBareConnections } from './bare-connections.ts'
import { clientAddress } from './client-address.ts'
import { commonReader } from './common-request.ts'
import { FastAnswers } from './fast-answers.ts'
import { FastPathHandler } from './fast-path-handler.ts'
import { FastPlays, playsPath } from './fast-plays.ts'
import { countHeaders, isHost, repeatedHeader } from './header-rules.ts'
import type { LoopTurns } from './loop-turns.ts'
import { RateLimit } from './rate-limit.ts'
import { hasExactLine } from './request-lines.ts'
import type { RequestListener, RequestQueues } from './request-queues.ts'

type Options = {
  quota: RateLimit
  headers: Record<string, string>
  nextRequestId: () => string
  queues: RequestQueues
  turns: LoopTurns
}

type Handlers = { merchants: FastPathHandler; plays: FastPlays; addressOf: ReturnType<typeof clientAddress> }

/**
 * Answers the two merchant operations and plays without the framework, if the request has the common form: a known
 * token, a JSON body, nothing unusual. Most of the time of a grant was spent in the framework and its hooks, then in
 * Node's HTTP server. All other requests go to the framework unchanged, body included, so only one place refuses bad
 * input. A test compares the answers of all paths.
 *
 * Each handler has two adapters. One works on the bare connection, before Node's parser. The other works behind Node's
 * parser, for connections that carried some other request before: a proxy sends everything over the same few, and a
 * browser begins with the page.
 */
export function addFastPath(app: FastifyInstance, options: Options): void {
  const answers = new FastAnswers(app, options.nextRequestId)
  const handlers = {
    merchants: new FastPathHandler(app, answers, options.quota),
    plays: new FastPlays(app, answers),
    addressOf: clientAddress(app.ctx.config.trustProxy),
  }
  handleBareConnections(app, handlers, options)
  handleNodeRequests(app, handlers, options)
}

function handleBareConnections({ server, ctx }: FastifyInstance, handlers: Handlers, options: Options) {
  const { merchants, plays, addressOf } = handlers
  const lookUp = tokenLookup(ctx.tokens)
  serveBareConnections(server, {
    headers: options.headers,
    read: commonReader(merchants.paths, [playsPath]),
    turns: options.turns,
    handle: ({ path, body, key, traceparent, authorization, forwardedFor }, connection) => {
      const startedAt = performance.now()
      if (authorization === undefined) {
        const play = () =>
          plays.handle({ body, address: addressOf(connection.address, forwardedFor), startedAt })
        return plays.isReady ? play() : plays.ready().then(play, () => undefined)
      }
      const handle = (token: TokenWithMerchant | undefined) =>
        token && merchants.handle({ path, token, body, key, traceparent, startedAt })
      const token = ctx.tokens.recall(authorization)
      if (token !== undefined) connection.caller = token.tokenId
      return token === undefined ? lookUp(authorization, connection.address).then(handle) : handle(token)
    },
  })
}

/**
 * Looks up a token that is not cached. Returns undefined if it is wrong or the lookup is slow: the framework then
 * repeats the lookup, waits for it, and reports any error.
 */
function tokenLookup(tokens: TokenVerifier) {
  // Limits only the lookups made here. The framework has its own limit, by the client address that a proxy reports.
  const wrongTokens = { counted: 'wrong tokens from this address', max: failedTokensPerMinuteMax }
  const failures = new RateLimit({ name: 'failures', ...wrongTokens, windowSeconds: 60 })
  return async (authorization: string, address: string): Promise<TokenWithMerchant | undefined> => {
    if (failures.peek(address).isOver) return undefined
    const lookup = tokens.verify(authorization, { isSuspect: false }).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'token_invalid') failures.use(address)
      return undefined
    })
    return Promise.race([lookup, sleep(wholeRequestMs, undefined)])
  }
}

function handleNodeRequests({ server, ctx }: FastifyInstance, handlers: Handlers, options: Options) {
  const { merchants, plays, addressOf } = handlers
  const [framework] = server.listeners('request') as [RequestListener]
  const fixedHeaders = Object.entries(options.headers).flat()
  const answer = (request: IncomingMessage, response: ServerResponse, handle: (body: Buffer) => Handled) => {
    const send = (answered: BareAnswer) => sendThroughNode(response, answered, fixedHeaders)
    readBody(request, (body) => {
      const handled = handle(body)
      if (handled === undefined) {
        request.unshift(body)
        framework(request, response)
      } else if (handled instanceof Promise) void handled.then(send)
      else send(handled)
    })
  }
  const listener: RequestListener = (request, response) => {
    const { headers, url: path = '' } = request
    const startedAt = performance.now()
    const tokens = isCommon(request) ? countHeaders(request, 'authorization') : undefined
    if (tokens === 0 && path === playsPath) {
      const forwardedFor = headers['x-forwarded-for'] as string | undefined
      const address = addressOf(request.socket.remoteAddress ?? '', forwardedFor)
      const play = () => answer(request, response, (body) => plays.handle({ body, address, startedAt }))
      if (plays.isReady) play()
      else void plays.ready().then(play, () => framework(request, response))
      return
    }
    const token = tokens === 1 ? ctx.tokens.recall(headers.authorization ?? '') : undefined
    // Before the body is read: the framework refuses a caller without waiting for its body.
    if (token === undefined || !merchants.mayCall(path, token)) return framework(request, response)
    const { 'idempotency-key': key, traceparent } = headers
    answer(request, response, (body) => merchants.handle({ path, token, body, key, traceparent, startedAt }))
  }
  const inOrder = options.queues.inOrder(listener)
  server.removeListener('request', framework)
  server.on('request', (request, response) => {
    // Node's parser reads nothing behind a request for an upgrade, which we never grant.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false
    if (hasExactLine(request)) inOrder(request, response)
    else server.emit('clientError', new Error('The request line is malformed.'), request.socket)
  })
}

type Handled = BareAnswer | Promise<BareAnswer> | undefined

/** `commonReader` has the rules for the bare connection. */
function isCommon(request: IncomingMessage): boolean {
  const { headers } = request
  const length = Number(headers['content-length'])
  return (
    request.method === 'POST' &&
    headers['content-type'] === 'application/json' &&
    length > 0 &&
    length <= bodyBytesMax &&
    request.httpVersion === '1.1' &&
    isHost(headers.host ?? ' ') &&
    repeatedHeader(request) === undefined &&
    headers.expect === undefined &&
    headers.cookie === undefined &&
    headers['content-encoding'] === undefined
  )
}

/** Calls `use` with the whole body. A body that stays incomplete is left to Node's timeouts. */
function readBody(request: IncomingMessage, use: (body: Buffer) => void): void {
  const length = Number(request.headers['content-length'])
  const onReadable = () => {
    const body = request.read(length) as Buffer | null
    if (body === null) return
    request.removeListener('readable', onReadable)
    use(body)
  }
  request.on('readable', onReadable)
}

function sendThroughNode(
  response: ServerResponse,
  answer: BareAnswer,
  fixedHeaders: readonly string[],
): void {
  const connection = answer.isLast ? ['connection', 'close'] : []
  response.writeHead(answer.status, [...fixedHeaders, ...answer.headers, ...connection])
  response.end(answer.text)
}
