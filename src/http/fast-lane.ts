import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { overloaded } from '../db/group-commit.ts'
import { createGameLink } from '../games/game-links.ts'
import { bodyBytesMax, requestsInFlightMax } from '../limits.ts'
import type { Merchant } from '../merchants/merchants.ts'
import type { Scope } from '../merchants/scopes.ts'
import type { TokenWithMerchant } from '../merchants/service-tokens.ts'
import { countAuthorizations } from './authenticate.ts'
import { readJson } from './body.ts'
import { increaseSpin } from './merchant-routes.ts'
import { logUnexpected, makeProblem, type Problem, problemContentType, toRefusal } from './problems.ts'
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

  const send = ({ request, response, token, since }: Call, requestId: string, answer: Answer): void => {
    const { status, type, headers, body, problem } = answer
    const text = JSON.stringify(body)
    const length = String(Buffer.byteLength(text))
    const own = ['x-request-id', requestId, 'content-type', type, 'content-length', length]
    const used = lane.quota.describe(lane.quota.use(token.tokenId))
    const limits = ['ratelimit-policy', lane.quota.policy, 'ratelimit', used]
    const end = app.isStopping ? ['connection', 'close'] : []
    response.writeHead(status, [...fixed, ...own, ...limits, ...headers, ...end])
    response.end(text)
    const path = request.url as string
    const ms = performance.now() - since
    logRequest(ctx, {
      requestId,
      method: 'POST',
      route: path,
      path,
      status,
      ms,
      caller: token,
      isStaff: false,
      problem,
    })
  }

  const refuse = (call: Call, requestId: string, error: unknown): void => {
    logUnexpected(ctx, requestId, error)
    send(call, requestId, toProblem(error, { publicUrl: ctx.config.publicUrl, requestId }))
  }

  const carryOut = async (call: Call, work: Work): Promise<void> => {
    const requestId = lane.nextRequestId()
    ctx.metrics.inFlight.count++
    try {
      send(call, requestId, toOk(await work(ctx, call.token.merchant)))
    } catch (error) {
      refuse(call, requestId, error)
    } finally {
      ctx.metrics.inFlight.count--
    }
  }

  server.removeListener('request', framework)
  server.on('request', (request, response) => {
    const operation = request.method === 'POST' ? operations.get(request.url ?? '') : undefined
    const token = operation && recognise(request, response, operation.scope)
    if (operation === undefined || token === undefined) return framework(request, response)
    const call = { request, response, token, since: performance.now() }
    // Whom we can't serve we tell before we read on: a refusal must cost less than the work.
    if (operation.queueOf(ctx).isFullFor(token.merchant.merchantId)) {
      refuse(call, lane.nextRequestId(), overloaded())
      return
    }
    const length = Number(request.headers['content-length'])
    const onReadable = () => {
      const bytes = request.read(length) as Buffer | null
      if (bytes === null) return
      request.removeListener('readable', onReadable)
      const work = operation.prepare(bytes, request.headers['idempotency-key'])
      if (work === undefined) {
        request.unshift(bytes)
        framework(request, response)
      } else void carryOut(call, work)
    }
    request.on('readable', onReadable)
  })
}

type RequestListener = (request: IncomingMessage, response: ServerResponse) => void
type Call = { request: IncomingMessage; response: ServerResponse; token: TokenWithMerchant; since: number }
type Answer = {
  status: number
  type: string
  headers: string[]
  body: object
  problem: Pick<Problem, 'code' | 'detail'> | undefined
}
type Queue = { isFullFor: (merchant: number) => boolean }
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
  {
    scope: Scope
    queueOf: (ctx: Context) => Queue
    prepare: (bytes: Buffer, key: string | string[] | undefined) => Work | undefined
  }
>([
  [
    '/api/player/increaseSpin',
    {
      scope: 'spins',
      queueOf: (ctx) => ctx.grants,
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
      queueOf: (ctx) => ctx.links,
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

function toOk({ body, isRepeat }: { body: object; isRepeat?: boolean }): Answer {
  const headers = isRepeat === true ? ['idempotent-replayed', 'true'] : []
  return { status: 200, type: 'application/json; charset=utf-8', headers, body, problem: undefined }
}

function toProblem(error: unknown, where: { publicUrl: string; requestId: string }): Answer {
  const refusal = toRefusal(error)
  const problem = makeProblem(refusal, where)
  const headers = Object.entries(refusal.headers).flat()
  const { status, code, detail } = problem
  return { status, type: problemContentType, headers, body: problem, problem: { code, detail } }
}
