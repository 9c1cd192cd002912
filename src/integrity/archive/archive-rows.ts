import assert from 'node:assert/strict'
import { type Database, type Queryable, statement } from '../../db/database.ts'
import type { ArchivedPart, Carried } from './archive-file.ts'
import { lockArchiving, withRights } from './archive-rights.ts'
import { carryOn, readCarried, writeCarried } from './carried.ts'
import { archivedEntries, archivedMarks, archivedPlays, partsGiven } from './part-sql.ts'

/**
 * Removes rows that are in a checked file, together with what marks them as removed. A part that was removed before is
 * left out, so an interrupted command can be repeated. Returns how many parts were removed.
 */
export async function removeParts(
  db: Database,
  merchantId: number,
  parts: readonly ArchivedPart[],
): Promise<number> {
  return db.transaction(async (tx) => {
    await lockArchiving(tx)
    await tx.query(lockPlayers, [parts.map((part) => part.player_no)])
    const bounds = parts.map(({ entries: _entries, plays: _plays, before: _before, ...part }) => part)
    const removed = await withRights(tx, () => tx.query(removeRows, [JSON.stringify(bounds)]))
    const gone = new Set(removed.map(({ part }) => part))
    const left = parts.filter((part) => gone.has(`${part.player_no}/${part.seal_no}`))
    const due = left.reduce((sum, part) => sum + part.entry_to - part.entry_from, 0)
    assert.equal(removed[0]?.entries ?? 0, due, 'entries are missing in the database')
    await writeCarried(tx, merchantId, afterParts(left, await readCarried(tx, left)))
    return left.length
  })
}

/** Puts rows of the merchant's newest file back, together with what the players carried forward before it. */
export async function putBack(
  tx: Queryable,
  merchantId: number,
  parts: readonly ArchivedPart[],
): Promise<void> {
  await tx.query(insertRows, [JSON.stringify(parts), merchantId])
  const before = parts.flatMap((part) => {
    const { shard, player_no, entry_from: entry_no, play_from: play_no } = part
    return part.before === null ? [] : [{ shard, player_no, entry_no, play_no, ...part.before }]
  })
  await writeCarried(tx, merchantId, before)
}

/** The state of each player after its last part. Parts are in the order of their seals. */
function afterParts(parts: readonly ArchivedPart[], before: ReadonlyMap<number, Carried>) {
  const states = new Map<number, ReturnType<typeof afterPart>>()
  for (const part of parts) {
    const state = states.get(part.player_no) ?? before.get(part.player_no)
    assert(state !== undefined)
    states.set(part.player_no, afterPart(part, state))
  }
  return [...states.values()]
}

function afterPart({ shard, player_no, entry_to, play_to, entries }: ArchivedPart, before: Carried) {
  return { shard, player_no, entry_no: entry_to, play_no: play_to, ...carryOn(before, entries) }
}

// In the lock order of every writer.
const lockPlayers = statement(`
select
from players
where player_no = any($1::bigint[])
order by shard, merchant_id, player_id
for update`)

// Prizes stay: they are still claimed, redeemed, listed, and found by their codes. A key is there already if an erased
// player came back under its name and got spins under the same key.
const removeRows = statement<{ part: string; entries: number }>(`
with gone as (
  delete from ledger_seal_parts
  using ${partsGiven}
  where ledger_seal_parts.shard = part.shard
  and ledger_seal_parts.player_no = part.player_no
  and ledger_seal_parts.seal_no = part.seal_no
  returning part.*
),
entered as (
  delete from ledger_entries
  using gone
  where ledger_entries.shard = gone.shard
  and ledger_entries.player_no = gone.player_no
  and ledger_entries.entry_no > gone.entry_from
  and ledger_entries.entry_no <= gone.entry_to
  returning ledger_entries.*
),
played as (
  delete from plays
  using gone
  where plays.shard = gone.shard
  and plays.player_no = gone.player_no
  and plays.play_no > gone.play_from
  and plays.play_no <= gone.play_to
  and not plays.won
  returning plays.shard, plays.player_no, plays.play_no
),
unmarked as (
  delete from forced_plays
  using played
  where forced_plays.shard = played.shard
  and forced_plays.player_no = played.player_no
  and forced_plays.play_no = played.play_no
),
keyed as (
  insert into archived_keys (shard, amount, balance_after, key_hash, expires_at, campaign_id)
  select shard, amount, balance_after, key_hash, expires_at, campaign_id
  from entered
  where key_hash is not null
  on conflict (key_hash, shard) do update
  set
    amount = excluded.amount,
    balance_after = excluded.balance_after,
    expires_at = excluded.expires_at,
    campaign_id = excluded.campaign_id
)
select player_no || '/' || seal_no as part, (select count(*)::int from entered) as entries
from gone`)

const insertRows = statement(`
with part as materialized (
  select *
  from ${partsGiven}
),
entered as (
  insert into ledger_entries
  select ledger_entries.*
  from part
  cross join lateral ${archivedEntries}
  returning shard, key_hash
),
played as (
  insert into plays
  select plays.*
  from part
  cross join lateral ${archivedPlays}
  where not won
),
marked as (
  insert into forced_plays (shard, player_no, play_no, merchant_id)
  select part.shard, part.player_no, play_no, $2
  from part
  cross join lateral ${archivedMarks}
  where forced
  and not won
),
unkeyed as (
  delete from archived_keys
  using entered
  where archived_keys.key_hash = entered.key_hash
  and archived_keys.shard = entered.shard
)
insert into ledger_seal_parts (shard, player_no, merchant_id, seal_no, entry_no, play_no, digest)
select shard, player_no, $2, seal_no, entry_to, play_to, digest
from part`)
