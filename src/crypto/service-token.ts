import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A service token as the merchant sends it: `<identifier>:<64 hexadecimal digits>`. */
type ServiceToken = { tokenId: string; secret: string }

const tokenPattern = /^([^\s:]{1,64}):([0-9a-fA-F]{64})$/

export function parseServiceToken(text: string): ServiceToken | undefined {
  const match = tokenPattern.exec(text)
  return match === null
    ? undefined
    : { tokenId: match[1] as string, secret: (match[2] as string).toLowerCase() }
}

/** A new token. Its secret is shown to the merchant once; only the hash is kept. */
export function makeServiceToken(slug: string): ServiceToken {
  return { tokenId: `${slug}-${randomBytes(5).toString('hex')}`, secret: randomBytes(32).toString('hex') }
}

/** 256 random bits need no slow hash: there is no list of likely secrets to try. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

const hashOfNothing = Buffer.alloc(32)

/** Takes as long for an unknown token (no `stored`) as for a wrong secret. */
export function secretMatches(secret: string, stored: Buffer | undefined): boolean {
  return timingSafeEqual(hashSecret(secret), stored ?? hashOfNothing) && stored !== undefined
}
