import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import type { SigningKeys } from './crypto/signing-keys.ts'
import type { TokenVerifier } from './merchants/token-verifier.ts'
import type { Metrics } from './metrics.ts'
import type { PublishedWheels } from './wheels/published-wheels.ts'

/** What the operations need, built once where the server starts. */
export type Context = {
  config: Config
  db: Database
  log: Logger
  now: () => Date
  /** Sign game links and sessions. */
  linkKeys: SigningKeys
  /** Make the server's seeds. */
  seedKeys: SigningKeys
  tokens: TokenVerifier
  wheels: PublishedWheels
  metrics: Metrics
}
