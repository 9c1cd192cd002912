import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { increaseSpin } from '../../grants/increase-spin.ts'
import { createGameLink } from '../../links/game-links.ts'
import { bodyBytesMax, failedTokensPerMinuteMax, requestsInFlightMax, wholeRequestMs } from '../../limits.ts'
import type { Merchant } from '../../merchants/merchants.ts'
import type { Scope } from '../../merchants/scopes.ts'
import type { TokenWithMerchant } from '../../merchants/service-tokens.ts'
import { overloaded, Refusal } from '../../refusals.ts'
import { type BareAnswer, serveBareConnections } from './bare-connections.ts'
import { readJson } from './body.ts'
import { commonReader } from './common-request.ts'
import { countHeaders, isHost } from './header-rules.ts'
import { logUnexpected, makeProblem, type Problem, problemContentType, toRefusal } from './problems.ts'
import { type Quota, RateLimit } from './rate-limit.ts'
import type { RequestListener, RequestQueues } from './request-queues.ts'
import { logRequest } from './request-log.ts'
import { isIdempotencyKey, isPlayerId, isSpinNumber } from '../answers/common.ts'

/**
 * The two merchant operations in their common form, past the framework: a known token, a JSON body, nothing odd. Most of the
 * time of a grant was the framework's and its hooks', and then Node's own. Whatever is not quite common is left to the framework
 * untouched, body included, so that every refusal of bad input has one author. A test holds the answers side by side.
 *
 * It has two doors. One is before Node's parser; the other one is behind it, for connections on which something else came
 * before, such as those of a proxy that sends everything over the same few.
 */
export function addFastLane(app: FastifyInstance, options: LaneOptions): void {
  const { server, ctx } = app
  const lane = makeLane(app, options)
  serveBareConnections(server, {
    headers: options.headers,
    read: commonReader([...operations.keys()]),
    serve: (request, { address, answer }) => {
      const since = performance.now()
      const enter = (token: TokenWithMerchant | undefined) => {
        const guest = token && lane.admit(request.path, token, since)
        return guest !== undefined && lane.serve(guest, request, answer)
      }
      const token = ctx.tokens.recall(request.authorization)
      return token === undefined ? lane.learn(request.authorization, address).then(enter) : enter(token)
    },
  })

  const [framework] = server.listeners('request') as [RequestListener]
  const fixed = Object.entries(options.headers).flat()
  const serve: RequestListener = (request, response) => {
    const { headers, url } = request
    const mayPass = request.method === 'POST' && isCommon(request)
    const token = mayPass ? ctx.tokens.recall(headers.authorization ?? '') : undefined
    const guest = token && lane.admit(url ?? '', token, performance.now())
    if (guest === undefined) return framework(request, response)
    const answer = (own: BareAnswer) => {
      const end = own.isLast ? ['connection', 'close'] : []
      response.writeHead(own.status, [...fixed, ...own.headers, ...end])
      response.end(own.text)
    }
    const length = Number(headers['content-length'])
    const onReadable = () => {
      const body = request.read(length) as Buffer | null
      if (body === null) return
      request.removeListener('readable', onReadable)
      if (lane.serve(guest, { body, key: headers['idempotency-key'] }, answer)) return
      request.unshift(body)
      framework(request, response)
    }
    request.on('readable', onReadable)
  }
  server.removeListener('request', framework)
  server.on('request', options.queues.inTurn(serve))
}

type LaneOptions = {
  quota: RateLimit
  headers: Record<string, string>
  nextRequestId: () => string
  queues: RequestQueues
}

function makeLane(app: FastifyInstance, { quota, nextRequestId }: LaneOptions) {
  const { ctx } = app
  // Not the budget itself, which the framework keeps by the address that a proxy names: it ends our own lookups.
  const failures = new RateLimit({ name: 'failures', max: failedTokensPerMinuteMax, windowSeconds: 60 })

  const send = ({ path, token, since, requestId, used, answer }: Call, outcome: Outcome): void => {
    const { status, type, headers, body, problem } = outcome
    const text = JSON.stringify(body)
    const length = String(Buffer.byteLength(text))
    const own = ['x-request-id', requestId, 'content-type', type, 'content-length', length]
    const limits = ['ratelimit-policy', quota.policy, 'ratelimit', quota.describe(used)]
    answer({ status, headers: [...own, ...limits, ...headers], text, isLast: app.isStopping })
    const ms = performance.now() - since
    const facts = { requestId, method: 'POST', route: path, path, status, ms }
    logRequest(ctx, { ...facts, caller: token, isStaff: false, problem })
  }

  const refusalFor = ({ requestId }: Call, error: unknown): Outcome => {
    logUnexpected(ctx, requestId, error)
    return toProblem(error, { publicUrl: ctx.config.publicUrl, requestId })
  }

  const overload = ({ queueOf }: Operation, { merchantId }: Merchant): Refusal | undefined => {
    if (ctx.metrics.inFlight.count >= requestsInFlightMax) return overloaded('requests')
    return queueOf(ctx).isFullFor(merchantId) ? overloaded('queue') : undefined
  }

  const carryOut = async (call: Call, work: Work): Promise<void> => {
    ctx.metrics.inFlight.count++
    const { merchant } = call.token
    const outcome = await work(ctx, merchant).then(toOk, (error: unknown) => refusalFor(call, error))
    ctx.metrics.inFlight.count--
    send(call, outcome)
  }

  return {
    /**
     * Reads a token that is not in memory, or no longer. What is wrong with one, the framework will find and say; it also
     * waits for what takes long.
     */
    async learn(authorization: string, address: string): Promise<TokenWithMerchant | undefined> {
      if (failures.peek(address).isOver) return undefined
      const read = ctx.tokens.verify(authorization, { isSuspect: false }).catch((error: unknown) => {
        if (error instanceof Refusal && error.code === 'token_invalid') failures.use(address)
        return undefined
      })
      return Promise.race([read, sleep(wholeRequestMs, undefined)])
    },

    /** Whether nothing stands against it that this token calls this path. */
    admit(path: string, token: TokenWithMerchant, since: number): Guest | undefined {
      const operation = operations.get(path)
      if (operation === undefined || app.isStopping) return undefined
      if (token.merchant.suspendedAt !== null || !token.scopes.includes(operation.scope)) return undefined
      return { path, operation, token, since }
    },

    /** Whether it takes the request, which it then answers. */
    serve(
      { path, operation, token, since }: Guest,
      { body, key }: { body: Buffer; key: string | string[] | undefined },
      answer: (answer: BareAnswer) => void,
    ): boolean {
      // A refusal must cost less than the work.
      const tooMuch = overload(operation, token.merchant)
      const work = tooMuch === undefined ? operation.prepare(body, key) : undefined
      if (tooMuch === undefined && work === undefined) return false
      // Counted when it is taken, like in the framework, which counts whatever is left to it.
      const used = quota.use(token.tokenId)
      if (used.isOver) return false
      const call = { path, token, since, requestId: nextRequestId(), used, answer }
      if (work === undefined) send(call, refusalFor(call, tooMuch))
      else void carryOut(call, work)
      return true
    },
  }
}

type Operation = {
  scope: Scope
  queueOf: (ctx: Context) => { isFullFor: (merchant: number) => boolean }
  prepare: (bytes: Buffer, key: string | string[] | undefined) => Work | undefined
}
type Work = (ctx: Context, merchant: Merchant) => Promise<{ body: object; isRepeat?: boolean }>
type Guest = { path: string; operation: Operation; token: TokenWithMerchant; since: number }
type Call = {
  path: string
  token: TokenWithMerchant
  since: number
  requestId: string
  used: Quota
  answer: (answer: BareAnswer) => void
}
type Outcome = {
  status: number
  type: string
  headers: string[]
  body: object
  problem: Pick<Problem, 'code' | 'detail'> | undefined
}

/** For connections that Node reads; `commonReader` has its own rules. */
function isCommon(request: IncomingMessage): boolean {
  const { headers } = request
  const length = Number(headers['content-length'])
  return (
    headers['content-type'] === 'application/json' &&
    length > 0 &&
    length <= bodyBytesMax &&
    request.httpVersion === '1.1' &&
    isHost(headers.host ?? ' ') &&
    countHeaders(request, 'host') === 1 &&
    headers.expect === undefined &&
    headers.cookie === undefined &&
    headers['content-encoding'] === undefined &&
    countHeaders(request, 'authorization') === 1
  )
}

/** What each body asks for; nothing for one that the framework should look at. */
const operations = new Map<string, Operation>([
  [
    '/api/player/increaseSpin',
    {
      scope: 'spins',
      queueOf: (ctx) => ctx.grants,
      prepare: (bytes, key) => {
        const { playerId, spinNumber } = readFields(bytes)
        if (!isPlayerId(playerId) || !isSpinNumber(spinNumber) || spinNumber < 1) return undefined
        if (key !== undefined && !isIdempotencyKey(key)) return undefined
        return async (ctx, merchant) => {
          const { spinCount, isRepeat } = await increaseSpin(ctx, merchant, { playerId, spinNumber, key })
          return { body: { playerId, spinCount }, isRepeat }
        }
      },
    },
  ],
  [
    '/api/game/sso',
    {
      scope: 'links',
      queueOf: (ctx) => ctx.links,
      prepare: (bytes) => {
        const fields = readFields(bytes)
        const { playerId } = fields
        const initialSpin = fields.initialSpin ?? 0
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

function toOk({ body, isRepeat }: { body: object; isRepeat?: boolean }): Outcome {
  const headers = isRepeat === true ? ['idempotent-replayed', 'true'] : []
  return { status: 200, type: 'application/json; charset=utf-8', headers, body, problem: undefined }
}

function toProblem(error: unknown, where: { publicUrl: string; requestId: string }): Outcome {
  const refusal = toRefusal(error)
  const problem = makeProblem(refusal, where)
  const headers = Object.entries(refusal.headers).flat()
  const { status, code, detail } = problem
  return { status, type: problemContentType, headers, body: problem, problem: { code, detail } }
}
