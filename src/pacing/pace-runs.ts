import { type Queryable, statement } from '../db/database.ts'
import type { RunEntry, RunState } from '../fairness/award-chain.ts'
import type { Clocked } from '../test-clock.ts'
import type { StockKey } from '../stock/prize-stocks.ts'

export type RunKey = StockKey & { run: number }

/** A run of a paced prize or of a budget, with what it has given. */
export type PaceRun = RunKey &
  RunState & {
    /** The version that began it. */
    version: number
    seedKeyId: string
    commitment: string
    entries: number
    createdAt: Date
    endsAt: Date
    /** When another version ended it early. */
    endedAt: Date | null
  }

/** A locked run, with the secret that its key is derived from. */
export type LockedRun = PaceRun & { secret: Buffer }

export type PaceEntry = RunKey & RunEntry & { entryNo: number }

/** All runs of a wheel, the newest of each prize first. */
export async function readRuns(
  db: Queryable,
  wheel: { merchantId: number; wheelId: number },
): Promise<PaceRun[]> {
  return db.query(ofWheel, [wheel.merchantId, wheel.wheelId])
}

export async function readRunsOfMerchant(db: Queryable, merchantId: number): Promise<PaceRun[]> {
  return db.query(ofMerchant, [merchantId])
}

/** With the clock of its merchant, for callers that know no merchant. */
export async function findRun(db: Queryable, commitment: string): Promise<(PaceRun & Clocked) | undefined> {
  const [run] = await db.query(byCommitment, [commitment])
  return run
}

/** Locks runs for a play, always in the same order, after the players and before the stocks. */
export async function lockRuns(tx: Queryable, keys: readonly RunKey[]): Promise<LockedRun[]> {
  return tx.query(lock, keyColumns(keys))
}

export async function insertRuns(tx: Queryable, runs: readonly PaceRun[]): Promise<void> {
  await tx.query(insert, [
    ...keyColumns(runs),
    runs.map((run) => run.version),
    runs.map((run) => run.seedKeyId),
    runs.map((run) => run.commitment),
    runs.map((run) => run.head),
    runs.map((run) => run.createdAt),
    runs.map((run) => run.endsAt),
  ])
}

/** Ends runs that a new version does not carry on. */
export async function endRuns(tx: Queryable, keys: readonly RunKey[], now: Date): Promise<void> {
  await tx.query(end, [...keyColumns(keys), now])
}

/** Stores what locked runs gave or got back. */
export async function updateRuns(tx: Queryable, runs: readonly PaceRun[]): Promise<void> {
  await tx.query(update, [
    ...keyColumns(runs),
    runs.map((run) => run.awards),
    runs.map((run) => run.returned),
    runs.map((run) => run.entries),
    runs.map((run) => run.head),
  ])
}

export async function insertRunEntries(tx: Queryable, entries: readonly PaceEntry[]): Promise<void> {
  await tx.query(insertEntries, [
    ...keyColumns(entries),
    entries.map((entry) => entry.entryNo),
    entries.map((entry) => entry.kind),
    entries.map((entry) => entry.unit),
    entries.map((entry) => new Date(entry.at)),
    entries.map((entry) => entry.play),
  ])
}

/** The entries of a run after the one numbered `after`, in order. */
export async function readRunEntries(
  db: Queryable,
  key: RunKey,
  page: { after: number; limit: number },
): Promise<(RunEntry & { entryNo: number })[]> {
  const { merchantId, wheelId, prizeId, run } = key
  const rows = await db.query(entriesAfter, [merchantId, wheelId, prizeId, run, page.after, page.limit])
  return rows.map(({ at, ...entry }) => ({ ...entry, at: at.getTime() }))
}

/** How many units of a run were given, and how many of them came back. */
export type Given = { awards: number; returned: number }

/** What a run had given by each of these times, which are not part of the time counted. */
export async function readGivenBy(
  db: Queryable,
  { merchantId, wheelId, prizeId, run }: RunKey,
  times: readonly Date[],
): Promise<Given[]> {
  return db.query(givenBy, [merchantId, wheelId, prizeId, run, times])
}

function keyColumns(keys: readonly RunKey[]): [number[], number[], string[], number[]] {
  return [
    keys.map((key) => key.merchantId),
    keys.map((key) => key.wheelId),
    keys.map((key) => key.prizeId),
    keys.map((key) => key.run),
  ]
}

const runColumns = `
  pace_runs.merchant_id as "merchantId",
  pace_runs.wheel_id as "wheelId",
  pace_runs.prize_id as "prizeId",
  pace_runs.run,
  pace_runs.version,
  pace_runs.seed_key_id as "seedKeyId",
  pace_runs.commitment,
  pace_runs.awards,
  pace_runs.returned,
  pace_runs.entries,
  pace_runs.head,
  pace_runs.created_at as "createdAt",
  pace_runs.ends_at as "endsAt",
  pace_runs.ended_at as "endedAt"`

const ofWheel = statement<PaceRun>(`
select ${runColumns}
from pace_runs
where merchant_id = $1
and wheel_id = $2
order by prize_id, run desc`)

const ofMerchant = statement<PaceRun>(`
select ${runColumns}
from pace_runs
where merchant_id = $1
order by wheel_id, prize_id, run`)

const byCommitment = statement<PaceRun & Clocked>(`
select ${runColumns}, clock_ahead_ms as "clockAheadMs"
from pace_runs
join merchants using (merchant_id)
where commitment = $1`)

const lock = statement<LockedRun>(`
select ${runColumns}, signing_keys.secret
from unnest($1::int[], $2::int[], $3::text[], $4::int[]) as wanted (merchant_id, wheel_id, prize_id, run)
join pace_runs using (merchant_id, wheel_id, prize_id, run)
join signing_keys on signing_keys.key_id = pace_runs.seed_key_id
order by pace_runs.merchant_id, pace_runs.wheel_id, pace_runs.prize_id, pace_runs.run
for update of pace_runs`)

const insert = statement(`
insert into pace_runs (
  merchant_id, wheel_id, prize_id, run, version, seed_key_id, commitment, head, created_at, ends_at
)
select *
from unnest(
  $1::int[], $2::int[], $3::text[], $4::int[], $5::int[], $6::text[], $7::text[], $8::text[], $9::timestamptz[],
  $10::timestamptz[]
)`)

const end = statement(`
update pace_runs
set ended_at = coalesce(ended_at, $5)
from unnest($1::int[], $2::int[], $3::text[], $4::int[]) as old (merchant_id, wheel_id, prize_id, run)
where pace_runs.merchant_id = old.merchant_id
and pace_runs.wheel_id = old.wheel_id
and pace_runs.prize_id = old.prize_id
and pace_runs.run = old.run`)

const update = statement(`
update pace_runs
set
  awards = new.awards,
  returned = new.returned,
  entries = new.entries,
  head = new.head
from unnest($1::int[], $2::int[], $3::text[], $4::int[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[])
  as new (merchant_id, wheel_id, prize_id, run, awards, returned, entries, head)
where pace_runs.merchant_id = new.merchant_id
and pace_runs.wheel_id = new.wheel_id
and pace_runs.prize_id = new.prize_id
and pace_runs.run = new.run`)

const insertEntries = statement(`
insert into pace_entries (merchant_id, wheel_id, prize_id, run, entry_no, kind, unit, at, play)
select *
from unnest(
  $1::int[], $2::int[], $3::text[], $4::int[], $5::bigint[], $6::text[], $7::bigint[], $8::timestamptz[], $9::text[]
)`)

const entriesAfter = statement<Omit<PaceEntry, keyof RunKey | 'at'> & { at: Date }>(`
select entry_no as "entryNo", kind, unit, at, play
from pace_entries
where merchant_id = $1
and wheel_id = $2
and prize_id = $3
and run = $4
and entry_no > $5
order by entry_no
limit $6`)

const givenBy = statement<Given>(`
select given.awards, given.returned
from unnest($5::timestamptz[]) with ordinality as steps (at, place)
cross join lateral (
  select
    coalesce(max(unit) filter (where kind = 'award'), 0) as awards,
    coalesce(max(unit) filter (where kind = 'return'), 0) as returned
  from pace_entries
  where merchant_id = $1
  and wheel_id = $2
  and prize_id = $3
  and run = $4
  and pace_entries.at < steps.at
) as given
order by place`)
