import { webhookRetryAfterSecondsMax } from '../../limits.ts'

/** The reason why there was no response. */
export const sendFaults = ['blocked', 'dns', 'refused', 'tls', 'timeout', 'reset', 'protocol'] as const
type SendFault = (typeof sendFaults)[number]

/** The result of one attempt. Either `status` or `fault` is set. */
export type Answer = {
  status: number | null
  fault: SendFault | null
  tookMs: number
  /** The first bytes of the body, as text. */
  excerpt: string | null
  /** The headers that help to find a fault. */
  headers: Record<string, string>
  retryAfter: string | null
}

/** The meaning of an answer. With `holdSeconds`, nothing is sent to the endpoint for that long. */
type Verdict =
  | { outcome: 'delivered' }
  | { outcome: 'failed'; holdSeconds: number | undefined }
  | { outcome: 'gone' }

/**
 * 2xx is a delivery, whatever happens to the body after that. A redirect is a failure: following it would send the
 * event to a host that the merchant has not named.
 */
export function judgeAnswer(answer: Pick<Answer, 'status' | 'retryAfter'>, now: Date): Verdict {
  const { status, retryAfter } = answer
  if (status !== null && status >= 200 && status < 300) return { outcome: 'delivered' }
  if (status === 410) return { outcome: 'gone' }
  const mayAskForTime = status === 429 || status === 503
  return { outcome: 'failed', holdSeconds: mayAskForTime ? secondsAskedFor(retryAfter, now) : undefined }
}

/** `Retry-After` is a number of seconds or a date. A very long time is cut to a maximum. */
function secondsAskedFor(retryAfter: string | null, now: Date): number | undefined {
  const text = retryAfter?.trim() ?? ''
  const seconds = /^\d{1,10}$/.test(text)
    ? Number(text)
    : Math.ceil((Date.parse(/[a-z]{3}/i.test(text) ? text : '') - now.getTime()) / 1000)
  if (!Number.isFinite(seconds) || seconds <= 0) return undefined
  return Math.min(seconds, webhookRetryAfterSecondsMax)
}

/** Classifies an error of the network stack. */
export function sendFault(error: unknown): SendFault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  // The response parser sets its name on every error, but not always a code.
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
