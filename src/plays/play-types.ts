import type { SigningKey } from '../crypto/signing-key.ts'
import type { LedgerEntry, LockedPlayer, PlayerKey } from '../players/ledger.ts'
import type { PoolKey } from '../stock/code-pools.ts'
import type { PaceEntry } from '../pacing/pace-runs.ts'
import type { RefusalCode } from '../refusals.ts'
import type { Clocked } from '../test-clock.ts'
import type { CurrentWheel } from '../wheels/published-wheels.ts'
import type { WheelSegment } from '../wheel-document/wheel-document.ts'
import type { ForcedOutcome } from './forced-outcomes.ts'
import type { PlayRow } from './plays.ts'
import type { SealedSeed } from './seeds.ts'

/** A player's order to play. The browser made the id and the seed; the commitment is the one that it was shown. */
export type PlayOrder = PlayerKey &
  Clocked & {
    /** The link that opened the session. The play's own transaction checks whether it is still valid. */
    link: { linkId: string; issuedAt: Date }
    playId: string
    playerSeed: string
    commitment: string
    versionHash: string
    /** The player's, as far as it is known. */
    timeZone?: string | undefined
    wheel: CurrentWheel
  }

/** What plays need beside their orders: keys of the seeds, newest first, the time, and the pipeline of their batch. */
export type PlayState = { seedKeys: readonly SigningKey[]; now: Date; pipeline?: { isOpen: boolean } }

export type PlayVerdict =
  | { outcome: 'played'; play: PlayRow; proof: DrawProof; player: LockedPlayer; left: PlayResult['left'] }
  // Without the proof if the play was read again.
  | { outcome: 'replayed'; play: PlayRow; proof?: DrawProof; player: LockedPlayer }
  | { outcome: 'refused'; code: RefusalCode }

/** What a draw has computed for its proof. */
export type DrawProof = SealedSeed & { ticket: number }

/** A play whose segment is drawn and whose prize is not yet given. */
export type DrawnPlay = {
  order: PlayOrder
  player: LockedPlayer
  seedKeyId: string
  proof: DrawProof
  drawn: number
  segment: WheelSegment
  /** Only for a player of a test merchant whose id asks for an outcome. */
  forced?: ForcedOutcome | undefined
}

/** A settled play, with everything that is to be written for it. */
export type PlayResult = {
  drawnPlay: DrawnPlay
  play: PlayRow
  entries: LedgerEntry[]
  /** How many units of the prize are left, if it is limited and one was given. */
  left: { count: number; of: number } | undefined
  codePlace: (PoolKey & { position: number }) | undefined
  /** What it took from paced prizes and from the budget. */
  paceEntries: PaceEntry[]
}
