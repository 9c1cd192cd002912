import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SigningKey } from '../crypto/signing-key.ts'

/**
 * What the page of visitors keeps: the pass says that this browser entered as a player, the session that it waits for a
 * code. They are no cookies, because frames get none. Neither can replace the other, or a game token.
 */
type Kind = 'pass' | 'session'

export function signEntryToken(kind: Kind, claims: readonly (string | number)[], key: SigningKey): string {
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
  return `${payload}.${key.keyId}.${signature(kind, payload, key)}`
}

/** The id of the key that the token claims. Nothing in the token is trusted yet. */
export function readEntryKeyId(token: string): string | undefined {
  return form.exec(token)?.[2]
}

/** The claims, if `key` signed a token of this kind. */
export function verifyEntryToken(kind: Kind, token: string, key: SigningKey): unknown[] | undefined {
  const [, payload = '', keyId, given] = form.exec(token) ?? []
  if (given === undefined || keyId !== key.keyId) return undefined
  const isOurs = timingSafeEqual(Buffer.from(given), Buffer.from(signature(kind, payload, key)))
  return isOurs ? (JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown[]) : undefined
}

const form = /^([\w-]{1,400})\.([0-9a-f]{12})\.([\w-]{43})$/

function signature(kind: Kind, payload: string, { secret }: SigningKey): string {
  return createHmac('sha256', secret).update(`wheelhouse entry ${kind} ${payload}`).digest('base64url')
}
