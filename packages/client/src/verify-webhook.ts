import { WebhookRejected } from './errors.ts'
import type { WheelhouseEvent } from './events.ts'

/** What arrived: a `Request` of the web has both, Node's has `headers` and the body that you collected. */
export type IncomingWebhook = {
  headers: Headers | Record<string, string | readonly string[] | undefined>
  /** The raw body, not parsed and not changed. */
  body: string | Uint8Array
}

export type VerifyOptions = {
  /** How old it may be, and how far in the future; five minutes by default. */
  toleranceSeconds?: number
  /** Milliseconds since 1970. */
  now?: number
}

const secretPrefix = 'whsec_'
const encoder = new TextEncoder()

/**
 * The event in a webhook, if Wheelhouse signed it with one of the secrets; otherwise a `WebhookRejected`. Signatures
 * follow the Standard Webhooks specification. Give both secrets while you rotate one.
 */
export async function verifyWebhook(
  webhook: IncomingWebhook,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {},
): Promise<WheelhouseEvent> {
  const id = headerOf(webhook, 'webhook-id')
  const timestamp = headerOf(webhook, 'webhook-timestamp')
  const signatures = headerOf(webhook, 'webhook-signature')
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookRejected('timestamp_out_of_range', 'The webhook is too old, or from the future.')
  const body = typeof webhook.body === 'string' ? encoder.encode(webhook.body) : webhook.body
  const signed = joined(encoder.encode(`${id}.${timestamp}.`), body)
  if (!(await isSigned(signed, signatures, [secrets].flat())))
    throw new WebhookRejected('signature_mismatch', 'The webhook is not signed with any of these secrets.')
  return parseEvent(body)
}

function headerOf({ headers }: IncomingWebhook, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([own]) => own.toLowerCase() === name)?.[1]
  if (typeof value !== 'string' || value === '')
    throw new WebhookRejected('headers_missing', `The header ${name} is missing.`)
  return value
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

/** WebCrypto compares in constant time. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: string,
  secrets: readonly string[],
): Promise<boolean> {
  const given = signatures.split(' ').flatMap((text) => {
    const [version, value] = text.split(',')
    return version === 'v1' ? (bytesOf(value ?? '') ?? []) : []
  })
  for (const secret of secrets) {
    const key = await keyOf(secret)
    for (const signature of given) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true
  }
  return false
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret)
  if (bytes === undefined || bytes.length === 0) throw new TypeError('A webhook secret looks like whsec_…')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function parseEvent(body: Uint8Array): WheelhouseEvent {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WheelhouseEvent
  } catch {
    throw new WebhookRejected('body_malformed', 'The body of the webhook is not JSON.')
  }
}
