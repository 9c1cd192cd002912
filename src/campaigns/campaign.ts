import type { CampaignRef } from '../campaign-ref.ts'
import { type ActiveFreeSpinRule, type FreeSpinRule, ruleOf } from '../free-spin-rule/free-spin-rule.ts'
import type { ScheduledJson } from '../scheduled/scheduled-changes.ts'
import { openingAt, within } from '../wheel-document/schedule.ts'
import type { Schedule } from '../wheel-document/wheel-types.ts'

/** A campaign: what a game link opens. */
export type Campaign = CampaignSettings &
  Omit<CampaignRef, 'isPublished'> & {
    merchantId: number
    /** The id of the campaign that the purse was made for. */
    purse: string
    wheelId: number
    wheelName: string
    wheelVersion: number | null
    wheelPausedAt: Date | null
    schedule: Schedule
    revision: number
    freeSpins: ActiveFreeSpinRule | null
    pausedAt: Date | null
    /** Another wheel that it gets later, or that it could not get. */
    scheduled: ScheduledJson | null
    createdAt: Date
  }

/** What can be changed. Dates narrow the schedule of the wheel, whose time zone is theirs. */
export type CampaignSettings = {
  name: string
  /** The id of the wheel. */
  wheel: string
  priority: number
  opensAt: Date | null
  closesAt: Date | null
  texts: CampaignTexts
  /** Its spins expire this many days after they were granted or won; null for the merchant's setting. */
  spinLifetimeDays: number | null
  /** Null: there are no free spins. */
  freeSpins: FreeSpinRule | null
}

export function settingsOf(campaign: Campaign): CampaignSettings {
  const { name, wheel, priority, opensAt, closesAt, texts, spinLifetimeDays } = campaign
  const freeSpins = campaign.freeSpins && ruleOf(campaign.freeSpins)
  return { name, wheel, priority, opensAt, closesAt, texts, spinLifetimeDays, freeSpins }
}

/** What players read about the campaign, by language. */
type CampaignTexts = Record<string, { name?: string; description?: string }>

export const campaignStates = ['draft', 'scheduled', 'open', 'closed', 'paused', 'ended', 'archived'] as const
type CampaignState = (typeof campaignStates)[number]

/** The state of a campaign, when it opens next, and when it closes for good. */
export function openingOf(
  campaign: Pick<
    Campaign,
    'archivedAt' | 'wheelVersion' | 'pausedAt' | 'wheelPausedAt' | 'schedule' | 'opensAt' | 'closesAt'
  >,
  now: Date,
): { state: CampaignState; opensAt: Date | null; closesAt: Date | null } {
  const schedule = within(campaign.schedule, campaign)
  const { isOpen, opensAt, closesAt } = openingAt(schedule, now)
  const starts = schedule.opensAt === undefined ? null : new Date(schedule.opensAt)
  const state = (): CampaignState => {
    if (campaign.archivedAt !== null) return 'archived'
    if (campaign.wheelVersion === null) return 'draft'
    if (closesAt !== null && now >= closesAt) return 'ended'
    if (campaign.pausedAt !== null || campaign.wheelPausedAt !== null) return 'paused'
    if (isOpen) return 'open'
    return starts !== null && now < starts ? 'scheduled' : 'closed'
  }
  return { state: state(), opensAt, closesAt }
}
