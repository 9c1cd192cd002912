import { contendedWaitMaxMs } from '../limits.ts'

/**
 * Batches that change the same contended row, one after another. An open line takes one more batch while one is in flight.
 * `time`: when the first batch was sent, or when the last one ended.
 */
export type Line = { isOpen: boolean; inFlight: number; time: number }

/** The lines of the batches in flight. */
export class BatchLines<Item> {
  readonly #rowOf: ((item: Item) => number | undefined) | undefined
  readonly #ofRows = new Map<number, Line>()

  constructor(rowOf: ((item: Item) => number | undefined) | undefined) {
    this.#rowOf = rowOf
  }

  /** The line in which an item must be, if batches in flight change its row and don't take long. */
  lineOf(item: Item): Line | undefined {
    if (this.#ofRows.size === 0) return undefined
    const row = this.#rowOf?.(item)
    const line = row === undefined ? undefined : this.#ofRows.get(row)
    return line !== undefined && performance.now() - line.time < contendedWaitMaxMs ? line : undefined
  }

  join(line: Line, items: readonly Item[]): void {
    line.inFlight++
    if (this.#rowOf === undefined) return
    for (const item of items) {
      const row = this.#rowOf(item)
      if (row !== undefined) this.#ofRows.set(row, line)
    }
  }

  leave(line: Line, now: number): void {
    line.time = now
    if (--line.inFlight > 0) return
    for (const [row, other] of this.#ofRows) if (other === line) this.#ofRows.delete(row)
  }
}

export function newLine(now: number): Line {
  return { isOpen: false, inFlight: 0, time: now }
}

/** While PostgreSQL works on one batch, the next one is on its way. More would only wait there instead of here. */
export function hasRoom({ isOpen, inFlight }: Line): boolean {
  return isOpen && inFlight < 2
}
