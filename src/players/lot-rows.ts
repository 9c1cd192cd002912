import { slugOf } from '../campaign-ref.ts'
import { type Queryable, statement } from '../db/database.ts'
import { merchantTime, timeOf } from '../test-clock.ts'
import type { LockedPlayer, PlayerKey } from './ledger.ts'
import { shardValues } from './shard.ts'
import type { SpinLot } from './spin-lots.ts'

type PlayerNumber = { shard: number; playerNo: number }

/**
 * Reads the lots of locked players that have some, and the purses that these lots are in. Returns the campaigns that
 * the purses were made for.
 */
export async function readLots(
  tx: Queryable,
  players: readonly LockedPlayer[],
): Promise<ReadonlyMap<number, { slug: string }>> {
  const owners = players.filter((player) => player.nextExpiry !== null)
  if (owners.length === 0) return new Map()
  const found = await tx.query(readOfPlayers, numbersOf(owners))
  for (const player of owners) player.lots = []
  for (const { place, balance, grantedDay, slug: _, ...lot } of found) {
    const player = owners[place - 1] as LockedPlayer
    player.lots?.push(lot)
    if (lot.purseId === 0) continue
    player.purses ??= new Map()
    if (!player.purses.has(lot.purseId)) player.purses.set(lot.purseId, { balance, grantedDay })
  }
  return new Map(found.map(({ purseId, slug }) => [purseId, { slug }]))
}

/** Writes the lots of locked players that have changed. One without spins is deleted. */
export async function writeLots(tx: Queryable, players: readonly LockedPlayer[]): Promise<void> {
  const changed = players.flatMap(({ shard, playerNo, merchantId, lots }) =>
    (lots ?? []).filter((lot) => lot.isChanged).map((lot) => ({ ...lot, shard, playerNo, merchantId })),
  )
  if (changed.length === 0) return
  await tx.query(write, [
    changed.map((lot) => lot.shard),
    changed.map((lot) => lot.playerNo),
    changed.map((lot) => lot.merchantId),
    changed.map((lot) => lot.lotNo),
    changed.map((lot) => lot.purseId),
    changed.map((lot) => lot.amount),
    changed.map((lot) => lot.spinsLeft),
    changed.map((lot) => lot.expiresAt),
    changed.map((lot) => lot.dueAt),
    changed.map((lot) => lot.source),
  ])
}

/**
 * Players with lots that have expired or are to be announced. All of them have the same time: that of live merchants,
 * or of one test merchant. `merchantId` is null for any merchant.
 */
export async function findDuePlayers(
  db: Queryable,
  { realTime, merchantId, limit }: { realTime: Date; merchantId: number | null; limit: number },
): Promise<{ players: PlayerKey[]; now: Date }> {
  const found = await db.query(findDue, [realTime, limit, merchantId, shardValues])
  // A cluster finds as many in each shard.
  const due = found.slice(0, limit)
  const clock = due[0]?.clockAheadMs ?? null
  return {
    players: due.filter(({ clockAheadMs }) => clockAheadMs === clock),
    now: timeOf({ clockAheadMs: clock }, realTime),
  }
}

/** A lot that can still be used, as it is shown. `campaign` is the one that its purse was made for. */
export type ListedLot = Pick<SpinLot, 'lotNo' | 'purseId' | 'spinsLeft' | 'expiresAt' | 'source'> & {
  campaign: string
}

/** A player's lots in the order in which they are used, read without a lock. Expired ones are left out. */
export async function listLots(db: Queryable, player: PlayerNumber, now: Date): Promise<ListedLot[]> {
  return db.query(list, [player.shard, player.playerNo, now])
}

function numbersOf(players: readonly PlayerNumber[]): [number[], number[]] {
  return [players.map((player) => player.shard), players.map((player) => player.playerNo)]
}

/** The spins of a purse that can be used now: its balance without lots that have expired and are still in it. */
export function usableBalance(row: { purse: string; balance: string }, now: string): string {
  return `${row.balance} - case
    when players.next_expiry <= ${now} then (
      select coalesce(sum(spins_left), 0)::int
      from spin_lots
      where spin_lots.shard = players.shard
      and spin_lots.player_no = players.player_no
      and spin_lots.purse_id = ${row.purse}
      and spin_lots.expires_at <= ${now}
    )
    else 0
  end`
}

const lotColumns = `
    lot_no as "lotNo",
    purse_id as "purseId",
    amount,
    spins_left as "spinsLeft",
    expires_at as "expiresAt",
    due_at as "dueAt",
    source`

const readOfPlayers = statement<
  SpinLot & { place: number; slug: string; balance: number; grantedDay: number }
>(
  `
select wanted.place, own.*
from unnest($1::int[], $2::bigint[]) with ordinality as wanted (shard, player_no, place)
cross join lateral (
  select
    lots.*,
    purse.balance,
    purse.granted_day as "grantedDay",
    ${slugOf('lots."purseId"')} as slug
  from (
    select ${lotColumns}
    from spin_lots
    where spin_lots.shard = wanted.shard
    and spin_lots.player_no = wanted.player_no
    offset 0
  ) as lots
  left join lateral (
    select balance, granted_day
    from player_purses
    where player_purses.shard = wanted.shard
    and player_purses.player_no = wanted.player_no
    and player_purses.purse_id = lots."purseId"
    offset 0
  ) as purse on true
) as own`,
  [1, 2],
)

// The lots are found by their place in the table: no plan can turn this into a scan of all lots. Their player is
// locked, so nobody else changes them.
const write = statement(
  `
with given as (
  select *
  from unnest(
    $1::int[], $2::bigint[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[], $8::timestamptz[], $9::timestamptz[],
    $10::text[]
  ) as given (shard, player_no, merchant_id, lot_no, purse_id, amount, spins_left, expires_at, due_at, source)
),
gone as (
  delete from spin_lots
  where ctid = any (array(
    select found.place
    from given
    cross join lateral (
      select ctid as place
      from spin_lots
      where spin_lots.shard = given.shard
      and spin_lots.player_no = given.player_no
      and spin_lots.lot_no = given.lot_no
      offset 0
    ) as found
    where given.spins_left = 0
  ))
)
insert into spin_lots (
  shard, player_no, merchant_id, lot_no, purse_id, amount, spins_left, expires_at, due_at, source
)
select *
from given
where spins_left > 0
on conflict (shard, player_no, lot_no) do update
set
  spins_left = excluded.spins_left,
  due_at = excluded.due_at`,
  [1, 10],
)

// $4 names the shards, for a cluster; the condition on it only gives it a type.
const findDue = statement<PlayerKey & { clockAheadMs: number | null }>(
  `
select distinct
  players.shard,
  players.merchant_id as "merchantId",
  players.player_id as "playerId",
  clock_ahead_ms as "clockAheadMs"
from (
  select due.*, clock_ahead_ms
  from merchants
  cross join lateral (
    select shard, player_no
    from spin_lots
    where spin_lots.merchant_id = merchants.merchant_id
    and spin_lots.due_at <= ${merchantTime('$1')}
    order by spin_lots.due_at
    limit $2
  ) as due
  where ($3::int is null or merchants.merchant_id = $3)
  and replaced_at is null
  and $4::int[] is not null
  limit $2
) as due
cross join lateral (
  select shard, merchant_id, player_id
  from players
  where players.player_no = due.player_no
  and players.shard + 0 = due.shard
  offset 0
) as players`,
  [4, 4],
)

const list = statement<ListedLot>(`
select
  lot_no as "lotNo",
  spin_lots.purse_id as "purseId",
  spins_left as "spinsLeft",
  expires_at as "expiresAt",
  source,
  ${slugOf('spin_lots.purse_id')} as campaign
from spin_lots
where shard = $1
and player_no = $2
and expires_at > $3
order by expires_at, case source when 'free' then 0 when 'won' then 1 else 2 end, lot_no`)
