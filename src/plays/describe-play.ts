import type { SigningKey } from '../crypto/signing-key.ts'
import { noValues, prizeKinds, wonValues } from '../prize-kinds.ts'
import type { WheelDocument, WheelSegment } from '../wheels/wheel-document.ts'
import type { WheelVersion } from '../wheels/wheel-types.ts'
import { draw, weightTotal } from '../fairness/draw.ts'
import type { PlayRow } from './plays.ts'
import { hashing } from '../fairness/hashing.ts'
import { sealedSeed } from './seeds.ts'

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
      ...noValues,
      ...wonValues(segment.prize, play.code),
      claimBefore: play.claimBefore?.toISOString() ?? null,
      ...translationsOf(segment, version.document),
    },
    proof: proofOf(play, version, key, ticket),
  }
}

export type DescribedPlay = ReturnType<typeof describePlay>

/** The texts in every language that the merchant wrote, the default one included. */
function translationsOf(
  { label, title, instructions, translations }: WheelSegment,
  { language }: WheelDocument,
): Pick<WheelSegment, 'translations'> {
  if (language === undefined) return {}
  const base = {
    label,
    ...(title === undefined ? {} : { title }),
    ...(instructions === undefined ? {} : { instructions }),
  }
  return { translations: { ...translations, [language]: base } }
}

function proofOf(play: PlayRow, version: WheelVersion, key: SigningKey, ticket: number | undefined) {
  const { serverSeed, commitment } = sealedSeed(key, {
    merchantId: play.merchantId,
    playerNo: play.playerNo,
    playNumber: play.playNo,
  })
  const weights = version.document.segments.map((segment) => segment.weight)
  const input = {
    serverSeed,
    playerSeed: play.playerSeed.toString('hex'),
    playNumber: play.playNo,
    versionHash: version.sha256,
  }
  return {
    ...input,
    commitment,
    ticket: ticket ?? draw({ ...input, weights }, hashing).ticket,
    weightTotal: weightTotal(weights),
    drawn: play.drawn,
    ...(play.gates === null ? {} : { gates: play.gates }),
    ...(play.isForced === true ? { forced: true as const } : {}),
  }
}
