import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { type Identity, makeIdentity, sharedSecret } from './keys.ts'

/** The key of a file, wrapped so that one recipient or passphrase opens it. */
export type Stanza = { type: string; args: string[]; body: Buffer }

export const fileKeyBytes = 16
const tagBytes = 16
const saltBytes = 16
/** 128 MiB and some tenths of a second for each guess at a passphrase. */
const workFactor = 17
/** A header may not make us use more than 1 GiB. */
const workFactorMax = 20

export function wrapForRecipient(fileKey: Buffer, recipient: Buffer): Stanza {
  const { secret, recipient: share } = makeIdentity()
  const key = recipientKey(sharedSecret(secret, recipient), share, recipient)
  return { type: 'X25519', args: [base64(share)], body: wrap(key, fileKey) }
}

/** The file's key, or undefined if it was wrapped for somebody else. */
export function unwrapWithIdentity({ type, args, body }: Stanza, identity: Identity): Buffer | undefined {
  const share = Buffer.from(args[0] ?? '', 'base64')
  if (type !== 'X25519' || args.length !== 1 || share.length !== 32 || base64(share) !== args[0])
    return undefined
  const key = recipientKey(sharedSecret(identity.secret, share), share, identity.recipient)
  return unwrap(key, body)
}

export async function wrapForPassphrase(fileKey: Buffer, passphrase: string): Promise<Stanza> {
  const salt = randomBytes(saltBytes)
  const key = await passphraseKey(passphrase, salt, workFactor)
  return { type: 'scrypt', args: [base64(salt), String(workFactor)], body: wrap(key, fileKey) }
}

/** The file's key, or undefined if the passphrase is another one. */
export async function unwrapWithPassphrase(
  { type, args, body }: Stanza,
  passphrase: string,
): Promise<Buffer | undefined> {
  const [saltText = '', factorText = ''] = args
  const salt = Buffer.from(saltText, 'base64')
  if (type !== 'scrypt' || args.length !== 2 || salt.length !== saltBytes || base64(salt) !== saltText)
    return undefined
  if (!/^[1-9]\d?$/.test(factorText) || Number(factorText) > workFactorMax) return undefined
  return unwrap(await passphraseKey(passphrase, salt, Number(factorText)), body)
}

function recipientKey(shared: Buffer, share: Buffer, recipient: Buffer): Buffer {
  const salt = Buffer.concat([share, recipient])
  return Buffer.from(hkdfSync('sha256', shared, salt, 'age-encryption.org/v1/X25519', 32))
}

async function passphraseKey(passphrase: string, salt: Buffer, factor: number): Promise<Buffer> {
  const labelled = Buffer.concat([Buffer.from('age-encryption.org/v1/scrypt'), salt])
  const [N, r] = [2 ** factor, 8]
  const options = { N, r, p: 1, maxmem: 128 * r * (N + 2) + 1024 }
  return promisify<string, Buffer, number, object, Buffer>(scrypt)(passphrase, labelled, 32, options)
}

// The wrapping key is used once, so its nonce is zero.
const noNonce = Buffer.alloc(12)

function wrap(key: Buffer, fileKey: Buffer): Buffer {
  const cipher = createCipheriv('chacha20-poly1305', key, noNonce, { authTagLength: tagBytes })
  return Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()])
}

function unwrap(key: Buffer, body: Buffer): Buffer | undefined {
  if (body.length !== fileKeyBytes + tagBytes) return undefined
  const decipher = createDecipheriv('chacha20-poly1305', key, noNonce, { authTagLength: tagBytes })
  decipher.setAuthTag(body.subarray(fileKeyBytes))
  const fileKey = decipher.update(body.subarray(0, fileKeyBytes))
  try {
    return Buffer.concat([fileKey, decipher.final()])
  } catch {
    // The tag does not fit: another key wrapped it, or it was changed.
    return undefined
  }
}

/** Without the padding at its end. */
export function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
