import { carefulForMs, rememberedMax } from '../limits.ts'
import type { KeyedGrant } from './grant-spins.ts'
import { playerName } from './ledger.ts'
import { Remembered } from './remembered.ts'

/** What a process remembers of players and keys, to guess which grants nothing will stand against. It may be wrong. */
export class GrantMemory {
  /** Those that exist, which hardly any ceases to do (only if its name is erased). */
  readonly players = new Remembered(rememberedMax)
  readonly #keys = new Remembered(rememberedMax)
  #failedLast = false
  #carefulUntil = -Infinity

  /**
   * Which of them to try at once, each for another player and with a key that is new, and which are likely repeats. Nothing,
   * if it is better not to try.
   */
  foresee(grants: readonly KeyedGrant[]): { fresh: KeyedGrant[]; seen: KeyedGrant[] } | undefined {
    const sorted = { fresh: [] as KeyedGrant[], seen: [] as KeyedGrant[] }
    for (const grant of grants) (this.#keys.add(grant.keyHash) ? sorted.fresh : sorted.seen).push(grant)
    const { fresh } = sorted
    const isPromising =
      fresh.length > 0 &&
      performance.now() > this.#carefulUntil &&
      fresh.every(({ kind, amount, callMax }) => kind === 'grant' && amount <= callMax) &&
      new Set(fresh.map(playerName)).size === fresh.length
    return isPromising ? sorted : undefined
  }

  /**
   * To have tried and left something over costs more than half of not trying: after two of that kind it tries no more for a
   * while.
   */
  learn(hasWorked: boolean): void {
    if (!hasWorked && this.#failedLast) this.#carefulUntil = performance.now() + carefulForMs
    this.#failedLast = !hasWorked
  }
}
