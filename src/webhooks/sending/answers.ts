import { webhookRetryAfterSecondsMax } from '../../limits.ts'

/** Why there was no answer. */
export const sendFaults = ['blocked', 'dns', 'refused', 'tls', 'timeout', 'reset', 'protocol'] as const
type SendFault = (typeof sendFaults)[number]

/** What came of one attempt. Either `status` or `fault` is there. */
export type Answer = {
  status: number | null
  fault: SendFault | null
  tookMs: number
  /** The first bytes of the body, as text. */
  excerpt: string | null
  retryAfter: string | null
}

/** What an answer means. `holdSeconds` asks for silence, from the whole endpoint. */
type Verdict =
  | { outcome: 'delivered' }
  | { outcome: 'failed'; holdSeconds: number | undefined }
  | { outcome: 'gone' }

/**
 * 2xx is a delivery; what becomes of the body after that does not matter. A redirect is a failure: to follow it would
 * hand the event to somebody whom nobody has named.
 */
export function judgeAnswer(answer: Pick<Answer, 'status' | 'retryAfter'>, now: Date): Verdict {
  const { status, retryAfter } = answer
  if (status !== null && status >= 200 && status < 300) return { outcome: 'delivered' }
  if (status === 410) return { outcome: 'gone' }
  const mayAskForTime = status === 429 || status === 503
  return { outcome: 'failed', holdSeconds: mayAskForTime ? secondsAskedFor(retryAfter, now) : undefined }
}

/** `Retry-After` is a number of seconds or a date. Who asks for a very long time is asked again sooner. */
function secondsAskedFor(retryAfter: string | null, now: Date): number | undefined {
  const text = retryAfter?.trim() ?? ''
  const seconds = /^\d{1,10}$/.test(text)
    ? Number(text)
    : Math.ceil((Date.parse(/[a-z]{3}/i.test(text) ? text : '') - now.getTime()) / 1000)
  if (!Number.isFinite(seconds) || seconds <= 0) return undefined
  return Math.min(seconds, webhookRetryAfterSecondsMax)
}

/** The name of a fault of the network stack. */
export function sendFault(error: unknown): SendFault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  // The parser of answers names itself, but not always its complaint.
  if (error instanceof Error && error.name === 'HTTPParserError') return 'protocol'
  for (const [fault, pattern] of faultCodes) if (pattern.test(code)) return fault
  return 'reset'
}

const faultCodes: readonly [SendFault, RegExp][] = [
  ['blocked', /^ADDRESS_BLOCKED$/],
  ['dns', /^(ENOTFOUND|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT|EBAD(NAME|RESP|QUERY)|ECANCELLED|EAI_\w+)$/],
  ['timeout', /^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/],
  ['refused', /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EINVAL|EACCES|EPERM)$/],
  ['protocol', /^(UND_ERR_HEADERS_OVERFLOW|UND_ERR_(INFO|RES)\w*)$/],
  [
    'tls',
    /^(CERT_|ERR_TLS|ERR_SSL|EPROTO|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_|INVALID_CA|CRL_|ERROR_IN_)/,
  ],
]
