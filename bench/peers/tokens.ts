// The credentials of every peer, hand-written to cost as little as possible: a service token that is stored as the hash
// of its secret, and game tokens signed with HS256.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

type Claims = { sub: string; merchant: number; jti: string; exp: number }

export class ServiceTokens {
  readonly #known: Map<string, { merchantId: number; hash: Buffer }>

  constructor(token: string, merchantId: number) {
    const [id, secret] = token.split(':') as [string, string]
    this.#known = new Map([[id, { merchantId, hash: sha256(secret) }]])
  }

  merchantOf(header: string | undefined): number | undefined {
    const [id, secret] = (header ?? '').split(':')
    const token = this.#known.get(id ?? '')
    if (token === undefined || !timingSafeEqual(token.hash, sha256(secret ?? ''))) return undefined
    return token.merchantId
  }
}

export class GameTokens {
  readonly #secret: string

  constructor(secret: string) {
    this.#secret = secret
  }

  sign(claims: Claims): string {
    const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
    return `${text}.${this.#hmac(text).toString('base64url')}`
  }

  verify(token: string): Claims | undefined {
    const end = token.lastIndexOf('.')
    const expected = this.#hmac(token.slice(0, end))
    const given = Buffer.from(token.slice(end + 1), 'base64url')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
    const payload = token.slice(token.indexOf('.') + 1, end)
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims
    return claims.exp > Date.now() / 1000 ? claims : undefined
  }

  #hmac(text: string): Buffer {
    return createHmac('sha256', this.#secret).update(text).digest()
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
