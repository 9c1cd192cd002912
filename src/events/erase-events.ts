import { type Database, type Queryable, untilDone } from '../db/database.ts'
import {
  erasureLeaseMs,
  erasureLogSettledMs,
  erasureLookMs,
  erasureSettledMs,
  eventPagesErasedMax,
} from '../limits.ts'
import { deleteErasure, type EventErasure, leaseErasure, noteErasure } from './event-erasures.ts'
import { erasePages, hasUnnumberedPages } from './event-pages.ts'
import { lockStream } from './event-streams.ts'

/**
 * The text to replace in the JSON of events, and its replacement. Quotes within a value are escaped, so the text
 * can't match inside a value.
 */
export type Replacement = { merchantId: number; from: string; to: string; lastSeq: number }

type ErasingOptions = {
  now: Date
  /** Removes the id from events that wait to be sent. */
  eraseDeliveries: (db: Database, replacement: Replacement) => Promise<void>
}

/**
 * Removes the ids of erased players from the log, a limited range at each call. There is no index by player, since it
 * would cost every event, so the merchant's whole log is scanned.
 *
 * Some events, such as `link.opened`, are written without a lock on the player, and senders hold events in memory for
 * a while. So new events are checked for another minute, and the events that wait to be sent once more after an hour.
 */
export async function eraseNextEvents(db: Database, options: ErasingOptions): Promise<'more' | 'done'> {
  const { now } = options
  const leaseUntil = new Date(now.getTime() + erasureLeaseMs)
  const erasure = await untilDone(() => leaseErasure(db, { now, leaseUntil }))
  if (erasure === undefined) return 'done'
  const { isAtEnd, ...found } = await untilDone(() => db.transaction((tx) => eraseStretch(tx, erasure, now)))
  if (isAtEnd) await finish(db, { ...erasure, ...found }, options)
  return 'more'
}

/** The lock on the stream keeps retention from deleting the same pages in another order. */
async function eraseStretch(
  tx: Queryable,
  erasure: EventErasure,
  now: Date,
): Promise<{ afterSeq: number; lastSeq: number; isAtEnd: boolean; hasNewcomer: boolean }> {
  await lockStream(tx, erasure.merchantId)
  const { merchantId, shard, playerId, lastPageNo, afterSeq } = erasure
  const stretch = { merchantId, afterSeq, lastPageNo, pagesMax: eventPagesErasedMax }
  const found = await erasePages(tx, stretch, { shard, playerId, ...marksOf(erasure) })
  const noted = {
    afterSeq: found.afterSeq ?? afterSeq,
    lastSeq: Math.max(erasure.lastSeq, found.lastSeq ?? 0),
  }
  await noteErasure(tx, { ...erasure, ...noted }, now)
  return { ...noted, isAtEnd: found.pages < eventPagesErasedMax, hasNewcomer: found.hasNewcomer }
}

async function finish(
  db: Database,
  erasure: EventErasure & { hasNewcomer: boolean },
  { now, eraseDeliveries }: ErasingOptions,
): Promise<void> {
  const { merchantId, lastPageNo } = erasure
  const lastSeq = erasure.hasNewcomer ? erasure.lastSeq : Number.MAX_SAFE_INTEGER
  await eraseDeliveries(db, { merchantId, lastSeq, ...marksOf(erasure) })
  const age = now.getTime() - erasure.erasedAt.getTime()
  const isWaiting = await untilDone(() => hasUnnumberedPages(db, { merchantId, lastPageNo }))
  if (age >= erasureSettledMs && !isWaiting) {
    await untilDone(() => deleteErasure(db, erasure.erasureNo))
    return
  }
  const pauseMs = age < erasureLogSettledMs || isWaiting ? erasureLookMs : erasureSettledMs - age
  await untilDone(() => noteErasure(db, erasure, new Date(now.getTime() + pauseMs)))
}

/** As JSON.stringify writes it. */
function marksOf({ playerId, pseudonym }: EventErasure): { from: string; to: string } {
  const mark = (id: string) => `"playerId":${JSON.stringify(id)}`
  return { from: mark(playerId), to: mark(pseudonym) }
}
