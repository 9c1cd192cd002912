import { slugOf } from '../campaign-ref.ts'
import { type Queryable, statement } from '../db/database.ts'
import type { LedgerEntry } from './ledger.ts'

/** What a player has collected last under a rule, and the streak. */
export type FreeSpinState = {
  /** The kind of the periods. Numbers of different kinds can't be compared. */
  kind: string
  period: number
  periodEndsAt: Date
  collectedAt: Date
  /** The time zone of the next period. */
  timeZone: string
  zoneChangedAt: Date | null
  streak: number
  bestStreak: number
}

/** A player in a campaign. */
export type FreeSpinKey = { shard: number; playerNo: number; campaignId: number }

export type StateRow = FreeSpinKey & FreeSpinState & { merchantId: number }

/** By what an entry was computed, for the audit. */
export type TermsRow = Pick<LedgerEntry, 'shard' | 'playerNo' | 'entryNo'> & {
  ruleSince: string | undefined
  streak: number | null
  timeZone: string
}

/** What players have collected last, in the order of the keys. Undefined for never. */
export async function readFreeSpinStates(
  db: Queryable,
  keys: readonly FreeSpinKey[],
): Promise<(FreeSpinState | undefined)[]> {
  const found = await db.query(read, columnsOf(keys))
  const states = new Map(found.map(({ place, ...state }) => [place, state]))
  return keys.map((_, index) => states.get(index + 1))
}

/** Writes what locked players have collected. */
export async function writeFreeSpinStates(tx: Queryable, rows: readonly StateRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.query(write, [
    ...columnsOf(rows),
    rows.map((row) => row.merchantId),
    rows.map((row) => row.kind),
    rows.map((row) => row.period),
    rows.map((row) => row.periodEndsAt),
    rows.map((row) => row.collectedAt),
    rows.map((row) => row.timeZone),
    rows.map((row) => row.zoneChangedAt),
    rows.map((row) => row.streak),
    rows.map((row) => row.bestStreak),
  ])
}

/** Writes by what entries were computed. */
export async function writeTerms(tx: Queryable, rows: readonly TermsRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.query(insertTerms, [
    rows.map((row) => row.shard),
    rows.map((row) => row.playerNo),
    rows.map((row) => row.entryNo),
    rows.map((row) => row.ruleSince),
    rows.map((row) => row.streak),
    rows.map((row) => row.timeZone),
  ])
}

/** The last period of a kind for which the ledger has free spins; undefined for none. */
export async function readLastPeriod(
  db: Queryable,
  { shard, playerNo, campaignId, kind }: FreeSpinKey & { kind: string },
): Promise<number | undefined> {
  const [found] = await db.query(readLast, [shard, playerNo, `free-${campaignId}.${kind}-`])
  return found === undefined ? undefined : Number(found.key.split('-').at(-1))
}

/** A player's streaks and time zones, by campaign. */
export async function listFreeSpinStates(
  db: Queryable,
  player: Omit<FreeSpinKey, 'campaignId'>,
): Promise<
  (Pick<FreeSpinState, 'collectedAt' | 'timeZone' | 'streak' | 'bestStreak'> & { campaign: string })[]
> {
  return db.query(list, [player.shard, player.playerNo])
}

/** Removes the time zones of an erased player, which could tell where the person lives. */
export async function forgetTimeZones(tx: Queryable, player: Omit<FreeSpinKey, 'campaignId'>): Promise<void> {
  await tx.query(resetZones, [player.shard, player.playerNo])
  await tx.query(removeZones, [player.shard, player.playerNo])
}

function columnsOf(keys: readonly FreeSpinKey[]): [number[], number[], number[]] {
  return [keys.map((key) => key.shard), keys.map((key) => key.playerNo), keys.map((key) => key.campaignId)]
}

const read = statement<FreeSpinState & { place: number }>(
  `
select wanted.place, found.*
from unnest($1::int[], $2::bigint[], $3::int[]) with ordinality as wanted (shard, player_no, campaign_id, place)
cross join lateral (
  select
    kind,
    period,
    period_ends_at as "periodEndsAt",
    collected_at as "collectedAt",
    time_zone as "timeZone",
    zone_changed_at as "zoneChangedAt",
    streak,
    best_streak as "bestStreak"
  from player_free_spins
  where player_free_spins.shard = wanted.shard
  and player_free_spins.player_no = wanted.player_no
  and player_free_spins.campaign_id = wanted.campaign_id
  offset 0
) as found`,
  [1, 3],
)

// A player's later entries of a kind are those of later periods.
const readLast = statement<{ key: string }>(`
select key
from ledger_entries
where shard = $1
and player_no = $2
and kind = 'free'
and starts_with(key, $3)
order by entry_no desc
limit 1`)

const write = statement(
  `
insert into player_free_spins (
  shard, player_no, campaign_id, merchant_id, kind, period, period_ends_at, collected_at, time_zone, zone_changed_at, streak,
  best_streak
)
select *
from unnest(
  $1::int[], $2::bigint[], $3::int[], $4::int[], $5::text[], $6::bigint[], $7::timestamptz[], $8::timestamptz[],
  $9::text[], $10::timestamptz[], $11::int[], $12::int[]
)
on conflict (shard, player_no, campaign_id) do update
set
  kind = excluded.kind,
  period = excluded.period,
  period_ends_at = excluded.period_ends_at,
  collected_at = excluded.collected_at,
  time_zone = excluded.time_zone,
  zone_changed_at = excluded.zone_changed_at,
  streak = excluded.streak,
  best_streak = excluded.best_streak`,
  [1, 12],
)

const insertTerms = statement(
  `
insert into free_spin_terms (shard, player_no, entry_no, rule_since, streak, time_zone)
select *
from unnest($1::int[], $2::bigint[], $3::int[], $4::timestamptz[], $5::int[], $6::text[])`,
  [1, 6],
)

const list = statement<FreeSpinState & { campaign: string }>(`
select
  ${slugOf('player_free_spins.campaign_id')} as campaign,
  collected_at as "collectedAt",
  time_zone as "timeZone",
  streak,
  best_streak as "bestStreak"
from player_free_spins
where shard = $1
and player_no = $2
order by 1`)

const resetZones = statement(`
update player_free_spins
set time_zone = 'UTC'
where shard = $1
and player_no = $2`)

const removeZones = statement(`
update free_spin_terms
set time_zone = null
where shard = $1
and player_no = $2`)
