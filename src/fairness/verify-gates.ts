import { isActive, isLastCall, type Pace } from './pace.ts'

/**
 * A gate that a play met: what was released and given at that moment, before the play. `segment` is the paced prize, or
 * null for the budget. `reason`: why the last call did not give this prize although it was released.
 */
export type Gate = {
  segment: number | null
  run: number
  released: number
  awards: number
  returned: number
  head: string
  reason?: string
}

/** The published rules of pacing. `cost` is in cents, and published only beside a budget. */
export type PacedVersion = {
  fallback: number
  budget?: Pace
  segments: readonly { pace?: Pace; cost?: number }[]
}

export type GatedPlay = {
  segment: number
  fallbackReason: string | null
  playedAt: string
  proof: { drawn: number; gates?: readonly Gate[] }
}

/** The reasons that a gate proves. */
const gateReasons = ['not_released', 'budget'] as const

/** Whether a gate lets a prize through that takes so many units. */
export function isOpen({ released, awards, returned }: Omit<Gate, 'run' | 'head'>, units: number): boolean {
  return awards + units <= released + returned
}

/** The segments whose units a play that drew the fallback may get, in this order. */
function lastCallsAt({ segments }: PacedVersion, at: number): number[] {
  return segments.flatMap(({ pace }, index) => (pace !== undefined && isLastCall(pace, at) ? [index] : []))
}

/** Whether this segment has to pass a gate. */
function isGated({ budget, segments }: PacedVersion, index: number): boolean {
  const segment = segments[index]
  return segment?.pace !== undefined || (budget !== undefined && (segment?.cost ?? 0) > 0)
}

/**
 * Judges the result of a play by its gates. `none`: no gate was on its way. `proved`: the gates explain the result.
 * `trusted`: they were open, and the shop names another reason. The numbers in the gates are checked after the run,
 * with its key.
 */
export function judgeGates(play: GatedPlay, version: PacedVersion): 'none' | 'proved' | 'trusted' | 'wrong' {
  const { drawn, gates = [] } = play.proof
  const at = Date.parse(play.playedAt)
  const isFallbackDrawn = drawn === version.fallback
  const tried = isFallbackDrawn ? lastCallsAt(version, at) : isGated(version, drawn) ? [drawn] : []
  const isNamed = (gateReasons as readonly (string | null)[]).includes(play.fallbackReason)
  if (tried.length === 0) return gates.length === 0 && !isNamed ? 'none' : 'wrong'
  const left = [...gates]
  let isTrusted = false
  for (const index of tried) {
    const shut = whyShut(version, index, at, left)
    if (shut === 'wrong') return 'wrong'
    const isGiven = play.segment === index && play.fallbackReason === null
    if (isGiven && (shut !== undefined || left.length > 0)) return 'wrong'
    if (isGiven) return isTrusted ? 'trusted' : 'proved'
    if (shut !== undefined && !isFallbackDrawn && play.fallbackReason !== shut) return 'wrong'
    if (shut !== undefined) continue
    const reason = isFallbackDrawn ? gates[gates.length - left.length - 1]?.reason : play.fallbackReason
    if (reason === undefined || reason === null || isNamed) return 'wrong'
    isTrusted = true
  }
  const isFallbackGiven =
    play.segment === version.fallback && (play.fallbackReason === null) === isFallbackDrawn
  if (!isFallbackGiven || left.length > 0) return 'wrong'
  return isTrusted ? 'trusted' : 'proved'
}

/** Why a prize can't pass its gates, undefined if it can, or `wrong` if a gate is missing or another. Takes its gates. */
function whyShut(version: PacedVersion, index: number, at: number, gates: Gate[]): string | undefined {
  const { pace, cost = 0 } = version.segments[index] ?? {}
  if (pace !== undefined) {
    if (!isActive(pace.spans, at)) return 'not_winnable_now'
    const gate = gates.shift()
    if (gate?.segment !== index || gate.run !== pace.run) return 'wrong'
    if (!isOpen(gate, 1)) return 'not_released'
  }
  if (version.budget === undefined || cost === 0) return undefined
  if (!isActive(version.budget.spans, at)) return 'budget'
  const gate = gates.shift()
  if (gate?.segment !== null || gate.run !== version.budget.run) return 'wrong'
  return isOpen(gate, cost) ? undefined : 'budget'
}
