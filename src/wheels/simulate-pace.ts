/** What is expected of a paced prize: the units released and given after each part of the time, and what is left. */
type PaceSimulation = { released: number[]; given: number[]; left: number; isWeightTooLow: boolean }

/** More than this share of the units left at the end means that the prize is drawn too rarely. */
const leftShareMax = 0.05

/**
 * Expected values for a campaign whose time is cut into equal parts with this many plays each; a rush on the first day is
 * a large first number. `chance` is that of drawing the prize. In the last call, plays that draw the fallback count too.
 */
export function simulatePace(of: {
  units: number
  chance: number
  plays: readonly number[]
  lastCall?: { parts: number; fallbackChance: number }
}): PaceSimulation {
  const { units, chance, plays, lastCall } = of
  const [released, given]: [number[], number[]] = [[], []]
  let sum = 0
  for (const [index, count] of plays.entries()) {
    const isLastCall = lastCall !== undefined && index >= plays.length - lastCall.parts
    const open = (units * (index + 1)) / plays.length
    sum += Math.min(open - sum, count * (chance + (isLastCall ? lastCall.fallbackChance : 0)))
    released.push(open)
    given.push(sum)
  }
  const left = units - sum
  return { released, given, left, isWeightTooLow: left > units * leftShareMax }
}
