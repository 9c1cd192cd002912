/**
 * The draw, as docs/fairness.md specifies it. The server draws with this file, and the game page and `wheelhouse
 * verify` check with it, so it is pure and imports nothing. The hash functions are passed in: Node's on the server, our
 * own in the browser. They hash a text as UTF-8 and return hex.
 */
export type Hashing = {
  sha256: (message: Uint8Array | string) => string
  hmacSha256: (key: Uint8Array, message: string) => string
}

/** The inputs of a draw. The player knows all of them after the play. Seeds are 32 bytes in hex. */
export type DrawInput = {
  serverSeed: string
  playerSeed: string
  playNumber: number
  /** SHA-256, in hex, of the published text of the wheel's version. */
  versionHash: string
  weights: readonly number[]
}

type Draw = {
  /** A whole number in [0, weightTotal). */
  ticket: number
  /** How many numbers were rejected before. Above 0 at most once in ten thousand draws. */
  rejected: number
  /** Index of the segment that owns the ticket. */
  segment: number
}

const range = 2 ** 48

/** The hash of the server's seed, shown before the play: the server can no longer change the seed. */
export function commitmentOf(serverSeed: string, hashing: Hashing): string {
  return hashing.sha256(fromHex(serverSeed))
}

export function draw(input: DrawInput, hashing: Hashing): Draw {
  const total = weightTotal(input.weights)
  for (let rejected = 0; ; rejected++) {
    const value = randomValue(input, rejected, hashing)
    // The last numbers of the range don't fill a whole round of tickets; keeping them would favour the first segments.
    if (value >= range - (range % total)) continue
    const ticket = value % total
    return { ticket, rejected, segment: segmentOf(input.weights, ticket) }
  }
}

export function weightTotal(weights: readonly number[]): number {
  return weights.reduce((sum, weight) => sum + weight, 0)
}

/** The segment that owns the ticket: the first `weights[0]` tickets belong to segment 0, and so on. */
export function segmentOf(weights: readonly number[], ticket: number): number {
  let weightSeen = 0
  for (let segment = 0; segment < weights.length; segment++) {
    weightSeen += weights[segment] as number
    if (ticket < weightSeen) return segment
  }
  throw new RangeError(`ticket ${ticket} is past the total weight ${weightSeen}`)
}

/**
 * Whether the fallback may replace a drawn segment: only if the segment was published as limited, or if it gives spins
 * to a player whose balance is at its ceiling.
 */
export function mayFallBack(
  segment: { prize: string; limited: boolean } | undefined,
  reason: string,
): boolean {
  return segment?.limited === true || (segment?.prize === 'spins' && reason === 'player_limit')
}

/** 48 bits of HMAC-SHA256 under the server's seed. A double holds them exactly, and they exceed every total weight. */
function randomValue(input: DrawInput, round: number, hashing: Hashing): number {
  const { serverSeed, playerSeed, playNumber, versionHash } = input
  const message = `wheelhouse draw 1\n${playerSeed}\n${playNumber}\n${versionHash}\n${round}`
  return Number.parseInt(hashing.hmacSha256(fromHex(serverSeed), message).slice(0, 12), 16)
}

export function fromHex(text: string): Uint8Array {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) throw new TypeError('not lower-case hexadecimal')
  const bytes = new Uint8Array(text.length / 2)
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = 16 * digitAt(text, 2 * index) + digitAt(text, 2 * index + 1)
  }
  return bytes
}

/** 0 to 9 begin at code 48, a to f at 97. */
function digitAt(text: string, index: number): number {
  const code = text.charCodeAt(index)
  return code < 97 ? code - 48 : code - 87
}

export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += pairs[byte]
  return text
}

const pairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
