import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import type { SigningKeys } from './games/signing-keys.ts'
import type { TokenVerifier } from './merchants/token-verifier.ts'
import type { Metrics } from './metrics.ts'

/** What the operations need, built once where the server starts. */
export type Context = {
  config: Config
  db: Database
  log: Logger
  now: () => Date
  signingKeys: SigningKeys
  tokens: TokenVerifier
  metrics: Metrics
}
