import { type Queryable, statement } from '../db/database.ts'
import { auditRowsScannedMax } from '../limits.ts'

/** The author of a change: a service token, a member of staff, the command line, or background work. */
type Actor = { kind: 'token' | 'staff' | 'command' | 'worker'; id: string; name: string | null }

/** A player is identified by number here, so the log need not change when its name is erased. */
type Subject = { kind: string; id: string } | { kind: 'player'; shard: number; playerNo: number }

/** The author of a change, and its request. */
export type Cause = { actor: Actor; requestId: string | null; now: Date }

/** A change to a merchant's data. `before` and `after` describe it, without secrets. */
export type Change = {
  merchantId: number
  action: string
  subject: Subject
  before?: object | undefined
  after?: object | undefined
}

/** Records changes, in the transaction that makes them. */
export async function recordChanges(tx: Queryable, changes: readonly Change[], cause: Cause): Promise<void> {
  if (changes.length === 0) return
  const players = changes.map(({ subject }) => ('playerNo' in subject ? subject : undefined))
  await tx.query(insert, [
    changes.map((change) => change.merchantId),
    changes.map((change) => change.action),
    changes.map((change) => change.subject.kind),
    changes.map(({ subject }) => ('id' in subject ? subject.id : null)),
    players.map((player) => player?.shard ?? null),
    players.map((player) => player?.playerNo ?? null),
    changes.map((change) => (change.before === undefined ? null : JSON.stringify(change.before))),
    changes.map((change) => (change.after === undefined ? null : JSON.stringify(change.after))),
    cause.now,
    cause.actor.kind,
    cause.actor.id,
    cause.actor.name,
    cause.requestId,
  ])
}

/** As shown in events and settlements. */
export function actorText(actor: Actor): string {
  return `${actor.kind}:${actor.id}`
}

export type AuditEntry = {
  entryNo: number
  at: Date
  actorKind: Actor['kind']
  actorId: string
  actorName: string | null
  action: string
  subjectKind: string
  subject: string | null
  before: object | null
  after: object | null
  requestId: string | null
}

/** Undefined matches any. */
export type AuditFilter = {
  action?: string | undefined
  subjectKind?: string | undefined
  /** The id of the changed thing; for a player, its shard and number. */
  subject?: { id: string; player: { shard: number; playerNo: number } | undefined } | undefined
  /** The exact id of the author. */
  actorId?: string | undefined
  /** A part of the author's id or name, in any case. */
  actor?: string | undefined
  from?: Date | undefined
  /** Before this time. */
  to?: Date | undefined
}

/** `next`: the position to continue from. A page with few results may have one too. */
export type AuditPage = { entries: AuditEntry[]; next: number | undefined }

/**
 * A merchant's changes before the entry `before`, newest first. A player is shown with its current name. It reads at
 * most `auditRowsScannedMax` entries: an index for every filter would cost each change, and filters are rarely used.
 */
export async function readAuditLog(
  db: Queryable,
  merchantId: number,
  page: { before: number; limit: number; filter?: AuditFilter },
): Promise<AuditPage> {
  const { action, subjectKind, subject, actorId, actor, from, to } = page.filter ?? {}
  const rows = await db.query(read, [
    merchantId,
    page.before,
    page.limit,
    action ?? null,
    subjectKind ?? null,
    actorId ?? null,
    actor?.toLowerCase() ?? null,
    from ?? null,
    to ?? null,
    subject?.id ?? null,
    subject?.player?.shard ?? null,
    subject?.player?.playerNo ?? null,
    auditRowsScannedMax,
  ])
  const entries = rows.filter((row) => row.action !== null)
  const oldestScanned = rows[0]?.oldestScanned ?? undefined
  return { entries, next: entries.length === page.limit ? entries.at(-1)?.entryNo : oldestScanned }
}

/** With every row, or alone if none matches: the last entry that was read, if there may be more behind it. */
type ScannedRow = AuditEntry & { oldestScanned: number | null }

const insert = statement(`
insert into audit_log (
  merchant_id, action, subject_kind, subject, shard, player_no, before, after, at, actor_kind, actor_id, actor_name, request_id
)
select change.*, $9::timestamptz, $10, $11, $12, $13
from unnest(
  $1::int[], $2::text[], $3::text[], $4::text[], $5::int[], $6::bigint[], $7::jsonb[], $8::jsonb[]
) as change`)

const read = statement<ScannedRow>(`
select
  stretch."oldestScanned",
  found.entry_no as "entryNo",
  found.at,
  found.actor_kind as "actorKind",
  found.actor_id as "actorId",
  found.actor_name as "actorName",
  found.action,
  found.subject_kind as "subjectKind",
  coalesce(found.subject, players.player_id) as subject,
  found.before,
  found.after,
  found.request_id as "requestId"
from (
  select (
    select entry_no
    from audit_log
    where merchant_id = $1
    and entry_no < $2
    order by entry_no desc
    offset $13::int - 1
    limit 1
  ) as "oldestScanned"
) as stretch
left join lateral (
  select *
  from audit_log
  where merchant_id = $1
  and entry_no < $2
  and entry_no >= coalesce(stretch."oldestScanned", 0)
  and ($4::text is null or action = $4)
  and ($5::text is null or subject_kind = $5)
  and ($6::text is null or actor_id = $6)
  and ($7::text is null or position($7 in lower(actor_id)) > 0 or position($7 in lower(actor_name)) > 0)
  and ($8::timestamptz is null or at >= $8)
  and ($9::timestamptz is null or at < $9)
  and ($10::text is null or subject = $10 or (shard = $11::int and player_no = $12::bigint))
  order by entry_no desc
  limit $3
) as found on true
left join players
  on players.shard = found.shard
  and players.player_no = found.player_no
order by found.entry_no desc`)
