/**
 * A single-threaded model of the game in which nothing can fail: no database, no batches, no second server. The judge
 * applies the operations in the order of the ledger, and the model returns the answer that each should have had.
 */
export class Game {
  readonly #accounts = new Map<string, Account>()
  readonly #done = new Map<string, { amount: number; spinCount: number }>()
  readonly #settled = new Map<string, { claimedBy: string | undefined; redeemedBy: string | undefined }>()

  account(playerId: string): Account {
    const account = this.#accounts.get(playerId) ?? { spinCount: 0, playCount: 0, isWelcomed: false }
    this.#accounts.set(playerId, account)
    return account
  }

  grant({ playerId, key, amount }: { playerId: string; key: string; amount: number }): GrantAnswer {
    const before = this.#done.get(`${playerId} ${key}`)
    if (before !== undefined && before.amount !== amount) return { code: 'idempotency_key_reused' }
    if (before !== undefined) return { spinCount: before.spinCount, isReplay: true }
    const account = this.account(playerId)
    account.spinCount += amount
    this.#done.set(`${playerId} ${key}`, { amount, spinCount: account.spinCount })
    return { spinCount: account.spinCount, isReplay: false }
  }

  /** Whether this key has taken effect. */
  isDone(playerId: string, key: string): boolean {
    return this.#done.has(`${playerId} ${key}`)
  }

  /** Grants initial spins, once per player. */
  welcome(playerId: string, amount: number): boolean {
    const account = this.account(playerId)
    if (account.isWelcomed) return false
    account.isWelcomed = true
    account.spinCount += amount
    return true
  }

  /** Spends a spin, and adds the spins won. */
  play(playerId: string, spinsWon: number): { playNumber: number; spinCount: number } | { code: 'no_spins' } {
    const account = this.account(playerId)
    if (account.spinCount < 1) return { code: 'no_spins' }
    account.spinCount += spinsWon - 1
    account.playCount += 1
    return { playNumber: account.playCount, spinCount: account.spinCount }
  }

  /** A repeated claim has no effect. After the redemption, only a repeat with the claim's own key is answered. */
  claim(playId: string, key: string): 'settled' | 'replayed' | 'prize_settled' {
    const prize = this.#prize(playId)
    if (prize.redeemedBy !== undefined) return prize.claimedBy === key ? 'replayed' : 'prize_settled'
    if (prize.claimedBy !== undefined) return 'replayed'
    prize.claimedBy = key
    return 'settled'
  }

  redeem(playId: string, key: string): 'settled' | 'replayed' | 'prize_settled' {
    const prize = this.#prize(playId)
    if (prize.redeemedBy !== undefined) return prize.redeemedBy === key ? 'replayed' : 'prize_settled'
    prize.redeemedBy = key
    return 'settled'
  }

  #prize(playId: string) {
    const prize = this.#settled.get(playId) ?? { claimedBy: undefined, redeemedBy: undefined }
    this.#settled.set(playId, prize)
    return prize
  }
}

type Account = { spinCount: number; playCount: number; isWelcomed: boolean }
type GrantAnswer = { spinCount: number; isReplay: boolean } | { code: 'idempotency_key_reused' }
