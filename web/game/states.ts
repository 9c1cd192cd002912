/** The states of the page. main.ts draws how they follow each other; each has its texts in languages/. */
export type State =
  | 'loading'
  | 'ready'
  | 'changed'
  | 'turning'
  | 'waiting'
  | 'won'
  | 'noLuck'
  | 'noSpins'
  | 'paused'
  | 'closed'
  | 'offline'
  | 'down'
  | 'expired'
  | 'revoked'
  | 'invalid'
  | 'blocked'
  | 'suspended'

/** In these the page may look again by itself; the player misses nothing. */
export const idleStates: ReadonlySet<State> = new Set([
  'ready',
  'changed',
  'noSpins',
  'paused',
  'closed',
  'offline',
  'down',
])

/** After how long it does so even if nothing happens. */
export const recheckMs: Partial<Record<State, number>> = {
  offline: 8_000,
  down: 8_000,
  paused: 60_000,
  closed: 60_000,
}

const stateOfRefusal: Record<string, State> = {
  offline: 'offline',
  game_token_invalid: 'invalid',
  validation_failed: 'invalid',
  game_token_expired: 'expired',
  game_token_revoked: 'revoked',
  merchant_suspended: 'suspended',
  player_blocked: 'blocked',
}

/** The state in which a refusal leaves the player. Whatever is not named here is our fault. */
export function stateAfter(code: string): State {
  return stateOfRefusal[code] ?? 'down'
}
