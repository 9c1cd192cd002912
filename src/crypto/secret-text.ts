import { hash, randomBytes } from 'node:crypto'

/** A secret that travels in a link or a cookie: 256 random bits. Only its hash is kept. */
export function makeSecretText(): string {
  return randomBytes(32).toString('base64url')
}

export function isSecretText(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text)
}

/** 256 random bits need no slow hash: there is no list of likely secrets to try. */
export function hashSecretText(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}
