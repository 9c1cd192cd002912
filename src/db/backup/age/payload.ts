import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { ByteReader } from '../byte-reader.ts'

const chunkBytes = 64 * 1024
const tagBytes = 16
const nonceBytes = 16

/**
 * Encrypts a stream chunk by chunk. Each chunk is authenticated with its number, and with whether it is the last. So a
 * chunk that was changed, moved, repeated or left out is found before any of it is used, and so is a missing end.
 */
export async function* encryptPayload(fileKey: Buffer, plain: ByteReader): AsyncGenerator<Buffer> {
  const nonce = randomBytes(nonceBytes)
  yield nonce
  const key = payloadKey(fileKey, nonce)
  for await (const { chunk, number, isLast } of inChunks(plain, chunkBytes)) {
    const cipher = createCipheriv('chacha20-poly1305', key, chunkNonce(number, isLast), {
      authTagLength: tagBytes,
    })
    yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
  }
}

/** The plain chunks, each checked before it is handed on. Throws where one is not as it was written. */
export async function* decryptPayload(fileKey: Buffer, sealed: ByteReader): AsyncGenerator<Buffer> {
  const key = payloadKey(fileKey, await sealed.take(nonceBytes))
  for await (const { chunk, number, isLast } of inChunks(sealed, chunkBytes + tagBytes)) {
    const decipher = createDecipheriv('chacha20-poly1305', key, chunkNonce(number, isLast), {
      authTagLength: tagBytes,
    })
    if (chunk.length < tagBytes) throw new Error('the last chunk is cut off')
    if (chunk.length === tagBytes && number > 0) throw new Error('the last chunk is empty')
    decipher.setAuthTag(chunk.subarray(-tagBytes))
    const plain = decipher.update(chunk.subarray(0, -tagBytes))
    decipher.final()
    yield plain
  }
}

function payloadKey(fileKey: Buffer, nonce: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', fileKey, nonce, 'payload', 32))
}

/** The number in eleven bytes, and a byte that marks the last chunk. */
function chunkNonce(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Full chunks, and a last one that may be shorter. It is empty only where there is nothing at all. */
async function* inChunks(
  bytes: ByteReader,
  size: number,
): AsyncGenerator<{ chunk: Buffer; number: number; isLast: boolean }> {
  let chunk = await bytes.takeUpTo(size)
  for (let number = 0; ; number++) {
    const next = chunk.length < size ? undefined : await bytes.takeUpTo(size)
    const isLast = next === undefined || next.length === 0
    yield { chunk, number, isLast }
    if (isLast) return
    chunk = next
  }
}
