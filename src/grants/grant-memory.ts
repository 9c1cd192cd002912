import { carefulForMs, seenNamesMax } from '../limits.ts'
import type { KeyedGrant } from './grant.ts'
import { playerName } from '../players/ledger.ts'
import { SeenNames } from '../players/seen-names.ts'

/** Remembers players and keys, to predict which grants nothing prevents. The prediction may be wrong. */
export class GrantMemory {
  /** Players known to exist; only erasure removes one. */
  readonly players = new SeenNames(seenNamesMax)
  /** Whether some players have archived entries. */
  hasArchive = false
  readonly #keys = new SeenNames(seenNamesMax)
  #failedLast = false
  #carefulUntil = -Infinity

  /**
   * Divides grants into those to try in one statement (each for a different player, with a new key) and probable repeats.
   * Those of campaigns other than `main`, and of spins that expire, are in neither, and take the transaction. Undefined if
   * the attempt is not worthwhile.
   */
  foresee(grants: readonly KeyedGrant[]): { fresh: KeyedGrant[]; seen: KeyedGrant[] } | undefined {
    const sorted = { fresh: [] as KeyedGrant[], seen: [] as KeyedGrant[] }
    for (const grant of grants) {
      const isNew = this.#keys.add(grant.keyHash)
      if (grant.campaign === undefined && grant.expiry === undefined)
        (isNew ? sorted.fresh : sorted.seen).push(grant)
    }
    const { fresh } = sorted
    const isPromising =
      fresh.length > 0 &&
      performance.now() > this.#carefulUntil &&
      fresh.every(({ kind, amount, callMax }) => kind === 'grant' && amount <= callMax) &&
      new Set(fresh.map(playerName)).size === fresh.length
    return isPromising ? sorted : undefined
  }

  /**
   * A failed attempt costs more than half a transaction; after two in a row, stop trying for a while.
   */
  learn(hasWorked: boolean): void {
    if (!hasWorked && this.#failedLast) this.#carefulUntil = performance.now() + carefulForMs
    this.#failedLast = !hasWorked
  }
}
