import type { FastifyInstance } from 'fastify'
import type { TokenWithMerchant } from '../../merchants/service-tokens.ts'
import { isTest } from '../../test-clock.ts'
import type { BareAnswer } from './bare-connections.ts'
import type { FastAnswers } from './fast-answers.ts'
import { type FastOperation, makeFastOperations } from './fast-path-operations.ts'
import type { RateLimit } from './rate-limit.ts'

/** A merchant's request in the common form, whichever parser read it. `startedAt` is a time of `performance.now()`. */
type FastRequest = {
  path: string
  token: TokenWithMerchant
  body: Buffer
  key: string | string[] | undefined
  traceparent: string | string[] | undefined
  startedAt: number
}

/** Handles merchants' requests of the fast path. Both adapters in fast-path.ts share one handler. */
export class FastPathHandler {
  readonly #app: FastifyInstance
  readonly #answers: FastAnswers
  readonly #quota: RateLimit
  readonly #operations = makeFastOperations()

  constructor(app: FastifyInstance, answers: FastAnswers, quota: RateLimit) {
    this.#app = app
    this.#answers = answers
    this.#quota = quota
  }

  get paths(): string[] {
    return [...this.#operations.keys()]
  }

  /** Whether the token may call the path here. Needs no body, so an adapter can ask before reading one. */
  mayCall(path: string, token: TokenWithMerchant): boolean {
    return this.#operationFor(path, token) !== undefined
  }

  /** Carries out the request and returns its answer. Returns undefined, at once, if the framework must handle it. */
  handle(request: FastRequest): BareAnswer | Promise<BareAnswer> | undefined {
    const { path, token, body, key, traceparent, startedAt } = request
    const operation = this.#operationFor(path, token)
    if (operation === undefined) return undefined
    const { ctx } = this.#app
    const { merchant } = token
    // Before the body is parsed: a refusal must cost less than the work.
    const overload = this.#answers.overload(operation.queueOf(ctx), merchant.merchantId)
    const work = overload === undefined ? operation.prepare(body, key) : undefined
    if (overload === undefined && work === undefined) return undefined
    // The framework counts the requests that it gets, so only those handled here are counted here.
    const quota = this.#quota.use(token.tokenId)
    if (quota.isOver) return undefined
    const limits = ['ratelimit-policy', this.#quota.policy, 'ratelimit', this.#quota.describe(quota)]
    const call = { path, caller: token, traceparent, startedAt, limits }
    if (overload !== undefined) return this.#answers.refuse(call, overload)
    return work && this.#answers.run(call, (trace) => work(ctx, token, trace))
  }

  #operationFor(path: string, { merchant, scopes }: TokenWithMerchant): FastOperation | undefined {
    const operation = this.#operations.get(path)
    if (operation === undefined || this.#app.isStopping || isTest(merchant)) return undefined
    return merchant.suspendedAt === null && scopes.includes(operation.scope) ? operation : undefined
  }
}
