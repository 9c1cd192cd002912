import type { RefusalCode } from './generated/refusal-codes.ts'

/** One wrong field: a JSON pointer into the request body, and what is wrong there. */
export type FieldError = { pointer: string; detail: string }

type ProblemFields = {
  code: RefusalCode
  status: number
  title: string
  detail: string
  requestId: string
  retryable: boolean
  errors?: readonly FieldError[]
}

/** Wheelhouse refused the request. Decide on `code`; a newer server may send codes that this version does not list. */
export class WheelhouseProblem extends Error {
  override readonly name = 'WheelhouseProblem'
  readonly code: RefusalCode
  readonly status: number
  readonly title: string
  readonly detail: string
  /** Names the request in the server's log. */
  readonly requestId: string
  /** Whether the same request may succeed later, unchanged. */
  readonly retryable: boolean
  /** The wrong fields; empty where the problem is another one. */
  readonly errors: readonly FieldError[]
  /** The key of the call, to repeat it with. */
  readonly idempotencyKey: string | undefined

  constructor(problem: ProblemFields, idempotencyKey?: string) {
    super(`${problem.code}: ${problem.detail}`)
    this.code = problem.code
    this.status = problem.status
    this.title = problem.title
    this.detail = problem.detail
    this.requestId = problem.requestId
    this.retryable = problem.retryable
    this.errors = problem.errors ?? []
    this.idempotencyKey = idempotencyKey
  }
}

/**
 * No answer of Wheelhouse arrived before the deadline, or something on the way answered instead. Whether the change
 * was made is not known: repeat the call with the same `idempotencyKey`.
 */
export class WheelhouseUnreachable extends Error {
  override readonly name = 'WheelhouseUnreachable'
  /** The status, where something on the way answered. */
  readonly status: number | undefined
  readonly idempotencyKey: string | undefined

  constructor(
    message: string,
    more: { status?: number; idempotencyKey?: string | undefined; cause?: unknown },
  ) {
    super(message, { cause: more.cause })
    this.status = more.status
    this.idempotencyKey = more.idempotencyKey
  }
}

/** A webhook that Wheelhouse did not send, or not lately. Answer it with 401, and do nothing else with it. */
export class WebhookRejected extends Error {
  override readonly name = 'WebhookRejected'
  readonly reason: 'headers_missing' | 'timestamp_out_of_range' | 'signature_mismatch' | 'body_malformed'

  constructor(reason: WebhookRejected['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}
