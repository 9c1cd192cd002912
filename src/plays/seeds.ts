import { createHmac } from 'node:crypto'
import type { SigningKey } from '../crypto/signing-key.ts'
import { KeyMemory } from '../crypto/key-memory.ts'
import { seedsRememberedMin } from '../limits.ts'
import { commitmentOf } from '../fairness/draw.ts'
import { hashing } from '../fairness/hashing.ts'

export type PlayNumber = { merchantId: number; playerNo: number; playNumber: number }

type SealedSeed = { serverSeed: string; commitment: string }

/** A play needs seed and commitment several times: to show the commitment, to draw, and in its proof. */
const remembered = new KeyMemory<SealedSeed>(seedsRememberedMin)

/**
 * The server's seed for a player's play and its commitment, in hex. It is derived, not stored: it is fixed before the
 * player's seed is known, and a repeat gets the same one.
 */
export function sealedSeed(key: SigningKey, { merchantId, playerNo, playNumber }: PlayNumber): SealedSeed {
  const message = `wheelhouse seed 1\n${merchantId}\n${playerNo}\n${playNumber}`
  return remembered.recall(key, message, () => {
    const made = createHmac('sha256', key.secret).update(message).digest('hex')
    return { serverSeed: made, commitment: commitmentOf(made, hashing) }
  })
}

/** Shown before the play. */
export function commitment(key: SigningKey, play: PlayNumber): string {
  return sealedSeed(key, play).commitment
}
