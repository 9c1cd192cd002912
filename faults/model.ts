/**
 * The game as one thread would play it, with nothing that can fail: no database, no batches, no second server. It is fed
 * with what was done, in the order in which the ledger says that it was, and tells what each answer should have been.
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

  /** Whether this key has had its effect. */
  isDone(playerId: string, key: string): boolean {
    return this.#done.has(`${playerId} ${key}`)
  }

  /** Spins to begin with, once in a player's life. */
  welcome(playerId: string, amount: number): boolean {
    const account = this.account(playerId)
    if (account.isWelcomed) return false
    account.isWelcomed = true
    account.spinCount += amount
    return true
  }

  /** Spends a spin, and gives those that were won. */
  play(playerId: string, spinsWon: number): { playNumber: number; spinCount: number } | { code: 'no_spins' } {
    const account = this.account(playerId)
    if (account.spinCount < 1) return { code: 'no_spins' }
    account.spinCount += spinsWon - 1
    account.playCount += 1
    return { playNumber: account.playCount, spinCount: account.spinCount }
  }

  /** To claim again does no harm; once it is redeemed, only who claimed it may ask again. */
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

export type Account = { spinCount: number; playCount: number; isWelcomed: boolean }
export type GrantAnswer = { spinCount: number; isReplay: boolean } | { code: 'idempotency_key_reused' }
