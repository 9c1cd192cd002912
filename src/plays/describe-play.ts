import type { SigningKey } from '../crypto/signing-key.ts'
import { noValues, openValues, prizeKinds, wonValues } from '../prize-kinds/prize-kinds.ts'
import type { WheelDocument, WheelSegment } from '../wheel-document/wheel-document.ts'
import type { WheelVersion } from '../wheel-document/wheel-types.ts'
import { draw, weightTotal } from '../fairness/draw.ts'
import type { Gate } from '../fairness/verify-gates.ts'
import type { DrawProof } from './play-types.ts'
import type { PlayRow } from './plays.ts'
import { hashing } from '../fairness/hashing.ts'
import { sealedSeed } from './seeds.ts'

/**
 * A play as the player sees it, with its proof. A pure function of the stored row, so every read gives the same answer.
 * A caller that has just drawn it saves a second draw.
 */
export function describePlay(play: PlayRow, version: WheelVersion, key: SigningKey, proof?: DrawProof) {
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
      ...textsOfPrize(segment, version.document),
      ...noValues,
      ...(play.holdState ? openValues(segment.prize) : wonValues(segment.prize, play.code)),
      claimBefore: play.claimBefore?.toISOString() ?? null,
      ...holdOf(play),
    },
    proof: proofOf(play, version, proof ?? drawAgain(play, version, key)),
  }
}

/** Why how to use the prize is left out: it is still to be claimed (withheld-prizes.ts), is checked, or was refused. */
export const withheldReasons = ['claim', 'check', 'refused'] as const
type Withheld = { withheld?: (typeof withheldReasons)[number]; heldUntil?: string }

export type DescribedPlay = Omit<ReturnType<typeof describePlay>, 'prize'> & {
  prize: ReturnType<typeof describePlay>['prize'] & Withheld
}

function holdOf({ holdState, heldUntil }: PlayRow): Withheld {
  if (holdState === 'refused') return { withheld: 'refused' }
  return holdState && heldUntil ? { withheld: 'check', heldUntil: heldUntil.toISOString() } : {}
}

/** What a prize is, in words. */
export function textsOfPrize(segment: WheelSegment, document: WheelDocument) {
  return {
    kind: prizeKinds[segment.prize.kind].publicKind,
    title: segment.title ?? null,
    instructions: segment.instructions ?? null,
    ...translationsOf(segment, document),
  }
}

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

function drawAgain(play: PlayRow, { document, sha256 }: WheelVersion, key: SigningKey): DrawProof {
  const { merchantId, playerNo, playNo: playNumber } = play
  const seed = sealedSeed(key, { merchantId, playerNo, playNumber })
  const { ticket } = draw(
    {
      serverSeed: seed.serverSeed,
      playerSeed: play.playerSeed.toString('hex'),
      playNumber,
      versionHash: sha256,
      weights: weightsOf(document),
    },
    hashing,
  )
  return { ...seed, ticket }
}

function proofOf(play: PlayRow, { document, sha256 }: WheelVersion, drawn: DrawProof) {
  return {
    serverSeed: drawn.serverSeed,
    playerSeed: play.playerSeed.toString('hex'),
    playNumber: play.playNo,
    versionHash: sha256,
    commitment: drawn.commitment,
    ticket: drawn.ticket,
    weightTotal: weightTotal(weightsOf(document)),
    drawn: play.drawn,
    ...(play.gates === null ? {} : { gates: play.gates.map(shownGate) }),
    ...(play.isForced === true ? { forced: true as const } : {}),
  }
}

/** Without its numbers: they would tell, during the run, what is left to give. The head fixes them for later. */
function shownGate({ segment, run, head, reason }: Gate): Gate {
  return { segment, run, head, ...(reason === undefined ? {} : { reason }) }
}

function weightsOf({ segments }: WheelDocument): number[] {
  return segments.map(({ weight }) => weight)
}
