/** The states of the page. A diagram of their transitions is in main.ts, their texts are in languages/. */
export type State =
  | 'loading'
  | 'ready'
  | 'changed'
  | 'turning'
  | 'waiting'
  | 'won'
  | 'noLuck'
  | 'noSpins'
  | 'soldOut'
  | 'paused'
  | 'closed'
  | 'over'
  | 'offline'
  | 'down'
  | 'expired'
  | 'revoked'
  | 'invalid'
  | 'blocked'
  | 'suspended'

/** States in which the page may refresh by itself without disturbing the player. */
export const idleStates: ReadonlySet<State> = new Set([
  'ready',
  'changed',
  'noSpins',
  'soldOut',
  'paused',
  'closed',
  'over',
  'offline',
  'down',
])

/** How long until the page refreshes without any other trigger. */
export const recheckMs: Partial<Record<State, number>> = {
  offline: 8_000,
  down: 8_000,
  soldOut: 60_000,
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

/** The state after a refusal. A code not listed above is the server's fault. */
export function stateAfter(code: string): State {
  return stateOfRefusal[code] ?? 'down'
}
