import type { Session } from '../api.ts'
import { untilMs } from './countdown.ts'
import { formatSoon, joined, t } from '../texts/i18n.ts'

type Spins = Pick<Session, 'spinCount' | 'spinsExpire' | 'free'>

/** The spins that can be played now, with free ones that the next play collects. */
export function playable({ spinCount, free }: Spins): number {
  return spinCount + (free?.available ?? 0)
}

/** Such as "3 spins left · 1 spin until Sunday, 18:00". */
export function spinsLeft(session: Spins): string {
  const until = firstExpiry(session)
  return joined([t('spins.left', { count: playable(session) }), ...(until === '' ? [] : [until])])
}

/** The spins that expire first: "1 spin until Sunday, 18:00". Empty if none expires. */
export function firstExpiry({ spinsExpire = [] }: Spins): string {
  const [first] = spinsExpire
  if (first === undefined) return ''
  const together = spinsExpire.filter(({ expiresAt }) => expiresAt === first.expiresAt)
  const count = together.reduce((sum, { spins }) => sum + spins, 0)
  return t('spins.until', { count, time: formatSoon(first.expiresAt, untilMs(first.expiresAt)) })
}
