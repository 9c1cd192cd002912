import type { Answer } from '../driver/connection.ts'
import {
  expectSuccess,
  makeRandom,
  merchantRequest,
  emptyTally,
  playerName,
  type Tally,
  type Work,
} from './work.ts'

export type GrantsSpec = {
  kind: 'grants'
  token: string
  players: number
  /** The balance of every player at the start. */
  balanceAtFirst: number
  seed: number
  /** The contestant has no memory, and answers with the number in the request. */
  isEcho: boolean
}

const amountMax = 9
/** One request in this many repeats the previous one, as after a lost answer, and must get the same answer. */
const repeatEvery = 100

type Asked = { player: number; amount: number; key: string; spinCount: number; isRepeat: boolean }

/**
 * Grants over many players. Each slot has its own players, so the balance in every answer is known exactly, regardless
 * of the order in which the server works.
 */
export function grantsWork(spec: GrantsSpec): Work {
  const random = makeRandom(spec.seed)
  const balances = new Int32Array(spec.players).fill(spec.balanceAtFirst)
  const asked: (Asked | undefined)[] = []
  const tally: Tally = { ...emptyTally }
  let slots = 1
  let keys = 0

  function repeatable(slot: number): Asked | undefined {
    const before = asked[slot]
    return before !== undefined && !before.isRepeat && keys % repeatEvery === 0 ? before : undefined
  }

  function fresh(slot: number): Asked {
    const own = Math.floor((spec.players - slot - 1) / slots) + 1
    const player = slot + slots * random(own)
    const amount = 1 + random(amountMax)
    const spinCount = (balances[player] as number) + amount
    const key = `order-${spec.seed.toString(36)}-${(1e8 + keys).toString()}`
    return { player, amount, key, spinCount, isRepeat: false }
  }

  return {
    begin(count) {
      slots = count
      asked.length = 0
    },
    next(slot) {
      keys++
      const before = repeatable(slot)
      const ask = before === undefined ? fresh(slot) : { ...before, isRepeat: true }
      asked[slot] = ask
      return grantRequest(spec.token, ask)
    },
    take(slot, answer) {
      const ask = asked[slot] as Asked
      expectGrant(answer, ask, spec.isEcho)
      if (ask.isRepeat) return
      balances[ask.player] = ask.spinCount
      tally.grants++
      tally.spins += ask.amount
    },
    refused(slot) {
      // A refused request must not be repeated as if it had succeeded.
      asked[slot] = undefined
    },
    tally: () => tally,
  }
}

export function grantRequest(token: string, ask: { player: number; amount: number; key: string }): string {
  const body = `{"playerId":"${playerName(ask.player)}","spinNumber":${ask.amount}}`
  return merchantRequest('/api/player/increaseSpin', token, `Idempotency-Key: ${ask.key}\r\n`, body)
}

function expectGrant(answer: Answer, ask: Asked, isEcho: boolean): void {
  expectSuccess(answer)
  const expected = { playerId: playerName(ask.player), spinCount: isEcho ? ask.amount : ask.spinCount }
  if (answer.body !== `{"playerId":"${expected.playerId}","spinCount":${expected.spinCount}}`) {
    const { playerId, spinCount } = JSON.parse(answer.body) as Record<string, unknown>
    if (playerId !== expected.playerId || spinCount !== expected.spinCount)
      throw new Error(`answered ${answer.body} instead of ${JSON.stringify(expected)}`)
  }
  if (!isEcho && /idempotent-replayed: true/i.test(answer.head) !== ask.isRepeat)
    throw new Error(ask.isRepeat ? 'a repeat was not recognised' : 'a first grant was marked as a repeat')
}
