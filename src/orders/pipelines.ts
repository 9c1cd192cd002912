import { contendedWaitMaxMs } from '../limits.ts'

/**
 * Batches that change the same contended row, one after another. An open pipeline takes one more batch while one is in
 * flight. `time`: when the first batch was sent, or when the last one ended.
 */
export type Pipeline = { isOpen: boolean; inFlight: number; time: number }

/** The pipelines of the batches in flight. */
export class Pipelines<Item> {
  readonly #rowOf: ((item: Item) => number | undefined) | undefined
  readonly #ofRows = new Map<number, Pipeline>()

  constructor(rowOf: ((item: Item) => number | undefined) | undefined) {
    this.#rowOf = rowOf
  }

  /** The pipeline in which an item must be, if batches in flight change its row and don't take long. */
  pipelineOf(item: Item): Pipeline | undefined {
    if (this.#ofRows.size === 0) return undefined
    const row = this.#rowOf?.(item)
    const pipeline = row === undefined ? undefined : this.#ofRows.get(row)
    return pipeline !== undefined && performance.now() - pipeline.time < contendedWaitMaxMs
      ? pipeline
      : undefined
  }

  join(pipeline: Pipeline, items: readonly Item[]): void {
    pipeline.inFlight++
    if (this.#rowOf === undefined) return
    for (const item of items) {
      const row = this.#rowOf(item)
      if (row !== undefined) this.#ofRows.set(row, pipeline)
    }
  }

  /** Returns whether items of other lanes may have waited for it. */
  leave(pipeline: Pipeline, now: number): boolean {
    pipeline.time = now
    const rows = this.#ofRows.entries().filter(([, other]) => other === pipeline)
    const held = Array.from(rows, ([row]) => row)
    if (--pipeline.inFlight === 0) for (const row of held) this.#ofRows.delete(row)
    return held.length > 0
  }
}

export function newPipeline(now: number): Pipeline {
  return { isOpen: false, inFlight: 0, time: now }
}

/** While PostgreSQL works on one batch, the next one is on its way. More would only wait there instead of here. */
export function hasRoom({ isOpen, inFlight }: Pipeline): boolean {
  return isOpen && inFlight < 2
}
