/** Numbers from 0 up to 1 that depend on the seed alone: the same simulation always has the same result. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  /** Mulberry32, a published generator with 32 bits of state: good enough to simulate, and fast. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  // 53 bits, since weights can add up to more than 2^32.
  return () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53
}
