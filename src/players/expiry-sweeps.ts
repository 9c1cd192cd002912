import { type Queryable, statement } from '../db/database.ts'
import type { Clocked } from '../test-clock.ts'

/**
 * The search of one merchant's players for expired spins. It walks along the primary key in small steps, from the first
 * player to the last, and starts again some time after it has finished.
 */
export type ExpirySweep = Clocked & {
  merchantId: number
  spinLifetimeDays: number
  /** The index of the current shard, and the last player that was checked in it. */
  shardPlace: number
  afterPlayerId: string
}

/** Merchants whose spins expire have a sweep. */
export async function insertSweeps(tx: Queryable, now: Date): Promise<void> {
  await tx.query(insertMissing, [now])
}

/**
 * Locks a sweep that is running, or restarts one that finished before `finishedBefore`, by the merchant's clock. Sweeps
 * locked by another process are skipped. `merchantId` is null for any merchant.
 */
export async function lockNextSweep(
  tx: Queryable,
  { finishedBefore, merchantId }: { finishedBefore: Date; merchantId: number | null },
): Promise<ExpirySweep | undefined> {
  const [sweep] = await tx.query(lockNext, [finishedBefore, merchantId])
  return sweep
}

/** Lets a merchant's sweep start again with the first player. */
export async function restartSweep(db: Queryable, merchantId: number): Promise<void> {
  await db.query(restart, [merchantId])
}

export async function isSweeping(db: Queryable, merchantId: number): Promise<boolean> {
  return (await db.query(findRunning, [merchantId])).length > 0
}

/** Records the position of a sweep. `finishedAt` is set at its end. */
export async function moveSweep(
  tx: Queryable,
  sweep: Pick<ExpirySweep, 'merchantId' | 'shardPlace' | 'afterPlayerId'> & { finishedAt: Date | null },
): Promise<void> {
  await tx.query(move, [sweep.merchantId, sweep.shardPlace, sweep.afterPlayerId, sweep.finishedAt])
}

const insertMissing = statement(`
insert into spin_expiry_sweeps (merchant_id, started_at)
select merchant_id, $1::timestamptz
from merchants
where spin_lifetime_days is not null
and not exists (
  select from spin_expiry_sweeps
  where spin_expiry_sweeps.merchant_id = merchants.merchant_id
)
order by merchant_id
on conflict do nothing`)

const lockNext = statement<ExpirySweep>(`
select
  merchant_id as "merchantId",
  spin_lifetime_days as "spinLifetimeDays",
  case when finished_at is null then shard_place else 0 end as "shardPlace",
  case when finished_at is null then after_player_id else '' end as "afterPlayerId",
  clock_ahead_ms as "clockAheadMs"
from spin_expiry_sweeps
join merchants using (merchant_id)
where spin_lifetime_days is not null
and (finished_at is null or finished_at <= $1::timestamptz + coalesce(clock_ahead_ms, 0) * interval '1 millisecond')
and ($2::int is null or merchant_id = $2)
and replaced_at is null
order by merchant_id
limit 1
for update of spin_expiry_sweeps skip locked`)

const restart = statement(`
update spin_expiry_sweeps
set shard_place = 0, after_player_id = '', finished_at = null
where merchant_id = $1`)

const findRunning = statement(`
select
from spin_expiry_sweeps
join merchants using (merchant_id)
where merchant_id = $1
and finished_at is null
and spin_lifetime_days is not null`)

const move = statement(`
update spin_expiry_sweeps
set shard_place = $2, after_player_id = $3, finished_at = $4
where merchant_id = $1`)
