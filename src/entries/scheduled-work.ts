import { changeScheduledWheel } from '../campaigns/schedule-wheel.ts'
import type { Transaction } from '../db/database.ts'
import type { ScheduledKey } from '../scheduled/scheduled-changes.ts'
import { publishScheduled } from '../wheels/schedule-publication.ts'
import { closingTimeOfWheel, closingTimes } from './move-closing-time.ts'

/** The changes that are made later, with what they mean for campaigns that visitors enter. */
export const scheduledWork = {
  publication: (tx: Transaction, key: ScheduledKey, now: Date) =>
    publishScheduled(tx, key, now, closingTimes),
  campaign_wheel: (tx: Transaction, key: ScheduledKey, now: Date) =>
    changeScheduledWheel(tx, key, now, closingTimeOfWheel),
}
