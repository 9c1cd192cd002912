import { type Queryable, statement } from '../db/database.ts'

/** Who made a change: a service token, a member of staff, somebody at the command line, or work in the background. */
export type Actor = { kind: 'token' | 'staff' | 'command' | 'worker'; id: string; name: string | null }

/** A player is known here by number: nothing has to change in the log when its name is erased. */
export type Subject = { kind: string; id: string } | { kind: 'player'; shard: number; playerNo: number }

/** Who asked for a change, and in which request. */
export type Cause = { actor: Actor; requestId: string | null; now: Date }

/** A change that somebody made to what a merchant has. Before and after tell what changed, and hold no secret. */
export type Change = {
  merchantId: number
  action: string
  subject: Subject
  before?: object | undefined
  after?: object | undefined
}

/** Writes changes down, in the transaction that makes them. */
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

/** As it stands in events and settlements. */
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

export type AuditFilter = { action: string | null; subjectKind: string | null; actorId: string | null }

/** A merchant's changes before the entry `before`, newest first. A player goes by the name that it has now. */
export async function readAuditLog(
  db: Queryable,
  merchantId: number,
  page: { before: number; limit: number; filter: AuditFilter },
): Promise<AuditEntry[]> {
  const { action, subjectKind, actorId } = page.filter
  return db.query(read, [merchantId, page.before, page.limit, action, subjectKind, actorId])
}

const insert = statement(`
insert into audit_log (
  merchant_id, action, subject_kind, subject, shard, player_no, before, after, at, actor_kind, actor_id, actor_name, request_id
)
select change.*, $9::timestamptz, $10, $11, $12, $13
from unnest(
  $1::int[], $2::text[], $3::text[], $4::text[], $5::int[], $6::bigint[], $7::jsonb[], $8::jsonb[]
) as change`)

const read = statement<AuditEntry>(`
select
  audit_log.entry_no as "entryNo",
  audit_log.at,
  audit_log.actor_kind as "actorKind",
  audit_log.actor_id as "actorId",
  audit_log.actor_name as "actorName",
  audit_log.action,
  audit_log.subject_kind as "subjectKind",
  coalesce(audit_log.subject, players.player_id) as subject,
  audit_log.before,
  audit_log.after,
  audit_log.request_id as "requestId"
from audit_log
left join players
  on players.shard = audit_log.shard
  and players.player_no = audit_log.player_no
where audit_log.merchant_id = $1
and audit_log.entry_no < $2
and ($4::text is null or audit_log.action = $4)
and ($5::text is null or audit_log.subject_kind = $5)
and ($6::text is null or audit_log.actor_id = $6)
order by audit_log.entry_no desc
limit $3`)
