import type { WheelhouseEvent } from '../events.ts'
import { type Options, UsageError } from './command.ts'

/** The receiver's answer, or the reason why there is none. */
export type Forwarded = { status: number | null; fault: string | null; tookMs: number; excerpt: string }

type Target = { url: string; secret: string; signal?: AbortSignal }

const timeoutMs = 10_000
const excerptLengthMax = 300

export const forwardOptions = { 'forward-to': { type: 'string' }, secret: { type: 'string' } } as const

export function receiverIn(options: Options): string {
  const url = options['forward-to']
  if (typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url
  throw new UsageError('Give the address of your receiver: --forward-to http://localhost:3000/hooks')
}

/**
 * The secret to sign with. Without --secret it is derived from the token, so that it is the same in every run and a
 * receiver needs to be told once. It does not reveal the token.
 */
export async function secretIn(options: Options): Promise<string> {
  const given = options.secret ?? process.env.WHEELHOUSE_WEBHOOK_SECRET
  if (typeof given === 'string') {
    if (/^whsec_[\w+/]{8,}=*$/.test(given)) return given
    throw new UsageError('A webhook secret looks like whsec_…')
  }
  const token = process.env.WHEELHOUSE_TOKEN
  if (token === undefined || token === '')
    throw new UsageError('Give --secret, or set WHEELHOUSE_TOKEN to derive the secret from it.')
  return `whsec_${await hmac(new TextEncoder().encode(token), 'wheelhouse forward')}`
}

/** Posts an event as Wheelhouse posts webhooks: same headers and signature, no redirects, ten seconds at most. */
export async function forward(event: WheelhouseEvent, target: Target): Promise<Forwarded> {
  const body = JSON.stringify(event)
  const headers = await sign({ id: event.id, body }, target.secret)
  const patience = AbortSignal.timeout(timeoutMs)
  const signal = target.signal === undefined ? patience : AbortSignal.any([target.signal, patience])
  const start = performance.now()
  const took = () => Math.round(performance.now() - start)
  try {
    const response = await fetch(target.url, { method: 'POST', headers, body, redirect: 'manual', signal })
    const tookMs = took()
    const excerpt = (await response.text()).slice(0, excerptLengthMax)
    return { status: response.status, fault: null, tookMs, excerpt }
  } catch (error) {
    return { status: null, fault: faultOf(error), tookMs: took(), excerpt: '' }
  }
}

export function isDelivered({ status }: Forwarded): boolean {
  return status !== null && status >= 200 && status < 300
}

/** `200 in 12 ms`; for a failure also what the receiver said. */
export function describe(forwarded: Forwarded): string {
  const { status, fault, tookMs, excerpt } = forwarded
  const line = `${status ?? fault} in ${tookMs} ms`
  return isDelivered(forwarded) || excerpt === ''
    ? line
    : `${line}\n  ${excerpt.trim().replaceAll('\n', '\n  ')}`
}

async function sign(message: { id: string; body: string }, secret: string): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const key = Uint8Array.from(atob(secret.slice('whsec_'.length)), (character) => character.charCodeAt(0))
  return {
    'content-type': 'application/json',
    'user-agent': 'Wheelhouse-Webhooks/1',
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${await hmac(key, `${message.id}.${timestamp}.${message.body}`)}`,
  }
}

async function hmac(secret: Uint8Array<ArrayBuffer>, text: string): Promise<string> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text))
  return btoa(String.fromCharCode(...new Uint8Array(signature)))
}

/** Node hides the reason of a failed connection in the cause. */
function faultOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } }
  if (name === 'TimeoutError') return 'no answer'
  return cause?.code ?? cause?.message ?? message
}
