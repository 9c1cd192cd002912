import type { FastifyInstance } from 'fastify'
import { requestsInFlightMax } from '../../limits.ts'
import type { TokenWithMerchant } from '../../merchants/service-tokens.ts'
import { overloaded, type Refusal } from '../../refusals.ts'
import type { Trace } from '../../tracing/trace.ts'
import type { BareAnswer } from './bare-connections.ts'
import { type PreparedProblem, prepareProblem } from './prepared-problem.ts'
import { logUnexpected, makeProblem, type Problem, problemContentType, toRefusal } from './problems.ts'
import { logRequest } from './request-log.ts'

/** A request that the fast path handles. `startedAt` is a time of `performance.now()`. */
type FastCall = {
  path: string
  caller: TokenWithMerchant | undefined
  traceparent: string | string[] | undefined
  startedAt: number
  /** The headers that show the remaining quota. */
  limits: readonly string[]
}

export type FastResult = { body: object; isRepeat: boolean }

/** Carries out work of the fast path, logs it, and makes the answer, as the framework would. */
export class FastAnswers {
  readonly #app: FastifyInstance
  readonly #nextRequestId: () => string
  readonly #prepared = new Map<Refusal, PreparedProblem>()

  constructor(app: FastifyInstance, nextRequestId: () => string) {
    this.#app = app
    this.#nextRequestId = nextRequestId
  }

  /** The refusal for a full server or queue, or undefined. */
  overload(queue: { isFullFor: (merchantId: number) => boolean }, merchantId: number): Refusal | undefined {
    if (this.#app.ctx.metrics.inFlight.count >= requestsInFlightMax) return overloaded('requests')
    return queue.isFullFor(merchantId) ? overloaded('queue') : undefined
  }

  async run(call: FastCall, work: (trace: Trace | undefined) => Promise<FastResult>): Promise<BareAnswer> {
    const { inFlight } = this.#app.ctx.metrics
    const begun = this.#begin(call)
    inFlight.count++
    const outcome = await work(begun.trace).then(toOk, (error: unknown) =>
      this.#toProblem(begun.requestId, error),
    )
    inFlight.count--
    return this.#finish(begun, outcome)
  }

  /** `refusal` is one of the few of `overload`. */
  refuse(call: FastCall, refusal: Refusal): BareAnswer {
    const { ctx } = this.#app
    const { path, caller } = call
    if (!ctx.refusalLog.admits(path, refusal.code, caller?.merchant.slug))
      return this.#refuseMany(call, refusal)
    const begun = this.#begin(call)
    return this.#finish(begun, this.#toProblem(begun.requestId, refusal), true)
  }

  /** The same answer, without a log line, a trace, a measured time, or an entry in the list of recent requests. */
  #refuseMany({ path, limits }: FastCall, refusal: Refusal): BareAnswer {
    const { config, metrics } = this.#app.ctx
    let prepared = this.#prepared.get(refusal)
    if (prepared === undefined) {
      prepared = prepareProblem(refusal, config.publicUrl)
      this.#prepared.set(refusal, prepared)
    }
    const { status, headers, text } = prepared(this.#nextRequestId())
    metrics.overloads.add(path, refusal.code)
    headers.push(...limits)
    return { status, headers, text, isLast: this.#app.isStopping }
  }

  #begin(call: FastCall): Begun {
    const { path: route, caller, traceparent, startedAt } = call
    const requestId = this.#nextRequestId()
    const trace = this.#app.ctx.tracing?.startRequest({
      method: 'POST',
      route,
      requestId,
      startedAt,
      merchant: caller?.merchant.slug,
      traceparent,
    })
    return { call, requestId, trace }
  }

  /** Logs the request and makes its answer. */
  #finish({ call, requestId, trace }: Begun, outcome: Outcome, isAdmitted = false): BareAnswer {
    const { path, caller, startedAt, limits } = call
    const { status, type, body, problem } = outcome
    const text = JSON.stringify(body)
    const length = String(Buffer.byteLength(text))
    const own = ['x-request-id', requestId, 'content-type', type, 'content-length', length]
    const ms = performance.now() - startedAt
    const facts = { requestId, method: 'POST', route: path, path, status, ms }
    logRequest(this.#app.ctx, { ...facts, caller, isStaff: false, problem, trace, isAdmitted })
    return { status, headers: [...own, ...limits, ...outcome.headers], text, isLast: this.#app.isStopping }
  }

  #toProblem(requestId: string, error: unknown): Outcome {
    const { ctx } = this.#app
    const refusal = toRefusal(error)
    logUnexpected(ctx, requestId, error, refusal)
    const problem = makeProblem(refusal, { publicUrl: ctx.config.publicUrl, requestId })
    const headers = Object.entries(refusal.headers).flat()
    const { status, code, detail } = problem
    return { status, type: problemContentType, headers, body: problem, problem: { code, detail } }
  }
}

type Begun = { call: FastCall; requestId: string; trace: Trace | undefined }

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
