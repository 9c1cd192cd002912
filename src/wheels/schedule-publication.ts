import { actorText, type Cause } from '../audit-log/audit-log.ts'
import type { Database, Queryable, Transaction } from '../db/database.ts'
import { insertEvents } from '../events/event-pages.ts'
import { Refusal } from '../refusals.ts'
import {
  markFailed,
  putScheduled,
  readDue,
  readScheduled,
  refuseWrongMoment,
  removeScheduled,
  type ScheduledChange,
  type ScheduledJson,
  type ScheduledKey,
} from '../scheduled/scheduled-changes.ts'
import { notPublishable } from '../wheel-document/check-wheel.ts'
import type { Dependents } from './dependents.ts'
import { recordWheel } from './record-wheel.ts'
import type { WheelDocument } from '../wheel-document/wheel-document.ts'
import type { Wheel } from '../wheel-document/wheel-types.ts'
import { checkDraft, findWheel, lockWheel, publishLocked } from './wheels.ts'

type WheelKey = { merchantId: number; slug: string }

/** The draft as it was when its publication was scheduled. Later edits are not in it. */
type PublicationOrder = {
  document: WheelDocument
  draftRevision: number
  editors: string[]
  timeZone: string
}

/**
 * Schedules the publication of the draft as it is now, in place of an earlier one. It is checked as of the time of its
 * publication. `revision` is the draft that the caller has seen; undefined for any.
 */
export async function schedulePublication(
  db: Database,
  order: WheelKey & { at: Date; revision: number | undefined },
  cause: Cause,
  dependents?: Dependents,
): Promise<Wheel> {
  const { merchantId, slug, at } = order
  refuseWrongMoment(at, cause.now)
  return db.transaction(async (tx) => {
    const wheel = await lockWheel(tx, order)
    const { draft: document, draftRevision, draftEditors: editors } = wheel
    if (order.revision !== undefined && order.revision !== draftRevision) throw new Refusal('draft_changed')
    const errors = [...(await checkDraft(tx, wheel, at)), ...((await dependents?.check(tx, wheel, at)) ?? [])]
    if (errors.length > 0) throw notPublishable(errors)
    const frozen: PublicationOrder = { document, draftRevision, editors, timeZone: document.timeZone }
    await putScheduled(tx, keyOf(order), { at, order: frozen, cause })
    const before = wheel.scheduled === null ? undefined : { at: wheel.scheduled.at }
    await recordWheel(tx, wheel, { action: 'wheel.schedule', before, after: { at, draftRevision } }, cause)
    return findWheel(tx, merchantId, slug)
  })
}

/** Cancels a scheduled publication, or removes the note of one that failed. Repeating it changes nothing. */
export async function cancelPublication(db: Database, order: WheelKey, cause: Cause): Promise<Wheel> {
  return db.transaction(async (tx) => {
    const wheel = await lockWheel(tx, order)
    const removed = await removeScheduled(tx, keyOf(order))
    if (removed !== undefined)
      await recordWheel(tx, wheel, { action: 'wheel.unschedule', before: { at: removed.at } }, cause)
    return { ...wheel, scheduled: null }
  })
}

/** The scheduled publication, and its document. */
export async function findPublication(
  db: Queryable,
  key: WheelKey,
): Promise<{ scheduled: ScheduledJson; document: WheelDocument }> {
  const { scheduled } = await findWheel(db, key.merchantId, key.slug)
  const found = await readScheduled<PublicationOrder>(db, keyOf(key))
  if (scheduled === null || found === undefined) throw new Refusal('nothing_scheduled')
  return { scheduled, document: found.order.document }
}

/** Publishes what was scheduled, by the person who did so. If it has problems by now, nothing is published. */
export async function publishScheduled(
  tx: Transaction,
  key: ScheduledKey,
  now: Date,
  dependents?: Dependents,
): Promise<void> {
  const wheel = await lockWheel(tx, { merchantId: key.merchantId, slug: key.subject })
  const due = await readDue<PublicationOrder>(tx, key, now)
  if (due === undefined) return
  const { document, draftRevision, editors } = due.order
  const frozen = { ...wheel, draft: document, draftRevision, draftEditors: editors }
  const published = await publishLocked(tx, frozen, { now, cause: { ...due.cause, now }, dependents })
  if ('errors' in published) await fail(tx, due, { errors: published.errors, now })
  else await removeScheduled(tx, key)
}

async function fail(
  tx: Queryable,
  due: ScheduledChange<PublicationOrder>,
  failure: Parameters<typeof markFailed>[2],
): Promise<void> {
  const { merchantId, subject: wheel, at, cause } = due
  const errors = failure.errors.map(({ pointer, detail }) => ({ pointer, detail }))
  const data = { wheel, publishAt: at.toISOString(), by: actorText(cause.actor), errors }
  await markFailed(tx, due, failure)
  await insertEvents(tx, [{ merchantId, type: 'wheel.publication_failed', at: failure.now, data }])
}

function keyOf({ merchantId, slug }: WheelKey): ScheduledKey {
  return { merchantId, kind: 'publication', subject: slug }
}
