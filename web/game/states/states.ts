import type { EntryState } from '../entry/entry-states.ts'

/**
 * The states of the game, as the player sees it:
 *
 *   loading ──► ready ──press──► turning ──at rest──► won | noLuck ──press──► turning …
 *      │                          │   ▲
 *      │                          ▼   │ press, or the answer
 *      │                         waiting           no answer for 3 s; the wheel keeps turning
 *      │
 *      ├──► changed ──press──► turning             the wheel has changed; also after a press
 *      ├──► noSpins                                refreshes: by the button, when the tab becomes visible
 *      ├──► soldOut | paused | over                the same, and every minute
 *      ├──► closed                                 the same, and when the countdown ends
 *      ├──► offline | down                         the same, and every few seconds
 *      └──► expired | revoked | invalid | blocked | suspended            final: only another link helps
 *
 * After a refused play, the page goes from turning to one of the states below loading. A lost connection is shown at
 * once where nothing turns.
 */
export type State =
  | EntryState
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

/** States in which the player can't open another game. */
export const busyStates: ReadonlySet<State> = new Set(['loading', 'turning', 'waiting'])

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
  over: 60_000,
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
