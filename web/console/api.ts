/** Calls the server. A refusal arrives as a problem document and is thrown as a Problem. */

import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import type { FieldError, ProblemAnswer } from '../../src/http/answers/shapes.ts'

type SecondFactorAnswer = NonNullable<ProblemAnswer['secondFactor']>

/** The second factors that an account accepts. The browser's own types describe the options of a passkey. */
export type SecondFactor = {
  [Field in keyof SecondFactorAnswer]: Field extends 'passkey'
    ? PublicKeyCredentialRequestOptionsJSON | null
    : SecondFactorAnswer[Field]
}

export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly errors: readonly FieldError[]
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
  readonly secondFactor: SecondFactor | undefined

  constructor(facts: {
    status: number
    code: string
    detail: string
    errors?: readonly FieldError[] | undefined
    requestId?: string | null
    retryAfterSeconds?: number | null
    secondFactor?: SecondFactor | undefined
  }) {
    super(facts.detail)
    this.name = 'Problem'
    this.status = facts.status
    this.code = facts.code
    this.errors = facts.errors ?? []
    this.requestId = facts.requestId ?? null
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null
    this.secondFactor = facts.secondFactor
  }

  /** Whether the server refused the request by a rule, rather than failed. */
  get isRefusal(): boolean {
    return this.status >= 400 && this.status < 500
  }
}

export type Request = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: unknown
  /** The merchant that the call is about. */
  merchant?: string | undefined
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
}

export async function call<T>(path: string, request: Request = {}): Promise<T> {
  return (await callWithTag<T>(path, request)).data
}

/** Also returns the revision of the document, for `If-Match`. */
export async function callWithTag<T>(
  path: string,
  request: Request = {},
): Promise<{ data: T; etag: string | null }> {
  const response = await send(path, request)
  const data = response.status === 204 ? undefined : await response.json()
  return { data: data as T, etag: response.headers.get('ETag') }
}

/** The raw response, for downloads and streams. Refusals are thrown here too. */
export async function send(path: string, request: Request = {}): Promise<Response> {
  const { method = 'GET', body, merchant, headers = {}, signal } = request
  let response: Response
  try {
    response = await fetch(path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(merchant === undefined ? {} : { 'Wheelhouse-Merchant': merchant }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
      credentials: 'same-origin',
    })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new Problem({ status: 0, code: 'unreachable', detail: 'The server could not be reached.' })
  }
  if (!response.ok) throw await readProblem(response)
  return response
}

async function readProblem(response: Response): Promise<Problem> {
  const retryAfter = response.headers.get('Retry-After')
  const document = (await response.json().catch(() => ({}))) as Partial<ProblemAnswer>
  return new Problem({
    status: response.status,
    code: typeof document.code === 'string' ? document.code : 'unknown',
    detail: typeof document.detail === 'string' ? document.detail : `HTTP ${response.status}`,
    errors: document.errors,
    requestId: response.headers.get('X-Request-Id'),
    retryAfterSeconds: retryAfter === null ? null : Number(retryAfter),
    secondFactor: document.secondFactor as SecondFactor | undefined,
  })
}
