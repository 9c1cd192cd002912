import { webhookAnswerHeaderLengthMax, webhookAnswerHeadersLengthMax } from '../../limits.ts'
import { maskedUrl } from '../endpoint-url.ts'

/**
 * The headers of an answer that help to find a fault: what sent the answer, where it wanted to send us, and under which
 * id the receiver's own logs have the request. Others, such as cookies, are never stored.
 */
const helpfulNames = [
  'content-type',
  'content-encoding',
  'content-length',
  'location',
  'retry-after',
  'www-authenticate',
  'allow',
  'server',
  'via',
  'x-request-id',
  'x-correlation-id',
  'traceparent',
  'cf-ray',
  'x-amzn-requestid',
  'x-vercel-id',
] as const

/** As the HTTP client gives them: a repeated header is an array. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>

/** The helpful headers, cut to a limit. */
export function keptHeaders(headers: AnswerHeaders): Record<string, string> {
  const kept: Record<string, string> = {}
  let length = 2
  for (const name of helpfulNames) {
    const value = headers[name]
    if (value === undefined) continue
    const shown = shownValue(name, [value].flat().join(', '))
    length += JSON.stringify([name, shown]).length
    if (length > webhookAnswerHeadersLengthMax) break
    kept[name] = shown
  }
  return kept
}

function shownValue(name: string, value: string): string {
  const text = (name === 'location' ? maskedLocation(value) : value).replaceAll(/\p{Cc}|\p{Cs}/gu, '\uFFFD')
  return text.length > webhookAnswerHeaderLengthMax
    ? `${text.slice(0, webhookAnswerHeaderLengthMax - 1)}…`
    : text
}

/** A redirect may contain a key, as an address of a webhook may. It may also lack the host. */
function maskedLocation(value: string): string {
  const base = 'http://receiver.invalid'
  const url = URL.parse(value, base)
  return url === null ? '…' : maskedUrl(url.href).replace(base, '')
}
