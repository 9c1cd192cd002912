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

/** The expected results of a day, before any prize has run out. `given` is what was given out already. */
export function simulateWheel(
  wheel: WheelDocument,
  playsPerDay: number,
  given: ReadonlyMap<string, number> = new Map(),
): Simulation {
  const total = wheel.segments.reduce((sum, segment) => sum + segment.weight, 0)
  const prizes = wheel.segments.map((segment) => {
    const chance = total === 0 ? 0 : segment.weight / total
    const winsPerDay = Math.min(chance * playsPerDay, segment.stockPerDay ?? Infinity)
    return {
      id: segment.id,
      label: segment.label,
      chance,
      winsPerDay,
      costPerDay: winsPerDay * (segment.cost ?? 0),
      stockLastsDays:
        segment.stock === undefined || winsPerDay === 0
          ? null
          : Math.max(0, segment.stock - (given.get(segment.id) ?? 0)) / winsPerDay,
    }
  })
  const costPerDay = prizes.reduce((sum, prize) => sum + prize.costPerDay, 0)
  return { playsPerDay, costPerPlay: playsPerDay === 0 ? 0 : costPerDay / playsPerDay, costPerDay, prizes }
}
