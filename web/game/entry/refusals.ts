/** What the page makes of the server's refusals of an entry. */
import type { State } from '../states/states.ts'
import { say } from './entry-texts.ts'

/** What the page says at the fields. The server's words are for developers. */
export const wrongTexts: Record<string, (() => string) | undefined> = {
  validation_failed: undefined,
  address_refused: () => say('wrong.refused'),
  address_disposable: () => say('wrong.disposable'),
}

export const stateOf: Record<string, State> = {
  offline: 'offline',
  entry_closed: 'closed',
  entry_paused: 'paused',
  entry_full: 'full',
  merchant_suspended: 'suspended',
  player_blocked: 'blocked',
}

export function isLimit(code: string): boolean {
  return code === 'rate_limited' || code === 'entry_limit_reached' || code === 'code_too_soon'
}

/** Browsers solve challenges only on a secure connection. */
export function canSolve(): boolean {
  return crypto.subtle !== undefined
}
