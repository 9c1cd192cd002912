import type { FastifyInstance } from 'fastify'
import { requestsInFlightMax } from '../../limits.ts'
import type { Merchant } from '../../merchants/merchants.ts'
import type { TokenWithMerchant } from '../../merchants/service-tokens.ts'
import { overloaded, type Refusal } from '../../refusals.ts'
import type { Trace } from '../../tracing/trace.ts'
import type { BareAnswer } from './bare-connections.ts'
import { type FastOperation, fastOperations, type FastResult, type FastWork } from './fast-path-operations.ts'
import { logUnexpected, makeProblem, type Problem, problemContentType, toRefusal } from './problems.ts'
import type { Quota, RateLimit } from './rate-limit.ts'
import { logRequest } from './request-log.ts'

/** A request in the common form, whichever parser read it. `startedAt` is a time of `performance.now()`. */
type FastRequest = {
  path: string
  token: TokenWithMerchant
  body: Buffer
  key: string | string[] | undefined
  traceparent: string | string[] | undefined
  startedAt: number
}

/** Handles requests of the fast path. Both adapters in fast-path.ts share one handler. */
export class FastPathHandler {
  readonly #app: FastifyInstance
  readonly #quota: RateLimit
  readonly #nextRequestId: () => string

  constructor(app: FastifyInstance, options: { quota: RateLimit; nextRequestId: () => string }) {
    this.#app = app
    this.#quota = options.quota
    this.#nextRequestId = options.nextRequestId
  }

  /** Whether the token may call the path here. Needs no body, so an adapter can ask before reading one. */
  mayCall(path: string, token: TokenWithMerchant): boolean {
    return this.#operationFor(path, token) !== undefined
  }

  /** Carries out the request and returns its answer. Returns undefined, at once, if the framework must handle it. */
  handle(request: FastRequest): BareAnswer | Promise<BareAnswer> | undefined {
    const { path, token, body, key } = request
    const operation = this.#operationFor(path, token)
    if (operation === undefined) return undefined
    // Before the body is parsed: a refusal must cost less than the work.
    const overload = this.#overload(operation, token.merchant)
    const work = overload === undefined ? operation.prepare(body, key) : undefined
    if (overload === undefined && work === undefined) return undefined
    // The framework counts the requests that it gets, so only those handled here are counted here.
    const quota = this.#quota.use(token.tokenId)
    if (quota.isOver) return undefined
    const call = this.#begin(request, quota)
    return work === undefined ? this.#finish(call, this.#toProblem(call, overload)) : this.#run(call, work)
  }

  #begin(request: FastRequest, quota: Quota): Call {
    const { path: route, token, traceparent, startedAt } = request
    const requestId = this.#nextRequestId()
    const trace = this.#app.ctx.tracing?.startRequest({
      method: 'POST',
      route,
      requestId,
      startedAt,
      merchant: token.merchant.slug,
      traceparent,
    })
    return { request, quota, requestId, trace }
  }

  #operationFor(path: string, { merchant, scopes }: TokenWithMerchant): FastOperation | undefined {
    const operation = fastOperations.get(path)
    if (operation === undefined || this.#app.isStopping) return undefined
    return merchant.suspendedAt === null && scopes.includes(operation.scope) ? operation : undefined
  }

  #overload({ queueOf }: FastOperation, { merchantId }: Merchant): Refusal | undefined {
    const { ctx } = this.#app
    if (ctx.metrics.inFlight.count >= requestsInFlightMax) return overloaded('requests')
    return queueOf(ctx).isFullFor(merchantId) ? overloaded('queue') : undefined
  }

  async #run(call: Call, work: FastWork): Promise<BareAnswer> {
    const { ctx } = this.#app
    const { inFlight } = ctx.metrics
    inFlight.count++
    const outcome = await work(ctx, call.request.token.merchant, call.trace).then(toOk, (error: unknown) =>
      this.#toProblem(call, error),
    )
    inFlight.count--
    return this.#finish(call, outcome)
  }

  /** Logs the request and makes its answer. */
  #finish({ request, requestId, quota, trace }: Call, outcome: Outcome): BareAnswer {
    const { path, token, startedAt } = request
    const { status, type, body, problem } = outcome
    const text = JSON.stringify(body)
    const length = String(Buffer.byteLength(text))
    const own = ['x-request-id', requestId, 'content-type', type, 'content-length', length]
    const limits = ['ratelimit-policy', this.#quota.policy, 'ratelimit', this.#quota.describe(quota)]
    const ms = performance.now() - startedAt
    const facts = { requestId, method: 'POST', route: path, path, status, ms }
    logRequest(this.#app.ctx, { ...facts, caller: token, isStaff: false, problem, trace })
    return { status, headers: [...own, ...limits, ...outcome.headers], text, isLast: this.#app.isStopping }
  }

  #toProblem({ requestId }: Call, error: unknown): Outcome {
    const { ctx } = this.#app
    const refusal = toRefusal(error)
    logUnexpected(ctx, requestId, error, refusal)
    const problem = makeProblem(refusal, { publicUrl: ctx.config.publicUrl, requestId })
    const headers = Object.entries(refusal.headers).flat()
    const { status, code, detail } = problem
    return { status, type: problemContentType, headers, body: problem, problem: { code, detail } }
  }
}

type Call = { request: FastRequest; requestId: string; quota: Quota; trace: Trace | undefined }

type Outcome = {
  status: number
  type: string
  headers: string[]
  body: object
  problem: Pick<Problem, 'code' | 'detail'> | undefined
}

function toOk({ body, isRepeat }: FastResult): Outcome {
  const headers = isRepeat ? ['idempotent-replayed', 'true'] : []
  return { status: 200, type: 'application/json; charset=utf-8', headers, body, problem: undefined }
}
