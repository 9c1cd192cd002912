import type { Answer } from '../driver/connection.ts'

/**
 * What the driver asks of a contestant. It makes each request and judges each answer; a slot is a connection, with one
 * request under way at most, so what was asked last in a slot is what is being answered.
 */
export type Work = {
  /** What must be there before the first turn. */
  prepare?: (port: number) => Promise<void>
  /** Told before a turn how many slots there will be. */
  begin: (slots: number) => void
  /** The whole next request of a slot. */
  next: (slot: number) => string
  /** Throws if the answer is not the right one, and otherwise notes what it acknowledged. */
  take: (slot: number, answer: Answer) => void
  /** The request of a slot was refused because the server is overloaded: it must not have had an effect. */
  refused: (slot: number) => void
  /** What was acknowledged so far, to be found again in the contestant's own store. */
  tally: () => Tally
}

export type Tally = {
  /** Grants that were acknowledged, and the spins in them. */
  grants: number
  spins: number
  /** Plays that were acknowledged, and those that won the limited prize. */
  plays: number
  wins: number
  links: number
}

export const nothing: Tally = { grants: 0, spins: 0, plays: 0, wins: 0, links: 0 }

/** A request of the merchant's server, as its HTTP library would send it. */
export function merchantRequest(path: string, token: string, extraHeaders: string, body: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAuthorization: ${token}\r\n${extraHeaders}Content-Length: ${body.length}\r\n\r\n${body}`
}

export function playerName(index: number): string {
  return `player-${String(index).padStart(7, '0')}`
}

/** Marsaglia's xorshift: chance that a seed repeats, at next to no cost. */
export function makeRandom(seed: number): (below: number) => number {
  let state = seed | 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

export function expectSuccess(answer: Answer): void {
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${answer.body}`)
}
