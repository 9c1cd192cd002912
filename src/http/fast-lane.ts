import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { createGameLink } from '../games/game-links.ts'
import { bodyBytesMax, requestsInFlightMax } from '../limits.ts'
import type { Merchant } from '../merchants/merchants.ts'
import type { Scope, TokenWithMerchant } from '../merchants/service-tokens.ts'
import { countAuthorizations } from './authenticate.ts'
import { readJson } from './body.ts'
import { increaseSpin } from './merchant-routes.ts'
import { logUnexpected, makeProblem, problemContentType, toRefusal } from './problems.ts'
import type { RateLimit } from './rate-limit.ts'
import { logRequest } from './request-log.ts'
import { isIdempotencyKey, isPlayerId, isSpinNumber } from './schemas.ts'

/**
 * The two merchant operations in their common form, past the framework: a known token, a JSON body in one piece, nothing
 * odd. Most of the time of a grant was the framework's and its hooks'. Whatever is not quite common is left to the
 * framework untouched, body included, so that every refusal of bad input has one author. A test holds the answers of
 * both side by side.
 */
export function addFastLane(
  app: FastifyInstance,
  lane: { quota: RateLimit; headers: Record<string, string>; nextRequestId: () => string },
): void {
  const { server, ctx } = app
  const [framework] = server.listeners('request') as [RequestListener]
  const fixed = Object.entries(lane.headers).flat()

  /** Who calls, if everything about the request so far is common. */
  const recognise = (request: IncomingMessage, response: ServerResponse, scope: Scope) => {
    const { authorization } = request.headers
    // Without a socket, an earlier answer on this connection is still due.
    const mayPass = response.socket !== null && !app.isStopping && isCommon(request)
    const token = mayPass && authorization !== undefined ? ctx.tokens.recall(authorization) : undefined
    if (token === undefined || ctx.metrics.inFlight.count >= requestsInFlightMax) return undefined
    if (token.merchant.suspendedAt !== null || !token.scopes.includes(scope)) return undefined
    return lane.quota.peek(token.tokenId).isOver ? undefined : token
  }

  const answer = async ({ request, response, token, since }: Call, work: Work): Promise<void> => {
    const requestId = lane.nextRequestId()
    const quota = lane.quota.use(token.tokenId)
    ctx.metrics.inFlight.count++
    const { status, type, headers, body } = await work(ctx, token.merchant).then(toOk, (error: unknown) => {
      logUnexpected(ctx, requestId, error)
      return toProblem(error, { publicUrl: ctx.config.publicUrl, requestId })
    })
    ctx.metrics.inFlight.count--
    const text = JSON.stringify(body)
    const own = [
      'x-request-id',
      requestId,
      'content-type',
      type,
      'content-length',
      String(Buffer.byteLength(text)),
    ]
    const limits = ['ratelimit-policy', lane.quota.policy, 'ratelimit', lane.quota.describe(quota)]
    const end = app.isStopping ? ['connection', 'close'] : []
    response.writeHead(status, [...fixed, ...own, ...limits, ...headers, ...end])
    response.end(text)
    const path = request.url as string
    const ms = performance.now() - since
    logRequest(ctx, { requestId, method: 'POST', route: path, path, status, ms, caller: token })
  }

  server.removeListener('request', framework)
  server.on('request', (request, response) => {
    const operation = request.method === 'POST' ? operations.get(request.url ?? '') : undefined
    const token = operation && recognise(request, response, operation.scope)
    if (operation === undefined || token === undefined) return framework(request, response)
    const since = performance.now()
    const length = Number(request.headers['content-length'])
    const onReadable = () => {
      const bytes = request.read(length) as Buffer | null
      if (bytes === null) return
      request.removeListener('readable', onReadable)
      const work = operation.prepare(bytes, request.headers['idempotency-key'])
      if (work === undefined) {
        request.unshift(bytes)
        framework(request, response)
      } else void answer({ request, response, token, since }, work)
    }
    request.on('readable', onReadable)
  })
}

type RequestListener = (request: IncomingMessage, response: ServerResponse) => void
type Call = { request: IncomingMessage; response: ServerResponse; token: TokenWithMerchant; since: number }
type Work = (ctx: Context, merchant: Merchant) => Promise<{ body: object; isRepeat?: boolean }>

function isCommon(request: IncomingMessage): boolean {
  const { headers } = request
  const length = Number(headers['content-length'])
  return (
    headers['content-type'] === 'application/json' &&
    length > 0 &&
    length <= bodyBytesMax &&
    headers.host !== undefined &&
    headers.expect === undefined &&
    countAuthorizations(request) === 1
  )
}

/** What each body asks for; nothing for one that the framework should look at. */
const operations = new Map<
  string,
  { scope: Scope; prepare: (bytes: Buffer, key: string | string[] | undefined) => Work | undefined }
>([
  [
    '/api/player/increaseSpin',
    {
      scope: 'spins',
      prepare: (bytes, key) => {
        const { playerId, spinNumber } = readFields(bytes)
        if (!isPlayerId(playerId) || !isSpinNumber(spinNumber) || spinNumber < 1) return undefined
        if (key !== undefined && !isIdempotencyKey(key)) return undefined
        return (ctx, merchant) => increaseSpin(ctx, merchant, { playerId, spinNumber, key })
      },
    },
  ],
  [
    '/api/game/sso',
    {
      scope: 'links',
      prepare: (bytes) => {
        const { playerId, initialSpin = 0 } = readFields(bytes)
        if (!isPlayerId(playerId) || !isSpinNumber(initialSpin)) return undefined
        return async (ctx, merchant) => ({
          body: await createGameLink(ctx, { merchant, playerId, initialSpin }),
        })
      },
    },
  ],
])

function readFields(bytes: Buffer): Record<string, unknown> {
  try {
    const body = readJson(bytes)
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  } catch {
    // The framework finds the same, and says it.
    return {}
  }
}

function toOk({ body, isRepeat }: { body: object; isRepeat?: boolean }) {
  const headers = isRepeat === true ? ['idempotent-replayed', 'true'] : []
  return { status: 200, type: 'application/json; charset=utf-8', headers, body }
}

function toProblem(error: unknown, where: { publicUrl: string; requestId: string }) {
  const refusal = toRefusal(error)
  const problem = makeProblem(refusal, where)
  const headers = Object.entries(refusal.headers).flat()
  return { status: problem.status, type: problemContentType, headers, body: problem }
}
