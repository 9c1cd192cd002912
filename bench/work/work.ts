import type { Answer } from '../driver/connection.ts'

/**
 * The requests that the driver sends to a contestant. A work makes each request and checks each answer. A slot is a
 * connection with at most one request in flight, so an answer belongs to the last request of its slot.
 */
export type Work = {
  /** Prepares data before the first turn. */
  prepare?: (port: number) => Promise<void>
  /** Called before a turn with its number of slots. */
  begin: (slots: number) => void
  /** The complete next request of a slot. */
  next: (slot: number) => string
  /** Throws if the answer is wrong; otherwise records what it acknowledges. */
  take: (slot: number, answer: Answer) => void
  /** The request of a slot was refused because the server is overloaded: it must not have had an effect. */
  refused: (slot: number) => void
  /** Everything acknowledged so far, to be compared with the contestant's store. */
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
  /** Visitors who entered. */
  entries: number
}

export const emptyTally: Tally = { grants: 0, spins: 0, plays: 0, wins: 0, links: 0, entries: 0 }

/** A request of a merchant's server, as its HTTP library would send it. */
export function merchantRequest(path: string, token: string, extraHeaders: string, body: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAuthorization: ${token}\r\n${extraHeaders}Content-Length: ${body.length}\r\n\r\n${body}`
}

export function playerName(index: number): string {
  return `player-${String(index).padStart(7, '0')}`
}

/** Marsaglia's xorshift: seeded random numbers at next to no cost. */
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
