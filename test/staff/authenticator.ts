// A software security key for tests over HTTP: creates passkeys and signs with them, as in WebAuthn level 3.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

export type Authenticator = {
  /** The result of `navigator.credentials.create()`. */
  create: (options: any, at: Page) => object
  /** The result of `navigator.credentials.get()`. */
  get: (options: any, at: Page & { signCount?: number; isVerified?: boolean; userHandle?: string }) => object
}

/** The page that the browser shows, and whether the user was verified. */
type Page = { origin: string; rpId?: string }

const flags = { present: 0x01, verified: 0x04, attested: 0x40 }

export function makeAuthenticator(): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(32)
  let userHandle = ''
  let signCount = 0

  const dataFor = (rpId: string, bits: number, count: number, more = Buffer.alloc(0)) => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(count)
    return Buffer.concat([sha256(rpId), Buffer.from([bits]), counter, more])
  }
  const credential = (response: object) => ({
    id: text(credentialId),
    rawId: text(credentialId),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })
  return {
    create: (options, { origin, rpId = options.rp.id }) => {
      userHandle = options.user.id
      const length = Buffer.from([0, credentialId.length])
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey(publicKey)])
      const bits = flags.present | flags.verified | flags.attested
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', Uint8Array.from(dataFor(rpId, bits, signCount, attested))],
      ])
      return credential({
        clientDataJSON: clientData('webauthn.create', options.challenge, origin),
        attestationObject: text(Buffer.from(isoCBOR.encode(attestation as never))),
        transports: ['usb'],
      })
    },
    get: (options, at) => {
      const { origin, rpId = options.rpId, isVerified = true } = at
      signCount = at.signCount ?? signCount + 1
      const bits = flags.present | (isVerified ? flags.verified : 0)
      const authenticatorData = dataFor(rpId, bits, signCount)
      const clientDataJSON = clientData('webauthn.get', options.challenge, origin)
      const signed = Buffer.concat([authenticatorData, sha256(Buffer.from(clientDataJSON, 'base64url'))])
      return credential({
        clientDataJSON,
        authenticatorData: text(authenticatorData),
        signature: text(sign('sha256', signed, privateKey)),
        userHandle: at.userHandle ?? userHandle,
      })
    },
  }
}

function clientData(type: string, challenge: string, origin: string): string {
  return text(Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })))
}

/** A public key in COSE format: elliptic curve, ES256, P-256. */
function coseKey(publicKey: ReturnType<typeof generateKeyPairSync>['publicKey']): Buffer {
  const { x, y } = (publicKey as any).export({ format: 'jwk' }) as { x: string; y: string }
  const bytes = (part: string) => Uint8Array.from(Buffer.from(part, 'base64url'))
  const key = new Map<number, unknown>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytes(x)],
    [-3, bytes(y)],
  ])
  return Buffer.from(isoCBOR.encode(key as never))
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

function text(bytes: Buffer): string {
  return bytes.toString('base64url')
}
