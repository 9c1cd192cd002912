/**
 * SHA-256 (FIPS 180-4) and HMAC (RFC 2104) for the fairness check. The browser's own are asynchronous and missing on
 * plain http, and the shared fairness code is neither. Some 300 bytes are hashed per check: simple goes before fast.
 */
import { type Hashing, toHex } from '../../../src/fairness/draw.ts'

const blockBytes = 64
const primes = firstPrimes(64)
const roundConstants = primes.map((prime) => fractionBits(Math.cbrt(prime)))
const initialState = primes.slice(0, 8).map((prime) => fractionBits(Math.sqrt(prime)))

export function sha256(message: Uint8Array): Uint8Array {
  const padded = pad(message)
  const state = Uint32Array.from(initialState)
  for (let offset = 0; offset < padded.byteLength; offset += blockBytes) {
    compress(state, new DataView(padded.buffer, offset, blockBytes))
  }
  const digest = new DataView(new ArrayBuffer(32))
  state.forEach((word, index) => digest.setUint32(4 * index, word))
  return new Uint8Array(digest.buffer)
}

export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(blockBytes)
  block.set(key.length > blockBytes ? sha256(key) : key)
  const inner = sha256(
    join(
      block.map((byte) => byte ^ 0x36),
      message,
    ),
  )
  return sha256(
    join(
      block.map((byte) => byte ^ 0x5c),
      inner,
    ),
  )
}

const encoder = new TextEncoder()

export const hashing: Hashing = {
  sha256: (message) => toHex(sha256(typeof message === 'string' ? encoder.encode(message) : message)),
  hmacSha256: (key, message) => toHex(hmacSha256(key, encoder.encode(message))),
}

/** A one bit, zeros, and the length in bits, up to a whole block. */
function pad(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / blockBytes) * blockBytes)
  padded.set(message)
  padded[message.length] = 0x80
  new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(message.length) * 8n)
  return padded
}

function compress(state: Uint32Array, block: DataView): void {
  const words = new Uint32Array(64)
  const at = (index: number) => words[index] as number
  for (let i = 0; i < 64; i++) {
    if (i < 16) words[i] = block.getUint32(4 * i)
    else {
      const [old, recent] = [at(i - 15), at(i - 2)]
      const mixedOld = turn(old, 7) ^ turn(old, 18) ^ (old >>> 3)
      const mixedRecent = turn(recent, 17) ^ turn(recent, 19) ^ (recent >>> 10)
      words[i] = at(i - 16) + mixedOld + at(i - 7) + mixedRecent
    }
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const first =
      h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + (roundConstants[i] as number) + at(i)
    const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  ;[a, b, c, d, e, f, g, h].forEach((word, index) => (state[index] = (state[index] as number) + word))
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.length + second.length)
  joined.set(first)
  joined.set(second, first.length)
  return joined
}

/** The standard's constants are the first 32 bits after the point of the roots of the first primes. */
function fractionBits(root: number): number {
  return Math.floor((root % 1) * 2 ** 32)
}

function firstPrimes(count: number): number[] {
  const found: number[] = []
  for (let candidate = 2; found.length < count; candidate++) {
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate)
  }
  return found
}
