import type { Config } from '../../config.ts'
import { RateLimit } from '../transport/rate-limit.ts'

/** The rate limits of the game, by client address and by player. Routes and fast path count together. */
export class GameRateLimits {
  readonly byAddress: RateLimit
  readonly sessions: RateLimit
  readonly plays: RateLimit

  constructor({ requestsPerAddress, playsPerPlayer, sessionsPerPlayer }: Config['gameRateLimits']) {
    const windowSeconds = 60
    const requests = { counted: 'requests to the game from this address', max: requestsPerAddress }
    this.byAddress = new RateLimit({ name: 'address', ...requests, windowSeconds })
    const visits = { counted: 'visits of this player', max: sessionsPerPlayer }
    this.sessions = new RateLimit({ name: 'sessions', ...visits, windowSeconds })
    const plays = { counted: 'plays of this player', max: playsPerPlayer }
    this.plays = new RateLimit({ name: 'plays', ...plays, windowSeconds })
  }
}
