/** A worker that solves challenges of ALTCHA: tries every `step`-th counter until its key begins as asked. */
import { toHex } from '../../../src/fairness/draw.ts'
import type { Challenge } from './entry-api.ts'

export type Task = { parameters: Challenge['parameters']; start: number; step: number }
export type Report = { tried: number } | { counter: number; derivedKey: string } | { error: string }

const reportEvery = 10

addEventListener('message', ({ data }: MessageEvent<Task>) => {
  solve(data).catch((error: unknown) => report({ error: String(error) }))
})

async function solve({ parameters, start, step }: Task): Promise<void> {
  const { algorithm, nonce, salt, cost, keyLength, keyPrefix } = parameters
  if (!algorithm.startsWith('PBKDF2/')) throw new Error(`${algorithm} is not supported`)
  const hash = algorithm.slice('PBKDF2/'.length)
  const password = new Uint8Array([...bytesOf(nonce), 0, 0, 0, 0])
  const counterOf = new DataView(password.buffer)
  for (let counter = start; ; counter += step) {
    counterOf.setUint32(password.length - 4, counter)
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
    const how = { name: 'PBKDF2', hash, salt: bytesOf(salt), iterations: cost }
    const derivedKey = toHex(new Uint8Array(await crypto.subtle.deriveBits(how, key, keyLength * 8)))
    if (derivedKey.startsWith(keyPrefix.toLowerCase())) return report({ counter, derivedKey })
    if (((counter - start) / step) % reportEvery === 0) report({ tried: counter })
  }
}

function report(message: Report): void {
  // A worker's `postMessage` takes no origin.
  ;(postMessage as (message: Report) => void)(message)
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}
