import { randomBytes } from 'node:crypto'
import { shardValues } from '../../src/players/shard.ts'
import type { Postgres } from '../scene/postgres.ts'

const largeTables = ['players', 'ledger_entries', 'plays', 'prize_settlements']

type Size = { players: number; entriesEach: number; playsEach: number }
type Place = {
  database: string
  merchantId: number
  /** Plays take turns. The number is null for `main`. */
  campaigns: readonly { campaignId: number | null; wheelId: number }[]
  seedKeyId: string
}

/**
 * Writes a year of one merchant straight into the tables, in the order of time, as it would have come. Indexes are
 * built afterwards, which takes a third of the time.
 */
export async function fillLists(postgres: Postgres, place: Place, size: Size): Promise<void> {
  const { database, merchantId, campaigns, seedKeyId } = place
  const campaignIds = campaigns.map(({ campaignId }) => campaignId)
  const wheelIds = campaigns.map(({ wheelId }) => wheelId)
  const turn = (round: number) => `1 + (n + ${round}) % ${campaigns.length}`
  const { players, entriesEach, playsEach } = size
  const run = (text: string, values: unknown[] = []) => postgres.query(database, text, values)
  await run(`alter database ${database} set maintenance_work_mem = '1GB'`)
  // Tables are read in the order in which they were written.
  await run(`alter database ${database} set synchronize_seqscans = off`)
  for (const table of largeTables) await run(`alter table ${table} set unlogged`)
  const indexes = await dropIndexes(postgres, database)
  // The n-th player of round r acts at this time: rounds follow each other, and players within a round.
  const at = (round: string, rounds: number) =>
    `date_trunc('milliseconds', now() - interval '365 days' + interval '364.9 days' * (((${round} - 1) * ${players}::bigint + n) / ${rounds * players}.0))`
  const shard = `($2::int[])[(get_byte(sha256(convert_to($1::int || ':' || 'player-' || n, 'UTF8')), 0) & 63) + 1]`

  await run(
    `insert into players (player_no, shard, merchant_id, player_id, created_at, balance, entry_count, play_count, blocked_at)
     overriding system value
     select n, ${shard}, $1::int, 'player-' || n, ${at('1', entriesEach)}, ${entriesEach - 2 * playsEach}, ${entriesEach}, ${playsEach},
       case when n % 1000 = 0 then now() end
     from generate_series(1, ${players}) as n`,
    [merchantId, shardValues],
  )
  for (let round = 1; round <= entriesEach; round++)
    await run(
      `insert into ledger_entries (shard, player_no, merchant_id, entry_no, kind, amount, balance_after, key_hash, key, created_at, campaign_id, purse_id)
       select shard, n, $1, ${round}, ${
         round > entriesEach - playsEach
           ? `'play', -1, 1, null, '${round - entriesEach + playsEach}'`
           : `'grant', 1, 1, decode(md5(n || ':${round}'), 'hex'), 'k${round}'`
       }, ${at(String(round), entriesEach)}, campaign_id, campaign_id
       from (select shard, player_no as n from players where merchant_id = $1) as player
       cross join lateral (select ($2::int[])[${turn(round)}] as campaign_id) as turn`,
      [merchantId, campaignIds],
    )
  for (let round = 1; round <= playsEach; round++)
    await run(
      `insert into plays (shard, player_no, merchant_id, play_no, play_id, player_seed, seed_key_id, wheel_id, wheel_version,
         drawn, segment, won, created_at, code, fallback_reason, campaign_id)
       select shard, n, $1, ${round}, gen_random_uuid(), $2, $3, ($4::int[])[${turn(round)}], 1, drawn, segment,
         segment < 4, ${at(String(round), playsEach)}, case segment when 1 then 'CODE-' || n || '-${round}' end,
         case when drawn <> segment then 'out_of_stock' end, ($5::int[])[${turn(round)}]
       from (select shard, player_no as n, (player_no * 7919 + ${round} * 104729) % 100 as chance from players where merchant_id = $1) as player
       cross join lateral (
         select (case when chance < 10 then 0 when chance < 20 then 1 when chance < 22 then 2 when chance < 30 then 3 else 4 end)::smallint as drawn,
           (case when chance < 9 then 0 when chance < 20 then 1 when chance < 22 then 2 when chance < 30 then 3 else 4 end)::smallint as segment
       ) as draw`,
      [merchantId, randomBytes(32), seedKeyId, wheelIds, campaignIds],
    )
  await run(
    `insert into prize_settlements (shard, player_no, play_no, merchant_id, step, state, won_at, settled_at, actor, key)
     select shard, player_no, play_no, merchant_id, 2, case when player_no % 10 = 0 then 'cancelled' else 'redeemed' end, created_at,
       least(created_at + interval '1 day', now()), 'token:bench', 'k'
     from plays
     where merchant_id = $1
     and segment < 3
     and player_no % 3 > 0`,
    [merchantId],
  )
  await fillLogs(run, merchantId, players)
  for (const index of indexes) await run(index)
  await run('vacuum analyze')
}

/** The counts of the funnel and cohorts, with plausible figures. Counting every visit takes as long as the rest. */
export async function fillVisitCounts(postgres: Postgres, database: string): Promise<void> {
  await postgres.query(
    database,
    `insert into visit_days (merchant_id, day, campaign_id, wheel_id, opened, played, won, claimed, redeemed)
     select merchant_id, quarter::date, campaign_id, wheel_id, sum(plays), sum(plays) / 2, sum(plays) / 3, sum(plays) / 4, sum(plays) / 5
     from play_counts
     group by merchant_id, quarter::date, campaign_id, wheel_id
     order by merchant_id, quarter::date, campaign_id, wheel_id`,
  )
  await postgres.query(
    database,
    `insert into cohort_counts (merchant_id, campaign_id, wheel_id, first_week, week, players)
     select distinct merchant_id, campaign.id, wheel.id, first::date, later::date, 1000
     from (select merchant_id, campaign_id, wheel_id from play_counts group by merchant_id, campaign_id, wheel_id) as played
     cross join lateral (values (-1), (campaign_id)) as campaign (id)
     cross join lateral (values (0), (wheel_id)) as wheel (id)
     cross join generate_series(date_trunc('week', now()) - interval '53 weeks', now(), interval '1 week') as first
     cross join generate_series(first, now(), interval '1 week') as later`,
  )
  await postgres.query(database, `insert into work_positions (work, position) values ('visits', now())`)
}

/** A day of events, and an audit log. */
async function fillLogs(
  run: (text: string, values?: unknown[]) => Promise<unknown>,
  merchantId: number,
  players: number,
): Promise<void> {
  const pages = Math.ceil(players / 20)
  await run(
    `insert into event_pages (first_seq, created_at, shard, merchant_id, event_count, page_id, body)
     select (n - 1) * 20 + 1, now() - interval '1 day' + n * interval '1 day' / ${pages + 1}, 0, $1, 20, gen_random_uuid(),
       (select json_agg(json_build_array('play.completed', (extract(epoch from now()) * 1000)::bigint,
         json_strip_nulls(json_build_object('playerId', 'player-' || n * 20 + one, 'playId', gen_random_uuid(), 'won', false,
           'campaign', case when (n + one) % 2 = 0 then 'campaign-' || (n + one) % 50 end))))::text
        from generate_series(1, 20) as one)
     from generate_series(1, ${pages}) as n`,
    [merchantId],
  )
  await run(
    `insert into event_streams (merchant_id, next_seq) values ($1, $2)
     on conflict (merchant_id) do update set next_seq = excluded.next_seq`,
    [merchantId, pages * 20 + 1],
  )
  await run(
    `insert into audit_log (at, merchant_id, actor_kind, actor_id, actor_name, action, subject_kind, subject)
     select now() - n * interval '1 minute', $1, 'staff', 'person-' || n % 50 || '@example.com', 'Person ' || n % 50, 'prize.redeem',
       'prize', 'play-' || n
     from generate_series(${Math.ceil(players / 4)}, 1, -1) as n`,
    [merchantId],
  )
}

/** Drops the indexes of the large tables, and returns the statements that make them again. */
async function dropIndexes(postgres: Postgres, database: string): Promise<string[]> {
  const tables = largeTables.map((table) => `('${table}')`).join()
  const constraints = await postgres.query<{ drop: string; make: string }>(
    database,
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
     from pg_constraint
     where contype in ('p', 'u')
     and conrelid in (select name::regclass from (values ${tables}) as large (name))`,
  )
  for (const { drop } of constraints) await postgres.query(database, drop)
  const others = await postgres.query<{ drop: string; make: string }>(
    database,
    `select format('drop index %I', indexname) as drop, indexdef as make
     from pg_indexes
     where tablename in (select name from (values ${tables}) as large (name))`,
  )
  for (const { drop } of others) await postgres.query(database, drop)
  return [...constraints, ...others].map(({ make }) => make)
}
