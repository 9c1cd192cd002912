import type { WheelDocument } from './wheel-document.ts'

type Simulation = {
  playsPerDay: number
  costPerPlay: number
  costPerDay: number
  prizes: {
    id: string
    label: string
    chance: number
    winsPerDay: number
    costPerDay: number
    /** Days until the stock is used up, or null if it never is. */
    stockLastsDays: number | null
  }[]
}

/**
 * The expected results of a day, before any prize has run out. `given` is what was given out already. A play beyond the
 * daily stock of its prize counts for the fallback, so the wins of all segments are all plays.
 */
export function simulateWheel(
  wheel: WheelDocument,
  playsPerDay: number,
  given: ReadonlyMap<string, number> = new Map(),
): Simulation {
  const total = sum(wheel.segments.map(({ weight }) => weight))
  const drawn = wheel.segments.map(({ weight }) => (total === 0 ? 0 : (weight / total) * playsPerDay))
  const wins = wheel.segments.map(({ stockPerDay = Infinity }, at) =>
    Math.min(drawn[at] as number, stockPerDay),
  )
  const replaced = sum(drawn) - sum(wins)
  const prizes = wheel.segments.map((segment, at) => {
    const winsPerDay = (wins[at] as number) + (segment.id === wheel.fallback ? replaced : 0)
    return {
      id: segment.id,
      label: segment.label,
      chance: total === 0 ? 0 : segment.weight / total,
      winsPerDay,
      costPerDay: winsPerDay * (segment.cost ?? 0),
      stockLastsDays:
        segment.stock === undefined || winsPerDay === 0
          ? null
          : Math.max(0, segment.stock - (given.get(segment.id) ?? 0)) / winsPerDay,
    }
  })
  const costPerDay = sum(prizes.map((prize) => prize.costPerDay))
  return { playsPerDay, costPerPlay: playsPerDay === 0 ? 0 : costPerDay / playsPerDay, costPerDay, prizes }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
