import type { Database } from '../db/database.ts'
import { insertEvents } from '../events/event-pages.ts'
import { dueChangesAtOnceMax } from '../limits.ts'
import { dateEvent } from './campaign-events.ts'
import { takePassedDates } from './campaigns.ts'

/** Writes an event for every campaign that has opened or closed by its dates. Returns how many. */
export async function tellDates(db: Database, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const page = { now, limit: dueChangesAtOnceMax }
    const opened = await takePassedDates(tx, 'opening', page)
    const closed = await takePassedDates(tx, 'closing', page)
    await insertEvents(tx, [
      ...opened.map((campaign) => dateEvent('campaign.opened', campaign, campaign.now)),
      ...closed.map((campaign) => dateEvent('campaign.closed', campaign, campaign.now)),
    ])
    return opened.length + closed.length
  })
}
