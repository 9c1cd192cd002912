import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { SigningKey } from '../crypto/signing-key.ts'

/** A secret that is encrypted with a key of its own, which is encrypted with one of our keys. */
export type Sealed = { keyId: string; wrappedKey: Buffer; sealed: Buffer }

/**
 * Encrypts a text for one place: with `place` in it, a row can't be moved to another one. A rotation of our keys then
 * only encrypts the small keys again, not the texts.
 */
export function seal(text: string, place: string, key: SigningKey): Sealed {
  const own = randomBytes(32)
  return {
    keyId: key.keyId,
    wrappedKey: encrypt(own, place, key.secret),
    sealed: encrypt(Buffer.from(text), place, own),
  }
}

export function unseal(
  { wrappedKey, sealed }: Omit<Sealed, 'keyId'>,
  place: string,
  key: SigningKey,
): string {
  return decrypt(sealed, place, decrypt(wrappedKey, place, key.secret)).toString()
}

/** The key of a text, encrypted with another one of our keys. */
export function rewrap(
  wrappedKey: Buffer,
  place: string,
  { from, to }: { from: SigningKey; to: SigningKey },
): Buffer {
  return encrypt(decrypt(wrappedKey, place, from.secret), place, to.secret)
}

/** AES-256-GCM: nonce, tag, cipher text. */
function encrypt(plain: Buffer, place: string, secret: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(place))
  const text = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), text])
}

function decrypt(sealed: Buffer, place: string, secret: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', secret, sealed.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  }).setAAD(Buffer.from(place))
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()])
}

const nonceBytes = 12
const tagBytes = 16
/** How long an encrypted key is. */
export const wrappedKeyBytes = nonceBytes + tagBytes + 32
