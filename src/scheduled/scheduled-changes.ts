import type { Cause } from '../audit-log/audit-log.ts'
import { type Queryable, statement } from '../db/database.ts'
import { scheduleAheadMsMax } from '../limits.ts'
import { type FieldError, Refusal } from '../refusals.ts'
import { type Clocked, merchantTime } from '../test-clock.ts'

/** What can be scheduled: the publication of a wheel, or another wheel for a campaign. */
export type ScheduledKind = 'publication' | 'campaign_wheel'

/** `subject` is the id of the wheel or campaign. Each has at most one scheduled change. */
export type ScheduledKey = { merchantId: number; kind: ScheduledKind; subject: string }

export type ScheduledChange<Order> = ScheduledKey & {
  at: Date
  order: Order
  /** The author. `cause.now` is when it was scheduled. */
  cause: Cause
  /** When it failed, and why. It is not tried again. */
  failedAt: Date | null
  errors: FieldError[]
}

export function refuseWrongMoment(at: Date, now: Date): void {
  const ahead = at.getTime() - now.getTime()
  if (ahead > 0 && ahead <= scheduleAheadMsMax) return
  const detail = ahead > 0 ? 'must be within a year' : 'must be in the future'
  throw new Refusal('validation_failed', { detail: `/at ${detail}`, errors: [{ pointer: '/at', detail }] })
}

/** Writes the change, in place of an earlier one. */
export async function putScheduled(
  tx: Queryable,
  { merchantId, kind, subject }: ScheduledKey,
  { at, order, cause }: { at: Date; order: object; cause: Cause },
): Promise<void> {
  const { actor, requestId, now } = cause
  const author = [actor.kind, actor.id, actor.name, requestId]
  await tx.query(put, [merchantId, kind, subject, at, now, JSON.stringify(order), ...author])
}

/** Removes the change, and returns it; undefined if nothing was scheduled. */
export async function removeScheduled<Order>(
  tx: Queryable,
  { merchantId, kind, subject }: ScheduledKey,
): Promise<ScheduledChange<Order> | undefined> {
  const [removed] = await tx.query(remove, [merchantId, kind, subject])
  return removed && changeOf<Order>(removed)
}

/** Removes the note of a change that failed. */
export async function forgetFailed(
  tx: Queryable,
  { merchantId, kind, subject }: ScheduledKey,
): Promise<void> {
  await tx.query(removeFailed, [merchantId, kind, subject])
}

export async function readScheduled<Order>(
  db: Queryable,
  { merchantId, kind, subject }: ScheduledKey,
): Promise<ScheduledChange<Order> | undefined> {
  const [found] = await db.query(read, [merchantId, kind, subject])
  return found && changeOf<Order>(found)
}

/** The change if it is due. Call it while its subject is locked: another process may have made it in the meantime. */
export async function readDue<Order>(
  tx: Queryable,
  key: ScheduledKey,
  now: Date,
): Promise<ScheduledChange<Order> | undefined> {
  const found = await readScheduled<Order>(tx, key)
  return found !== undefined && found.failedAt === null && found.at <= now ? found : undefined
}

export async function markFailed(
  tx: Queryable,
  { merchantId, kind, subject }: ScheduledKey,
  { errors, now }: { errors: readonly FieldError[]; now: Date },
): Promise<void> {
  await tx.query(fail, [merchantId, kind, subject, now, JSON.stringify(errors)])
}

/** The oldest due changes. Of those at the same moment, publications come first: a campaign may need the wheel. */
export async function listDue(db: Queryable, now: Date, limit: number): Promise<(ScheduledKey & Clocked)[]> {
  return db.query(due, [now, limit])
}

/** What is shown of a change, in the row of its subject. JSON has no dates. */
export type ScheduledJson = {
  at: string
  scheduledAt: string
  by: string
  failedAt: string | null
  errors: FieldError[]
  order: Record<string, unknown>
}

/** A column with the scheduled change as JSON, or null. The names are those of the subject's columns. */
export function scheduledJson(kind: ScheduledKind, names: { merchantId: string; subject: string }): string {
  return `(
    select jsonb_build_object(
      'at', scheduled_changes.at,
      'scheduledAt', scheduled_changes.scheduled_at,
      'by', scheduled_changes.actor_kind || ':' || scheduled_changes.actor_id,
      'failedAt', scheduled_changes.failed_at,
      'errors', scheduled_changes.errors,
      'order', scheduled_changes.change_order - 'document'
    )
    from scheduled_changes
    where scheduled_changes.merchant_id = ${names.merchantId}
    and scheduled_changes.kind = '${kind}'
    and scheduled_changes.subject = ${names.subject}
  )`
}

type Row = ScheduledKey & {
  at: Date
  scheduledAt: Date
  failedAt: Date | null
  order: unknown
  errors: FieldError[]
  actorKind: Cause['actor']['kind']
  actorId: string
  actorName: string | null
  requestId: string | null
}

function changeOf<Order>(row: Row): ScheduledChange<Order> {
  const { merchantId, kind, subject, at, failedAt, errors, requestId } = row
  const actor = { kind: row.actorKind, id: row.actorId, name: row.actorName }
  const cause = { actor, requestId, now: row.scheduledAt }
  return { merchantId, kind, subject, at, failedAt, errors, cause, order: row.order as Order }
}

const columns = `
  merchant_id as "merchantId",
  kind,
  subject,
  at,
  scheduled_at as "scheduledAt",
  failed_at as "failedAt",
  change_order as "order",
  errors,
  actor_kind as "actorKind",
  actor_id as "actorId",
  actor_name as "actorName",
  request_id as "requestId"`

const byKey = `
where merchant_id = $1
and kind = $2
and subject = $3`

const put = statement(`
insert into scheduled_changes (
  merchant_id, kind, subject, at, scheduled_at, change_order, actor_kind, actor_id, actor_name, request_id
)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
on conflict (merchant_id, kind, subject) do update
set
  at = excluded.at,
  scheduled_at = excluded.scheduled_at,
  change_order = excluded.change_order,
  actor_kind = excluded.actor_kind,
  actor_id = excluded.actor_id,
  actor_name = excluded.actor_name,
  request_id = excluded.request_id,
  failed_at = null,
  errors = '[]'`)

const remove = statement<Row>(`
delete from scheduled_changes
${byKey}
returning ${columns}`)

const removeFailed = statement(`
delete from scheduled_changes
${byKey}
and failed_at is not null`)

const read = statement<Row>(`
select ${columns}
from scheduled_changes
${byKey}`)

const fail = statement(`
update scheduled_changes
set failed_at = $4, errors = $5
${byKey}`)

// Few changes are scheduled at a time. The clock of a test merchant is ahead.
const due = statement<ScheduledKey & Clocked>(`
select merchant_id as "merchantId", kind, subject, clock_ahead_ms as "clockAheadMs"
from scheduled_changes
join merchants using (merchant_id)
where failed_at is null
and at <= ${merchantTime('$1')}
order by at, kind desc
limit $2`)
