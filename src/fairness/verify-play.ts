import { type Gate, judgeGates, type PacedVersion } from './verify-gates.ts'
import { commitmentOf, type DrawInput, draw, type Hashing, mayFallBack, weightTotal } from './draw.ts'

/** One step of verifying a play, in the order of docs/fairness.md, and whether it passes. */
type VerificationStep = {
  name: 'commitment' | 'version' | 'ticket' | 'segment' | 'fallback' | 'pace'
  says: string
  holds: boolean
}

type PublishedSegment = PacedVersion['segments'][number] & { weight: number; prize: string; limited: boolean }
type Version = Omit<PacedVersion, 'segments'> & { segments: PublishedSegment[] }

/** What a player has after a play. */
export type ProvenPlay = {
  segment: number
  fallbackReason: string | null
  playedAt: string
  proof: Omit<DrawInput, 'weights'> & {
    commitment: string
    ticket: number
    weightTotal: number
    drawn: number
    gates?: readonly Gate[]
    /** A test merchant's play whose outcome was asked for. It proves nothing. */
    forced?: true
  }
}

/** Checks a play against the published wheel. Pure; the hash functions are passed in. */
export function verifyPlay(play: ProvenPlay, published: string, hashing: Hashing): VerificationStep[] {
  const { proof } = play
  const version = JSON.parse(published) as Version
  const weights = version.segments.map((segment) => segment.weight)
  const drawn = draw({ ...proof, weights }, hashing)
  const gates = judgeGates(play, version)
  const expected = play.fallbackReason === null ? proof.drawn : version.fallback
  const isExcused =
    play.fallbackReason === null || mayFallBack(version.segments[proof.drawn], play.fallbackReason)
  const isLastCall =
    play.fallbackReason === null && proof.drawn === version.fallback && !['none', 'wrong'].includes(gates)
  return [
    {
      name: 'commitment',
      says: "the server's seed is the one that it committed to",
      holds: commitmentOf(proof.serverSeed, hashing) === proof.commitment,
    },
    {
      name: 'version',
      says: 'the wheel is the one that was published',
      holds: hashing.sha256(published) === proof.versionHash,
    },
    {
      name: 'ticket',
      says: 'both seeds together give this ticket',
      holds: drawn.ticket === proof.ticket && weightTotal(weights) === proof.weightTotal,
    },
    {
      name: 'segment',
      says: 'the ticket belongs to the segment that was drawn, and nobody has forced the outcome',
      holds: drawn.segment === proof.drawn && proof.forced !== true,
    },
    {
      name: 'fallback',
      says: 'the wheel rests on the drawn segment, or on the published fallback if that is limited and could not be given',
      holds: (play.segment === expected && isExcused) || isLastCall,
    },
    {
      name: 'pace',
      says: 'the units that were released and given explain the result',
      holds: gates !== 'wrong',
    },
  ]
}
