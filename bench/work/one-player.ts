import { grantRequest } from './grants.ts'
import { expectSuccess, emptyTally, playerName, type Tally, type Work } from './work.ts'

export type OnePlayerSpec = {
  kind: 'one-player'
  token: string
  player: number
  seed: number
  isEcho: boolean
}

/**
 * Grants of one spin each, all to the same player, from all slots at once. The server chooses the order, but every
 * balance from the first to the last must be answered exactly once.
 */
export function onePlayerWork(spec: OnePlayerSpec): Work {
  const tally: Tally = { ...emptyTally }
  const seen = new Set<number>()
  let keys = 0

  return {
    begin: () => undefined,
    next() {
      const key = `one-${spec.seed.toString(36)}-${(1e8 + ++keys).toString()}`
      return grantRequest(spec.token, { player: spec.player, amount: 1, key })
    },
    take(_slot, answer) {
      expectSuccess(answer)
      const { playerId, spinCount } = JSON.parse(answer.body) as { playerId: string; spinCount: number }
      if (playerId !== playerName(spec.player)) throw new Error(`answered for another player: ${answer.body}`)
      tally.grants++
      tally.spins++
      if (spec.isEcho) return
      if (seen.has(spinCount)) throw new Error(`the balance ${spinCount} was answered twice`)
      seen.add(spinCount)
    },
    refused: () => undefined,
    tally() {
      for (let balance = 1; balance <= seen.size; balance++)
        if (!seen.has(balance)) throw new Error(`the balance ${balance} was never answered`)
      return tally
    },
  }
}
