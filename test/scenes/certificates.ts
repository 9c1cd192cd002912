// Certificates for tests, created on demand: the repository holds no secret and no certificate that can expire.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export type Certificate = { cert: string; key: string }

/** A self-signed certificate for a name, valid between two times. */
export function makeCertificate(name: string, validity: { from: Date; until: Date }): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const algorithm = sequence(objectId('2a8648ce3d040302'))
  const who = sequence(der(0x31, sequence(objectId('550403'), der(0x0c, Buffer.from(name)))))
  const names = sequence(der(0x82, Buffer.from(name)))
  const isAuthority = sequence(der(0x01, Buffer.from([0xff])))
  const extensions = sequence(
    sequence(objectId('551d13'), der(0x04, isAuthority)),
    sequence(objectId('551d11'), der(0x04, names)),
  )
  const toSign = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    who,
    sequence(time(validity.from), time(validity.until)),
    who,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', toSign, privateKey)]))
  const certificate = sequence(toSign, algorithm, signature)
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  }
}

/** One ASN.1 value in DER: tag, length, contents. */
function der(tag: number, contents: Buffer): Buffer {
  const { length } = contents
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), contents])
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

function objectId(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

function time(date: Date): Buffer {
  return der(0x18, Buffer.from(date.toISOString().replaceAll(/[-:T]|\.\d+/g, '')))
}
