// A plain model of spins that expire, to compare the real ones with.
import assert from 'node:assert/strict'

const byText = (one: string, other: string): number => (one < other ? -1 : 1)

/** Spins as a plain list: of each lot how many are left, until when, and whether they were won. */
export class LotModel {
  #lots: { purse: string; left: number; endsAt: number; isWon: boolean }[] = []

  add(purse: string, { spins, endsAt, isWon }: { spins: number; endsAt: number; isWon: boolean }): void {
    this.#lots.push({ purse, left: spins, endsAt, isWon })
  }

  balance(purse: string, now = 0): number {
    const own = this.#lots.filter((lot) => lot.purse === purse && lot.endsAt > now)
    return own.reduce((sum, lot) => sum + lot.left, 0)
  }

  /** One spin after the other, each from the first lot. */
  take(purse: string, spins: number): void {
    for (let left = spins; left > 0; left--) {
      const own = this.#lots.filter((lot) => lot.purse === purse && lot.left > 0)
      const first = own.toSorted((one, other) =>
        one.endsAt === other.endsAt ? Number(other.isWon) - Number(one.isWon) : one.endsAt - other.endsAt,
      )[0]
      assert(first !== undefined)
      first.left--
    }
  }

  expire(now: number): void {
    this.#lots = this.#lots.filter((lot) => lot.endsAt > now)
  }

  /** Compares a player, as the API shows it, with the list. */
  check(shown: any, now: number): void {
    const { playerId, spinCount, purses } = shown
    const spins = new Map<string, number>(purses.map((one: any) => [one.campaign, one.spinCount]))
    spins.set('main', spinCount)
    for (const campaign of ['main', 'summer', 'winter'])
      assert.equal(spins.get(campaign) ?? 0, this.balance(`${playerId}:${campaign}`, now), campaign)
    const lots = shown.lots.map((lot: any) => [lot.campaign, lot.spins, Date.parse(lot.expiresAt)])
    const sorted = (list: unknown[]) => list.map(String).toSorted(byText)
    assert.deepEqual(sorted(lots), sorted(this.#lotsOf(playerId, now)))
  }

  #lotsOf(playerId: string, now: number): [string, number, number][] {
    return this.#lots.flatMap(({ purse, left, endsAt }) => {
      const isShown = purse.startsWith(`${playerId}:`) && left > 0 && endsAt > now && endsAt < Infinity
      return isShown ? [[purse.slice(playerId.length + 1), left, endsAt]] : []
    })
  }
}
