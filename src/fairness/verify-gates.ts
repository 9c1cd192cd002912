import { isActive, isLastCall, type Pace } from './pace.ts'

/** What was released and given when a play came to a gate, before the play. */
export type GateNumbers = { released: number; awards: number; returned: number }

/**
 * A gate that a play met. `segment` is the paced prize, or null for the budget. `head` fixes what was given before; the
 * numbers themselves are secret while the run lasts, and older proofs have them. `reason`: why the last call did not
 * give this prize although it was released.
 */
export type Gate = { segment: number | null; run: number; head: string; reason?: string } & (
  | GateNumbers
  | { [name in keyof GateNumbers]?: never }
)

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

/** Whether a gate lets a prize through that takes this many units. */
export function isOpen({ released, awards, returned }: GateNumbers, units: number): boolean {
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
 * `later`: they would, and their numbers are known after the run. `trusted`: they were open, or not asked, and the shop
 * names another reason. Numbers are checked after the run, with its key.
 */
export function judgeGates(
  play: GatedPlay,
  version: PacedVersion,
): 'none' | 'proved' | 'later' | 'trusted' | 'wrong' {
  const { drawn, gates = [] } = play.proof
  const at = Date.parse(play.playedAt)
  const isFallbackDrawn = drawn === version.fallback
  const tried = isFallbackDrawn ? lastCallsAt(version, at) : isGated(version, drawn) ? [drawn] : []
  const isNamed = (gateReasons as readonly (string | null)[]).includes(play.fallbackReason)
  if (tried.length === 0) return gates.length === 0 && !isNamed ? 'none' : 'wrong'
  const isAtFallback = play.segment === version.fallback
  // A player at its limit learns nothing about the gates.
  if (isAtFallback && play.fallbackReason === 'player_limit' && gates.length === 0) return 'trusted'
  const left = [...gates]
  let isTrusted = false
  for (const index of tried) {
    const isGiven = play.segment === index && play.fallbackReason === null
    const claim = { isGiven, reason: isFallbackDrawn ? undefined : play.fallbackReason }
    const shut = whyShut(version, { index, at, claim }, left)
    if (shut === 'wrong') return 'wrong'
    if (isGiven && (shut !== undefined || left.length > 0)) return 'wrong'
    if (isGiven) return verdictOf(gates, isTrusted)
    if (shut !== undefined && !isFallbackDrawn && play.fallbackReason !== shut) return 'wrong'
    if (shut !== undefined) continue
    const reason = isFallbackDrawn ? gates[gates.length - left.length - 1]?.reason : play.fallbackReason
    if (reason === undefined || reason === null || isNamed) return 'wrong'
    isTrusted = true
  }
  const isFallbackGiven = isAtFallback && (play.fallbackReason === null) === isFallbackDrawn
  if (!isFallbackGiven || left.length > 0) return 'wrong'
  return verdictOf(gates, isTrusted)
}

function verdictOf(gates: readonly Gate[], isTrusted: boolean): 'proved' | 'later' | 'trusted' {
  if (isTrusted) return 'trusted'
  return gates.every(({ released }) => released !== undefined) ? 'proved' : 'later'
}

/** What the result of a play says about the gates of a prize. `reason` is undefined in a last call. */
type Claim = { isGiven: boolean; reason: string | null | undefined }

type Tried = { index: number; at: number; claim: Claim }

/** Why a prize can't pass its gates; undefined if it can; `wrong` if a gate is missing or differs. Takes its gates. */
function whyShut(version: PacedVersion, { index, at, claim }: Tried, gates: Gate[]): string | undefined {
  const { pace, cost = 0 } = version.segments[index] ?? {}
  if (pace !== undefined) {
    if (!isActive(pace.spans, at)) return 'not_winnable_now'
    const gate = gates.shift()
    if (gate?.segment !== index || gate.run !== pace.run) return 'wrong'
    const isPassed = gates[0]?.segment === null
    if (!isOpenBy(gate, 1, { claim, isPassed, shut: 'not_released' })) return 'not_released'
  }
  if (version.budget === undefined || cost === 0) return undefined
  if (!isActive(version.budget.spans, at)) return 'budget'
  const gate = gates.shift()
  if (gate?.segment !== null || gate.run !== version.budget.run) return 'wrong'
  return isOpenBy(gate, cost, { claim, isPassed: false, shut: 'budget' }) ? undefined : 'budget'
}

/** Whether a gate was open: by its numbers, or else as the result says. `isPassed`: the play came to the next gate. */
function isOpenBy(
  gate: Gate,
  units: number,
  { claim, isPassed, shut }: { claim: Claim; isPassed: boolean; shut: string },
): boolean {
  if (gate.released !== undefined) return isOpen(gate, units)
  if (claim.reason !== undefined) return claim.reason !== shut
  return claim.isGiven || isPassed || gate.reason !== undefined
}
