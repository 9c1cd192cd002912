import { createPrivateKey, createPublicKey, diffieHellman, generateKeyPairSync } from 'node:crypto'
import { decodeBech32, encodeBech32 } from '../../../bech32.ts'

/** A private key. Anyone who has it can open what was encrypted to its recipient. */
export type Identity = { secret: Buffer; recipient: Buffer }

const keyBytes = 32
// What stands before the 32 bytes of a key of X25519 in DER (RFC 8410).
const privatePrefix = Buffer.from('302e020100300506032b656e04220420', 'hex')
const publicPrefix = Buffer.from('302a300506032b656e032100', 'hex')

export function makeIdentity(): Identity {
  const { privateKey, publicKey } = generateKeyPairSync('x25519', {
    privateKeyEncoding: { format: 'der', type: 'pkcs8' },
    publicKeyEncoding: { format: 'der', type: 'spki' },
  })
  return { secret: privateKey.subarray(-keyBytes), recipient: publicKey.subarray(-keyBytes) }
}

export function recipientText(recipient: Buffer): string {
  return encodeBech32('age', recipient)
}

/** A file of one private key, as `age-keygen` writes it. */
export function identityText(identity: Identity, now: Date): string {
  return [
    `# created: ${now.toISOString()}`,
    `# public key: ${recipientText(identity.recipient)}`,
    `${encodeBech32('age-secret-key-', identity.secret).toUpperCase()}\n`,
  ].join('\n')
}

/** The private keys in such a file; none if it has a line that is no key. */
export function parseIdentities(text: string): Identity[] {
  const lines = text.split('\n').map((line) => line.trim())
  const secrets = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => decodeBech32('age-secret-key-', line))
  if (!secrets.every((secret) => secret?.length === keyBytes)) return []
  return secrets.map((secret) => identityOf(secret as Buffer))
}

function identityOf(secret: Buffer): Identity {
  const publicKey = createPublicKey(privateKeyOf(secret)).export({ format: 'der', type: 'spki' })
  return { secret, recipient: publicKey.subarray(-keyBytes) }
}

/** What the holder of a private key and that of another's public key both compute. Fails for keys without strength. */
export function sharedSecret(secret: Buffer, recipient: Buffer): Buffer {
  const publicKey = createPublicKey({
    key: Buffer.concat([publicPrefix, recipient]),
    format: 'der',
    type: 'spki',
  })
  return diffieHellman({ privateKey: privateKeyOf(secret), publicKey })
}

function privateKeyOf(secret: Buffer) {
  return createPrivateKey({ key: Buffer.concat([privatePrefix, secret]), format: 'der', type: 'pkcs8' })
}
