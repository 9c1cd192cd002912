import { type Database, type Queryable, untilDone } from '../db/database.ts'
import { GroupCommit, type GroupCommitOptions } from '../orders/group-commit.ts'
import type { QueueLimits } from '../orders/queues.ts'
import { eventReadersMax, eventRetentionPauseMs } from '../limits.ts'
import { MerchantConcurrency } from '../concurrency/merchant-concurrency.ts'
import { RecurringWork } from '../recurring-work.ts'
import { Refusal } from '../refusals.ts'
import { EventFeed } from './event-feed.ts'
import { insertEvents, type NewEvent, type PageAddresses } from './event-pages.ts'
import { addPartitions, partitionWidthMs } from './event-partitions.ts'
import { LiveEvents } from './live-events.ts'
import { deleteOldEvents, retentionOf } from './retention.ts'
import { EventSequencer, type Numbered } from './sequencer.ts'

/** The event log's parts in one process, built once when the server starts. */
export type Events = ReturnType<typeof openEvents>

type EventsOptions = {
  db: Database
  now: () => Date
  retentionDays: number
  /** The group commit of events that belong to no other change. */
  sharing: QueueLimits & Pick<GroupCommitOptions<NewEvent, void>, 'onBatch'>
  /** The first event of a merchant that a webhook still has to send. Events from there on are kept longer. */
  heldFrom?: (db: Queryable, merchantId: number) => Promise<number | undefined>
  onTrouble: (error: unknown, doing: string) => void
  onRound: (numbered: Numbered) => void
  onDeleted: (count: number) => void
}

export function openEvents(options: EventsOptions) {
  const { db, now, retentionDays, heldFrom, onTrouble, onRound, onDeleted } = options
  const sequencer = new EventSequencer({
    db,
    onRound,
    onTrouble: (error) => onTrouble(error, 'numbering events failed'),
  })
  const feed = new EventFeed({
    db,
    sequencer,
    onTrouble: (error) => onTrouble(error, 'looking for new events failed'),
  })
  const live = new LiveEvents({
    db,
    feed,
    onTrouble: (error) => onTrouble(error, 'reading events failed'),
  })
  const retention = new RecurringWork({
    pauseMs: eventRetentionPauseMs,
    work: async () => {
      // Page ids have the time of the real clock.
      await addPartitions(db, { now: new Date(), widthMs: partitionWidthMs(retentionDays) })
      const times = retentionOf(retentionDays, now())
      onDeleted(await deleteOldEvents(db, { ...times, ...(heldFrom === undefined ? {} : { heldFrom }) }))
      return 'done'
    },
    onTrouble: (error) => onTrouble(error, 'deleting old events failed'),
  })
  const writer = new GroupCommit<NewEvent, void>({
    ...options.sharing,
    laneOf: (event) => event.shard ?? 0,
    merchantOf: (event) => event.merchantId,
    playerOf: (event) => String(event.shard),
    run: async (events) => {
      const addresses: PageAddresses = new Map()
      await untilDone(() => insertEvents(db, events, addresses))
      sequencer.nudge()
      return events.map(() => undefined)
    },
  })
  return {
    sequencer,
    feed,
    live,
    readers: new MerchantConcurrency(eventReadersMax, () => {
      return new Refusal('event_readers_limited', { headers: { 'Retry-After': '5' } })
    }),
    /** Writes an event that belongs to no other change, and resolves when it is committed. */
    writer,
    start() {
      sequencer.start()
      retention.start()
    },
    /** Pages that have no number yet get one from another process or at the next start. */
    async close() {
      await Promise.all([feed.close(), retention.close(), writer.close()])
      await sequencer.close()
    },
  }
}
