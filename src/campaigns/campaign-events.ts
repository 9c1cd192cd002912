import { actorText, type Cause } from '../audit-log/audit-log.ts'
import type { EventData } from '../events/catalogue.ts'
import type { NewEvent } from '../events/event-pages.ts'
import type { EventType } from '../events/event-types.ts'
import type { Campaign, CampaignSettings } from './campaign.ts'

type CampaignEvent = Extract<EventType, `campaign.${string}`>

/** An event about a campaign that somebody has changed. */
export function eventAbout<Type extends CampaignEvent>(
  type: Type,
  { merchantId, slug }: Pick<Campaign, 'merchantId' | 'slug'>,
  rest: Omit<EventData<Type>, 'campaign' | 'by'>,
  cause: Cause,
): NewEvent {
  const data = { campaign: slug, ...rest, by: actorText(cause.actor) }
  return { merchantId, type, at: cause.now, data } as unknown as NewEvent
}

/** The events of a change of settings, of the pause, or of both. */
export function changeEvents(
  before: Campaign,
  after: Campaign,
  changed: readonly string[],
  cause: Cause,
): NewEvent[] {
  const settings = changed.filter((name) => name !== 'pausedAt')
  const pause = after.pausedAt === null ? 'campaign.resumed' : 'campaign.paused'
  const isOpenedAgain = isOver(before, cause.now) && !isOver(after, cause.now)
  return [
    ...(settings.length === 0
      ? []
      : [eventAbout('campaign.changed', after, { ...settingsTold(after), changed: settings }, cause)]),
    ...(settings.length === changed.length ? [] : [eventAbout(pause, after, {}, cause)]),
    ...(isOpenedAgain ? [dateEvent('campaign.opened', after, cause.now)] : []),
  ]
}

/** An event about a date that has passed. */
export function dateEvent(
  type: 'campaign.opened' | 'campaign.closed',
  campaign: Pick<Campaign, 'merchantId' | 'slug' | 'opensAt' | 'closesAt'>,
  at: Date,
): NewEvent {
  const { merchantId, slug } = campaign
  return { merchantId, type, at, data: { campaign: slug, ...datesOf(campaign) } }
}

export function settingsTold(campaign: Pick<Campaign, keyof CampaignSettings | 'purse'>) {
  const { name, wheel, purse } = campaign
  return { name, wheel, purse, ...datesOf(campaign) }
}

function datesOf({ opensAt, closesAt }: Pick<CampaignSettings, 'opensAt' | 'closesAt'>) {
  return { opensAt: opensAt?.toISOString() ?? null, closesAt: closesAt?.toISOString() ?? null }
}

function isOver({ closesAt }: Campaign, now: Date): boolean {
  return closesAt !== null && closesAt <= now
}
