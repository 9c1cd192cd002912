import { randomUUID } from 'node:crypto'
import { type Queryable, statement } from '../db/database.ts'

type Hashes = readonly { keyId: string; hash: Buffer }[]
type PlayerNumber = { shard: number; playerNo: number }
/** `all`: the address is dead. `marketing`: somebody has unsubscribed. */
export type SuppressionScope = 'all' | 'marketing'

/** Since when a merchant no longer mails an address, which is known by its hashes; undefined if it does. */
export async function readSuppressedAt(
  db: Queryable,
  merchantId: number,
  hashes: Hashes,
  scope: SuppressionScope,
): Promise<Date | undefined> {
  const columns = [hashes.map(({ keyId }) => keyId), hashes.map(({ hash }) => hash)]
  const [found] = await db.query(find, [merchantId, ...columns, scope])
  return found?.createdAt
}

/** A later one replaces an earlier one. */
export async function insertSuppressions(
  tx: Queryable,
  order: {
    merchantId: number
    hashes: Hashes
    scope: SuppressionScope
    reason: string
    now: Date
    /** Whose address it is; for staff. */
    player?: PlayerNumber | undefined
  },
): Promise<void> {
  const { merchantId, hashes, scope, reason, now, player } = order
  const columns = [hashes.map(({ keyId }) => keyId), hashes.map(({ hash }) => hash)]
  const of = [randomUUID(), player?.shard ?? null, player?.playerNo ?? null]
  await tx.query(insert, [merchantId, ...columns, scope, reason, now, ...of])
}

export type Suppression = {
  id: string
  createdAt: Date
  reason: string
  shard: number | null
  playerNo: number | null
  /** In hexadecimal, by all keys that it was stored with. */
  hashes: string[]
}

/** The addresses that a merchant does not mail at all, newest first. */
export async function listSuppressions(
  db: Queryable,
  merchantId: number,
  { before, beforeId, limit }: { before: Date; beforeId: string; limit: number },
): Promise<Suppression[]> {
  return db.query(list, [merchantId, before, beforeId, limit])
}

/** The address is mailed again. Returns whose it was; undefined if there is no such suppression. */
export async function deleteSuppression(
  tx: Queryable,
  merchantId: number,
  id: string,
): Promise<Pick<Suppression, 'shard' | 'playerNo'> | undefined> {
  return (await tx.query(remove, [merchantId, id]))[0]
}

/** A player is erased. The hashes stay, so that nobody mails the person again. */
export async function forgetSuppressedPlayer(
  tx: Queryable,
  { shard, playerNo }: PlayerNumber,
): Promise<void> {
  await tx.query(forget, [playerNo, shard])
}

const find = statement<{ createdAt: Date }>(`
select created_at as "createdAt"
from unnest($2::text[], $3::bytea[]) as wanted (key_id, hash)
join mail_suppressions
  on mail_suppressions.merchant_id = $1
  and mail_suppressions.key_id = wanted.key_id
  and mail_suppressions.hash = wanted.hash
  and scope = $4
order by created_at desc
limit 1`)

const insert = statement(`
insert into mail_suppressions (
  merchant_id, key_id, hash, scope, reason, created_at, suppression_id, shard, player_no
)
select $1, key_id, hash, $4, $5, $6, $7, $8, $9
from unnest($2::text[], $3::bytea[]) as given (key_id, hash)
order by key_id
on conflict (merchant_id, key_id, hash, scope) do update
set
  created_at = excluded.created_at,
  reason = excluded.reason,
  suppression_id = excluded.suppression_id,
  shard = excluded.shard,
  player_no = excluded.player_no`)

// A part of the hash names an older row, whose address only its key could tell.
const idOf = `coalesce(suppression_id, encode(substring(hash from 1 for 16), 'hex')::uuid)`

const list = statement<Suppression>(`
select
  ${idOf} as id,
  created_at as "createdAt",
  min(reason) as reason,
  min(shard) as shard,
  min(player_no) as "playerNo",
  array_agg(encode(hash, 'hex')) as hashes
from mail_suppressions
where merchant_id = $1
and scope = 'all'
and created_at <= $2
and (created_at, ${idOf}) < ($2::timestamptz, $3::uuid)
group by created_at, 1
order by created_at desc, 1 desc
limit $4`)

const remove = statement<Pick<Suppression, 'shard' | 'playerNo'>>(`
delete from mail_suppressions
where merchant_id = $1
and scope = 'all'
and ${idOf} = $2
returning shard, player_no as "playerNo"`)

const forget = statement(`
update mail_suppressions
set shard = null, player_no = null
where player_no = $1
and shard = $2`)
