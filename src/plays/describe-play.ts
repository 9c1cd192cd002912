import type { SigningKey } from '../crypto/signing-key.ts'
import { prizeKinds } from '../prize-kinds.ts'
import type { WheelSegment } from '../wheels/wheel-document.ts'
import type { WheelVersion } from '../wheels/wheel-types.ts'
import { commitmentOf, draw, weightTotal } from './fairness.ts'
import type { PlayRow } from './plays.ts'
import { hashing, serverSeed } from './seeds.ts'

/**
 * A play as the player sees it, with its proof. A pure function of the stored row, so every read gives the same answer.
 * The ticket follows from the row too; a caller that has just drawn it saves a second draw.
 */
export function describePlay(play: PlayRow, version: WheelVersion, key: SigningKey, ticket?: number) {
  const segment = version.document.segments[play.segment] as WheelSegment
  return {
    playId: play.playId,
    playNumber: play.playNo,
    playedAt: play.createdAt.toISOString(),
    segment: play.segment,
    label: segment.label,
    won: play.won,
    fallbackReason: play.fallbackReason,
    prize: {
      kind: prizeKinds[segment.prize.kind].publicKind,
      title: segment.title ?? null,
      instructions: segment.instructions ?? null,
      spins: segment.prize.spins ?? null,
      code: play.code ?? segment.prize.code ?? null,
      url: segment.prize.url ?? null,
      claimBefore: play.claimBefore?.toISOString() ?? null,
    },
    proof: proofOf(play, version, key, ticket),
  }
}

export type DescribedPlay = ReturnType<typeof describePlay>

function proofOf(play: PlayRow, version: WheelVersion, key: SigningKey, ticket: number | undefined) {
  const seed = serverSeed(key, {
    merchantId: play.merchantId,
    playerNo: play.playerNo,
    playNumber: play.playNo,
  })
  const weights = version.document.segments.map((segment) => segment.weight)
  const input = {
    serverSeed: seed,
    playerSeed: play.playerSeed.toString('hex'),
    playNumber: play.playNo,
    versionHash: version.sha256,
  }
  return {
    ...input,
    commitment: commitmentOf(seed, hashing),
    ticket: ticket ?? draw({ ...input, weights }, hashing).ticket,
    weightTotal: weightTotal(weights),
    drawn: play.drawn,
  }
}
