/** Recomputes a play step by step from the data shown before and after it, with the code that the server draws with. */
import {
  commitmentOf,
  draw,
  fromHex,
  mayFallBack,
  segmentOf,
  weightTotal,
} from '../../../src/fairness/draw.ts'
import { judgeGates, type PacedVersion } from '../../../src/fairness/verify-gates.ts'
import type { Play } from '../api.ts'
import { readWheel } from '../wheel/published.ts'
import { hashing } from './sha256.ts'

export type Step = {
  name: 'commitment' | 'seed' | 'version' | 'message' | 'digest' | 'ticket' | 'segment' | 'result' | 'pace'
  isRight: boolean
  /** The computation, so that the player can repeat it. */
  evidence: string
  /** Placeholders in the text of the step. */
  values: Record<string, string | number>
}

/** The values that this page knew before the play. There are none if the play is older than the page. */
export type Witness = { commitment: string; playerSeed: string; versionHash: string }

export type Evidence = {
  /** The published texts loaded so far, by their hash. */
  published: ReadonlyMap<string, string>
  witnesses: ReadonlyMap<string, Witness>
}

export function verifyPlay(play: Play, published: string, witness: Witness | null): Step[] {
  const { proof } = play
  const { segments, fallback } = readWheel(published)
  const weights = segments.map((segment) => segment.weight)
  const drawn = draw({ ...proof, weights }, hashing)
  const total = weightTotal(weights)
  const message = `wheelhouse draw 1\n${proof.playerSeed}\n${proof.playNumber}\n${proof.versionHash}\n${drawn.rejected}`
  const digest = hashing.hmacSha256(fromHex(proof.serverSeed), message)
  const ticket = Number.parseInt(digest.slice(0, 12), 16) % total
  const commitment = commitmentOf(proof.serverSeed, hashing)
  const versionHash = hashing.sha256(published)
  const owner = segmentOf(weights, ticket)
  const rest = play.fallbackReason === null ? owner : fallback
  const isExcused = play.fallbackReason === null || mayFallBack(segments[owner], play.fallbackReason)
  const gates = judgeGates(play, JSON.parse(published) as PacedVersion)
  const isLastCall = play.fallbackReason === null && gates !== 'none' && proof.drawn === fallback
  const rested = isLastCall ? play.segment : rest
  const labelOf = (segment: number) => segments[segment]?.label ?? '?'
  const equal = (one: unknown, ...others: unknown[]) => others.every((other) => other === one)

  return [
    {
      name: 'commitment',
      isRight: equal(commitment, proof.commitment, witness?.commitment ?? commitment),
      evidence: `sha256(${proof.serverSeed})\n= ${commitment}`,
      values: {},
    },
    {
      name: 'seed',
      isRight: equal(proof.playerSeed, witness?.playerSeed ?? proof.playerSeed),
      evidence: proof.playerSeed,
      values: {},
    },
    {
      name: 'version',
      isRight: equal(versionHash, proof.versionHash, witness?.versionHash ?? versionHash),
      evidence: `sha256(${published})\n= ${versionHash}`,
      values: {},
    },
    { name: 'message', isRight: equal(play.playNumber, proof.playNumber), evidence: message, values: {} },
    {
      name: 'digest',
      isRight: equal(ticket, drawn.ticket),
      evidence: `hmac_sha256(${proof.serverSeed}, …)\n= ${digest}`,
      values: {},
    },
    {
      name: 'ticket',
      isRight: equal(ticket, proof.ticket) && equal(total, proof.weightTotal),
      evidence: `0x${digest.slice(0, 12)} mod ${total} = ${ticket}`,
      values: { ticket, total },
    },
    {
      name: 'segment',
      // A test merchant's play whose outcome was asked for proves nothing.
      isRight: equal(owner, drawn.segment, proof.drawn) && proof.forced !== true,
      evidence: `${weights.join(' + ')} = ${total}${proof.forced === true ? '\nforced' : ''}`,
      values: { label: labelOf(owner) },
    },
    {
      name: 'result',
      isRight: isExcused && equal(play.segment, rested) && equal(play.label, labelOf(rested)),
      evidence: play.fallbackReason ?? '',
      values: { label: play.label },
    },
    ...(gates === 'none' ? [] : [paceStep(play, gates !== 'wrong')]),
  ]
}

function paceStep({ playedAt, proof }: Play, isRight: boolean): Step {
  const evidence = [playedAt, ...(proof.gates ?? []).map((gate) => JSON.stringify(gate))].join('\n')
  return { name: 'pace', isRight, evidence, values: {} }
}
