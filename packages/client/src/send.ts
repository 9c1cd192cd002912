import { WheelhouseProblem, WheelhouseUnreachable } from './errors.ts'
import { pauseAfter, sleep } from './pause.ts'

export type OutgoingRequest = {
  url: string
  method: string
  headers: Headers
  body: string | Blob | undefined
  idempotencyKey: string | undefined
  /** Whether sending it again has no further effect. */
  isRepeatable: boolean
}

export type Patience = {
  fetch: typeof fetch
  /** For the whole call. */
  deadlineMs: number
  /** For one attempt: a connection that fell silent must not use up the whole deadline. */
  attemptMs: number
  signal: AbortSignal | undefined
  onRetry: ((retry: Retry) => void) | undefined
}

/** Called before each retry of a request. */
export type Retry = { error: WheelhouseProblem | WheelhouseUnreachable; waitMs: number; attempts: number }

export type Arrived = { headers: Headers; body: unknown }
type Failed = {
  error: WheelhouseProblem | WheelhouseUnreachable
  retryAfterSeconds: number
  mayRepeat: boolean
}

/** Sends a request until it is answered, refused for good, or the deadline is near. It is the same each time. */
export async function send(request: OutgoingRequest, patience: Patience): Promise<Arrived> {
  const deadline = performance.now() + patience.deadlineMs
  for (let attempts = 1; ; attempts++) {
    const outcome = await attempt(request, patience, deadline - performance.now())
    if ('body' in outcome) return outcome
    const { error, retryAfterSeconds, mayRepeat } = outcome
    const waitMs = pauseAfter(attempts - 1, retryAfterSeconds)
    // To wait for an attempt that has no time left would only delay the error.
    if (!mayRepeat || performance.now() + waitMs >= deadline) throw error
    patience.onRetry?.({ error, waitMs, attempts })
    await sleep(waitMs, patience.signal)
  }
}

async function attempt(
  request: OutgoingRequest,
  { fetch, attemptMs, signal }: Patience,
  leftMs: number,
): Promise<Arrived | Failed> {
  signal?.throwIfAborted()
  const { url, method, headers, body } = request
  const ending = new AbortController()
  const end = () => ending.abort(signal?.reason)
  const timeoutMs = Math.min(attemptMs, leftMs)
  const timer = setTimeout(
    () => ending.abort(new Error(`no answer within ${Math.round(timeoutMs)} ms`)),
    timeoutMs,
  )
  signal?.addEventListener('abort', end, { once: true })
  try {
    const init = { method, headers, redirect: 'manual', signal: ending.signal } as const
    const response = await fetch(url, body === undefined ? init : { ...init, body })
    return judge(request, response, await response.text())
  } catch (cause) {
    signal?.throwIfAborted()
    const text = `No answer from ${method} ${new URL(url).pathname}: ${reasonOf(cause)}`
    const error = new WheelhouseUnreachable(text, { cause, idempotencyKey: request.idempotencyKey })
    return { error, retryAfterSeconds: 0, mayRepeat: request.isRepeatable }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}

/** Node hides the reason of a failed connection in the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string } }
  return cause?.message ?? message ?? String(error)
}

function judge(request: OutgoingRequest, response: Response, text: string): Arrived | Failed {
  const { status, headers } = response
  const { idempotencyKey, isRepeatable } = request
  const body = parse(text)
  if (response.ok && body !== undefined) return { headers, body }
  const retryAfterSeconds = secondsIn(headers.get('Retry-After'))
  // Refused before anything was done, so that even what must not be repeated may be.
  const isSafe = isRepeatable || status === 429
  if (isProblem(body)) {
    const error = new WheelhouseProblem(body, idempotencyKey)
    return { error, retryAfterSeconds, mayRepeat: isSafe && error.retryable }
  }
  const message = `Something that is not Wheelhouse answered ${request.method} ${new URL(request.url).pathname} with ${status}`
  const error = new WheelhouseUnreachable(message, { status, idempotencyKey })
  return { error, retryAfterSeconds, mayRepeat: isSafe && isPassing(response) }
}

/** A proxy that can't reach the server, or JSON that was cut off. A page instead of JSON is a wrong address. */
function isPassing({ ok, status, headers }: Response): boolean {
  if (ok) return headers.get('Content-Type')?.includes('json') === true
  return status === 408 || status === 429 || status >= 500
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isProblem(body: unknown): body is ConstructorParameters<typeof WheelhouseProblem>[0] {
  const { code, retryable } = (body ?? {}) as Record<string, unknown>
  return typeof code === 'string' && typeof retryable === 'boolean'
}

/** Wheelhouse sends seconds; a proxy may send a date. */
function secondsIn(retryAfter: string | null): number {
  if (retryAfter === null) return 0
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000
  return seconds > 0 ? seconds : 0
}
