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

  /** Whether to try them all at once: each for another player, with a key that is new. */
  trusts(grants: readonly KeyedGrant[]): boolean {
    let areNew = true
    for (const { keyHash } of grants) if (!this.#keys.add(keyHash)) areNew = false
    return (
      areNew &&
      performance.now() > this.#carefulUntil &&
      grants.every(({ kind, amount, callMax }) => kind === 'grant' && amount <= callMax) &&
      new Set(grants.map(playerName)).size === grants.length
    )
  }

  /** To have tried in vain costs more than half of not trying: after two of that kind it tries no more for a while. */
  learn(hasWorked: boolean): void {
    if (!hasWorked && this.#failedLast) this.#carefulUntil = performance.now() + carefulForMs
    this.#failedLast = !hasWorked
  }
}
