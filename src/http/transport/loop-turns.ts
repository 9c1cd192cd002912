import { requestsPerTurnMax } from '../../limits.ts'

/**
 * Limits how many requests are begun in one turn of the event loop. Node handles all readable sockets before it looks
 * at any of them again. With a thousand busy clients, the database's answer would wait behind a thousand requests, and
 * the database would wait for its next batch. Requests beyond the limit are begun in the next turns. Callers take
 * turns.
 */
export class LoopTurns {
  #left = requestsPerTurnMax
  #isCounting = false
  /** Requests that wait, by caller. A caller without one is not in it. */
  readonly #waiting = new Map<string, Begin[]>()

  /** Begins the request now if the turn has room. `caller` is what is known of the sender before it is read. */
  run(caller: string, begin: Begin): void {
    if (this.#left === 0 || this.#waiting.size > 0) return this.defer(caller, begin)
    this.#count()
    this.#left--
    begin()
  }

  /** Begins the request in one of the next turns. */
  defer(caller: string, begin: Begin): void {
    this.#count()
    const waiting = this.#waiting.get(caller)
    if (waiting === undefined) this.#waiting.set(caller, [begin])
    else waiting.push(begin)
  }

  #count(): void {
    if (this.#isCounting) return
    this.#isCounting = true
    setImmediate(this.#startTurn)
  }

  readonly #startTurn = (): void => {
    this.#isCounting = false
    const begun = this.#take()
    this.#left = requestsPerTurnMax - begun.length
    if (begun.length > 0) this.#count()
    for (const begin of begun) begin()
  }

  /** The first of each caller, then the second of each, up to the limit. */
  #take(): Begin[] {
    const taken: Begin[] = []
    const shares = new Map<string, number>()
    for (const [caller, waiting] of this.#waiting) {
      if (taken.length === requestsPerTurnMax) break
      const share = shares.get(caller) ?? 0
      taken.push(waiting[share] as Begin)
      shares.set(caller, share + 1)
      // To the end of the map, where this loop arrives again; the next turn begins with another caller.
      this.#waiting.delete(caller)
      if (waiting.length > share + 1) this.#waiting.set(caller, waiting)
    }
    for (const [caller, share] of shares) this.#waiting.get(caller)?.splice(0, share)
    return taken
  }
}

type Begin = () => void
