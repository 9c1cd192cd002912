/** The names alone, which the console shares: `catalogue.ts` tells what each means. Only ever added to. */
export const eventTypes = [
  'player.created',
  'spins.granted',
  'spins.corrected',
  'spins.expired',
  'link.created',
  'link.opened',
  'player.limited',
  'play.completed',
  'prize.won',
  'prize.claimed',
  'prize.redeemed',
  'prize.cancelled',
  'prize.expired',
  'prize.stock_low',
  'prize.stock_out',
  'wheel.published',
  'wheel.paused',
  'wheel.resumed',
  'token.issued',
  'token.revoked',
  'webhook.disabled',
  'webhook.test',
] as const

export type EventType = (typeof eventTypes)[number]

/** Those that stand in the log. A test is sent when somebody asks for it, and to that one webhook only. */
export type LoggedEventType = Exclude<EventType, 'webhook.test'>

export const loggedEventTypes = eventTypes.filter((type): type is LoggedEventType => type !== 'webhook.test')

export function isLoggedEventType(text: string): text is LoggedEventType {
  return (loggedEventTypes as readonly string[]).includes(text)
}
