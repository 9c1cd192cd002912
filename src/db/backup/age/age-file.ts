import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { ByteReader } from '../byte-reader.ts'
import type { Identity } from './keys.ts'
import { decryptPayload, encryptPayload } from './payload.ts'
import {
  base64,
  fileKeyBytes,
  type Stanza,
  unwrapWithIdentity,
  unwrapWithPassphrase,
  wrapForPassphrase,
  wrapForRecipient,
} from './stanzas.ts'

// The file format age, version 1 (age-encryption.org/v1):
//
//   age-encryption.org/v1
//   -> X25519 <share>            the file's key, wrapped for a recipient; or for a passphrase:
//   <wrapped key>                -> scrypt <salt> <work factor>
//   --- <MAC of all before it, under the file's key>
//   <nonce of 16 bytes> <chunks>

/** The public keys or the passphrase that a file is encrypted to. */
export type Lock = { recipients: readonly Buffer[] } | { passphrase: string }
/** The private keys or the passphrase that open it. */
export type Unlock = { identities: readonly Identity[] } | { passphrase: string }

/** No key that was given opens the file: it is another's, or the file's header was changed. */
export class WrongKey extends Error {}

const firstLine = 'age-encryption.org/v1'
const lineBytesMax = 1024
const stanzasMax = 100

export async function* encrypt(plain: AsyncIterable<Buffer>, lock: Lock): AsyncGenerator<Buffer> {
  const fileKey = randomBytes(fileKeyBytes)
  const stanzas =
    'passphrase' in lock
      ? [await wrapForPassphrase(fileKey, lock.passphrase)]
      : lock.recipients.map((recipient) => wrapForRecipient(fileKey, recipient))
  const header = [firstLine, ...stanzas.flatMap(linesOf), '---'].join('\n')
  yield Buffer.from(`${header} ${base64(macOf(header, fileKey))}\n`)
  yield* encryptPayload(fileKey, new ByteReader(plain))
}

export async function* decrypt(sealed: AsyncIterable<Buffer>, unlock: Unlock): AsyncGenerator<Buffer> {
  const bytes = new ByteReader(sealed)
  const { stanzas, header, mac } = await readHeader(bytes)
  const fileKey = await findFileKey(stanzas, unlock)
  if (fileKey === undefined) throw new WrongKey('no key opens the file')
  const expected = macOf(header, fileKey)
  if (mac.length !== expected.length || !timingSafeEqual(mac, expected))
    throw new Error('the header was changed')
  yield* decryptPayload(fileKey, bytes)
}

/** Whether a file asks for a passphrase, or for a private key. */
export async function kindOfLock(file: string): Promise<'passphrase' | 'recipients'> {
  const { stanzas } = await readHeader(new ByteReader(Readable.from([readFileSync(file)])))
  return stanzas.some(({ type }) => type === 'scrypt') ? 'passphrase' : 'recipients'
}

async function findFileKey(stanzas: readonly Stanza[], unlock: Unlock): Promise<Buffer | undefined> {
  if ('passphrase' in unlock) {
    const [stanza, ...others] = stanzas
    // A passphrase is alone: otherwise those who know another key could pass a file off as that of its holder.
    if (stanza === undefined || others.length > 0) return undefined
    return unwrapWithPassphrase(stanza, unlock.passphrase)
  }
  for (const stanza of stanzas)
    for (const identity of unlock.identities) {
      const fileKey = unwrapWithIdentity(stanza, identity)
      if (fileKey !== undefined) return fileKey
    }
  return undefined
}

function linesOf({ type, args, body }: Stanza): string[] {
  // 32 bytes are 43 letters: one line. A full line of 64 would need another one behind it.
  return [`-> ${[type, ...args].join(' ')}`, base64(body)]
}

async function readHeader(bytes: ByteReader): Promise<{ stanzas: Stanza[]; header: string; mac: Buffer }> {
  const lines = [await bytes.takeLine(lineBytesMax)]
  if (lines[0] !== firstLine) throw new Error('this is no file of age, version 1')
  const stanzas: Stanza[] = []
  for (;;) {
    const line = await bytes.takeLine(lineBytesMax)
    const mac = /^--- ([A-Za-z\d+/]{43})$/.exec(line)?.[1]
    if (mac !== undefined)
      return { stanzas, header: [...lines, '---'].join('\n'), mac: Buffer.from(mac, 'base64') }
    const [arrow, type, ...args] = line.split(' ')
    if (arrow !== '->' || type === undefined || stanzas.length === stanzasMax)
      throw new Error('the header can not be read')
    const body = await readBody(bytes)
    lines.push(line, ...body)
    stanzas.push({ type, args, body: Buffer.from(body.join(''), 'base64') })
  }
}

/** Lines of 64 letters, up to the first that is shorter. */
async function readBody(bytes: ByteReader): Promise<string[]> {
  const lines: string[] = []
  do {
    const line = await bytes.takeLine(lineBytesMax)
    if (!/^[A-Za-z\d+/]{0,64}$/.test(line) || lines.length === stanzasMax)
      throw new Error('the header can not be read')
    lines.push(line)
  } while (lines.at(-1)?.length === 64)
  return lines
}

function macOf(header: string, fileKey: Buffer): Buffer {
  const key = Buffer.from(hkdfSync('sha256', fileKey, '', 'header', 32))
  return createHmac('sha256', key).update(header).digest()
}
