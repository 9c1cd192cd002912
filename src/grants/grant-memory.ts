import { isMain } from '../campaign-ref.ts'
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
   * Divides grants into those to try in one statement (each for a different player, with a new key) and probable
   * repeats. Those of campaigns other than `main`, of spins that expire, and further grants to a player, are in
   * neither, and take the transaction afterwards. Undefined if the attempt is not worthwhile.
   */
  foresee(grants: readonly KeyedGrant[]): { fresh: KeyedGrant[]; seen: KeyedGrant[] } | undefined {
    const sorted = { fresh: [] as KeyedGrant[], seen: [] as KeyedGrant[] }
    const players = new Set<string>()
    let further = 0
    for (const grant of grants) {
      const isNew = this.#keys.add(grant.keyHash)
      if (!isMain(grant.campaign) || grant.expiry !== undefined) continue
      if (!isNew) sorted.seen.push(grant)
      else if (players.size < players.add(playerName(grant)).size) sorted.fresh.push(grant)
      else further++
    }
    const { fresh } = sorted
    const isPromising =
      fresh.length > further * furtherWorth &&
      performance.now() > this.#carefulUntil &&
      fresh.every(({ kind, amount, callMax }) => kind === 'grant' && amount <= callMax)
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

/** A second transaction for one grant is worthwhile if at least this many others don't need it. */
const furtherWorth = 16
