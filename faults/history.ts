import { Agent, request } from 'undici'

/**
 * One request and its result. `ok`: it was acknowledged. `refused`: the answer says that nothing was changed.
 * `unknown`: there was no answer, or one that promises nothing.
 */
export type Call = {
  kind: 'grant' | 'link' | 'open' | 'play' | 'claim' | 'redemption' | 'read' | 'entry'
  playerId: string
  /** Identifies repeats: the idempotency key, or the id of the play. */
  key: string | undefined
  /** The number of spins requested. */
  amount: number
  /** The id of the play whose prize is claimed or redeemed. */
  playId?: string
  sentAt: number
  answeredAt: number
  outcome: 'ok' | 'refused' | 'unknown'
  status: number
  /** The code of a refusal, or of a connection error. */
  code: string | undefined
  isReplay: boolean
  body: Record<string, unknown>
}

export type RequestSpec = Pick<Call, 'kind' | 'playerId' | 'key' | 'amount' | 'playId'> & {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  headers: Record<string, string>
  payload?: object
}

const answerMsMax = 10_000

/** Sends requests, and records each with its answer. */
export class History {
  readonly calls: Call[] = []
  readonly #agent = new Agent({
    connections: 200,
    headersTimeout: answerMsMax,
    bodyTimeout: answerMsMax,
    connect: { timeout: 3_000 },
  })

  async send(url: string, spec: RequestSpec): Promise<Call> {
    const { method, path, headers, payload, ...asked } = spec
    const call: Call = {
      ...asked,
      sentAt: performance.now(),
      answeredAt: Infinity,
      outcome: 'unknown',
      status: 0,
      code: undefined,
      isReplay: false,
      body: {},
    }
    this.calls.push(call)
    try {
      const answer = await request(`${url}${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(payload === undefined ? {} : { body: JSON.stringify(payload) }),
        dispatcher: this.#agent,
      })
      const text = await answer.body.text()
      call.body = (text.startsWith('{') ? JSON.parse(text) : { text }) as Record<string, unknown>
      call.status = answer.statusCode
      call.isReplay = answer.headers['idempotent-replayed'] === 'true'
      call.code = typeof call.body.code === 'string' ? call.body.code : undefined
      call.outcome = outcomeOf(call)
    } catch (error) {
      call.code = (error as { code?: string }).code ?? String(error)
    }
    call.answeredAt = performance.now()
    return call
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }
}

export function isRetryable({ outcome, status, code }: Call): boolean {
  return outcome === 'unknown' || code === 'overloaded' || (status === 429 && code !== 'entry_limit_reached')
}

function outcomeOf({ status, code }: Call): Call['outcome'] {
  if (status >= 200 && status < 300) return 'ok'
  // The server refused it before doing any work.
  if (status === 503 && code === 'overloaded') return 'refused'
  return status >= 400 && status < 500 ? 'refused' : 'unknown'
}
