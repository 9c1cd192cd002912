import type { Config } from '../../config.ts'
import { RateLimit } from '../transport/rate-limit.ts'

/** The rate limits of the game, by client address and by player. Routes and fast path count together. */
export class GamePace {
  readonly byAddress: RateLimit
  readonly sessions: RateLimit
  readonly plays: RateLimit

  constructor({ requestsPerAddress, playsPerPlayer, sessionsPerPlayer }: Config['gamePace']) {
    this.byAddress = new RateLimit({ name: 'address', max: requestsPerAddress, windowSeconds: 60 })
    this.sessions = new RateLimit({ name: 'sessions', max: sessionsPerPlayer, windowSeconds: 60 })
    this.plays = new RateLimit({ name: 'plays', max: playsPerPlayer, windowSeconds: 60 })
  }
}
