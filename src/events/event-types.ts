import { mainCampaign } from '../campaign-ref.ts'

/**
 * The names of all events. A name is never removed. The compiler checks that `catalogue.ts` describes exactly these.
 * They are not its keys, because the console needs the names alone: with the schemas, they take 9.3 kB instead of 0.4
 * kB.
 */
export const eventTypes = [
  'player.created',
  'spins.granted',
  'spins.corrected',
  'spins.expiring',
  'spins.expired',
  'streak.changed',
  'entry.created',
  'entry.verified',
  'entry.refused',
  'entry.answered',
  'consent.withdrawn',
  'link.created',
  'link.opened',
  'player.limited',
  'player.blocked',
  'player.unblocked',
  'play.completed',
  'play.refused',
  'prize.held',
  'prize.released',
  'prize.refused',
  'prize.won',
  'prize.claimed',
  'prize.redeemed',
  'prize.redemption_reversed',
  'prize.cancelled',
  'prize.expired',
  'prize.stock_low',
  'prize.stock_out',
  'wheel.published',
  'wheel.paused',
  'wheel.resumed',
  'wheel.drifted',
  'wheel.publication_failed',
  'campaign.created',
  'campaign.changed',
  'campaign.change_failed',
  'campaign.paused',
  'campaign.resumed',
  'campaign.opened',
  'campaign.closed',
  'campaign.archived',
  'campaign.restored',
  'token.issued',
  'token.revoked',
  'message.sent',
  'message.failed',
  'webhook.disabled',
  'webhook.test',
] as const

export type EventType = (typeof eventTypes)[number]

/** The types in the log. A test event is sent on request, to one webhook only. */
export type LoggedEventType = Exclude<EventType, 'webhook.test'>

export const loggedEventTypes = eventTypes.filter((type): type is LoggedEventType => type !== 'webhook.test')

/** The types of events that belong to a campaign. Events of `main` do not name it. */
const campaignEventTypes: ReadonlySet<string> = new Set<EventType>([
  'spins.granted',
  'spins.corrected',
  'spins.expiring',
  'spins.expired',
  'streak.changed',
  'entry.created',
  'entry.verified',
  'entry.refused',
  'entry.answered',
  'consent.withdrawn',
  'link.created',
  'link.opened',
  'play.completed',
  'prize.held',
  'prize.released',
  'prize.refused',
  'prize.won',
  'prize.claimed',
  'prize.redeemed',
  'prize.redemption_reversed',
  'prize.cancelled',
  'prize.expired',
  'message.sent',
  'message.failed',
])

/** The campaign of an event; undefined if it belongs to none. */
export function campaignOfEvent(type: string, data: object): string | undefined {
  const { campaign } = data as { campaign?: string }
  return campaign ?? (campaignEventTypes.has(type) ? mainCampaign.slug : undefined)
}

/** Whether an event belongs to a campaign. Every event does if the campaign is undefined. */
export function isOfCampaign(event: { type: string; data: object }, campaign: string | undefined): boolean {
  return campaign === undefined || campaignOfEvent(event.type, event.data) === campaign
}
