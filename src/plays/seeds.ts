import { createHash, createHmac } from 'node:crypto'
import type { SigningKey } from '../crypto/game-token.ts'
import { commitmentOf, type Hashing } from './fairness.ts'

/** Node's hashing, for the shared rules of fairness. */
export const hashing: Hashing = {
  sha256: (message) => createHash('sha256').update(message).digest(),
  hmacSha256: (key, message) => createHmac('sha256', key).update(message).digest(),
}

export type PlayNumber = { merchantId: number; playerNo: number; playNumber: number }

/**
 * The server's seed for a player's play, in hex. Derived, not stored: it is fixed before the player's seed is known, and
 * a repeat finds the same one.
 */
export function serverSeed(key: SigningKey, play: PlayNumber): string {
  const message = `wheelhouse seed 1\n${play.merchantId}\n${play.playerNo}\n${play.playNumber}`
  return createHmac('sha256', key.secret).update(message).digest('hex')
}

export function commitment(key: SigningKey, play: PlayNumber): string {
  return commitmentOf(serverSeed(key, play), hashing)
}
