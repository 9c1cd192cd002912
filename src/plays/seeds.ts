import type { SigningKey } from '../crypto/signing-key.ts'
import { commitmentOf } from '../fairness/draw.ts'
import { hashing } from '../fairness/hashing.ts'

export type PlayNumber = { merchantId: number; playerNo: number; playNumber: number }

export type SealedSeed = { serverSeed: string; commitment: string }

/**
 * The server's seed for a player's play and its commitment, in hex. It is derived, not stored: it is fixed before the
 * player's seed is known, and a repeat gets the same one.
 */
export function sealedSeed(key: SigningKey, { merchantId, playerNo, playNumber }: PlayNumber): SealedSeed {
  const message = `wheelhouse seed 1\n${merchantId}\n${playerNo}\n${playNumber}`
  const serverSeed = hashing.hmacSha256(key.secret, message)
  return { serverSeed, commitment: commitmentOf(serverSeed, hashing) }
}

/** Shown before the play. */
export function commitment(key: SigningKey, play: PlayNumber): string {
  return sealedSeed(key, play).commitment
}
