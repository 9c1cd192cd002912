import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ConcurrencyLimit } from '../concurrency/concurrency-limit.ts'
import { passwordsAtOnceMax, passwordsWaitingMax } from '../limits.ts'
import { Refusal } from '../refusals.ts'

/** OWASP recommends at least 19 MiB and two passes for argon2id. This uses three times the memory. */
const cost = { memory: 64 * 1024, passes: 2, parallelism: 1 }
const derive = promisify(argon2)

/** The hash as a PHC string. It contains the parameters, so they can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await inTurn(() => hashWith(password, { ...cost, nonce, tagLength: 32 }))
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`
}

/** Takes the same time for a missing account (no `stored`) as for a wrong password. */
export async function passwordMatches(password: string, stored: string | undefined): Promise<boolean> {
  const { tag, ...parameters } = parse(stored ?? hashOfNothing)
  const given = await inTurn(() => hashWith(password, { ...parameters, tagLength: tag.length }))
  return timingSafeEqual(given, tag) && stored !== undefined
}

type Parameters = typeof cost & { nonce: Buffer; tagLength: number }

function hashWith(password: string, parameters: Parameters): Promise<Buffer> {
  // The same password must match from every keyboard: some send a letter and its accent as two characters.
  return derive('argon2id', { ...parameters, message: password.normalize('NFC') })
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/
const hashOfNothing = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

function parse(text: string) {
  const match = phc.exec(text)
  if (match === null) throw new Error('a stored password hash is malformed')
  const [memory, passes, parallelism] = match.slice(1, 4).map(Number) as [number, number, number]
  const [nonce, tag] = match.slice(4).map((part) => Buffer.from(part, 'base64')) as [Buffer, Buffer]
  return { memory, passes, parallelism, nonce, tag }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

/** Each hash keeps a core and 64 MiB busy for a while. A flood of sign-ins must leave the rest of the machine alone. */
const hashing = new ConcurrencyLimit({ max: passwordsAtOnceMax, waitingMax: passwordsWaitingMax })

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = hashing.run(work)
  if (result === undefined) throw new Refusal('overloaded', { headers: { 'Retry-After': '2' } })
  return result
}
