import { randomBytes } from 'node:crypto'
import { shardValues } from '../../src/players/shard.ts'
import type { Postgres } from '../scene/postgres.ts'

const playerCount = 20_000

/** Writes a busy month's plays of one merchant directly into the tables; through the API it would take hours. */
export async function fill(
  postgres: Postgres,
  database: string,
  options: { merchantId: number; wheelId: number; plays: number; seedKeyId: string },
): Promise<void> {
  const { merchantId, wheelId, plays, seedKeyId } = options
  const each = Math.ceil(plays / playerCount)
  const values = [merchantId, shardValues]
  await postgres.query(
    database,
    `insert into players (shard, merchant_id, player_id, created_at, balance, entry_count, play_count)
     select ($2::int[])[(get_byte(sha256(convert_to($1::int || ':p' || n, 'UTF8')), 0) & 63) + 1], $1::int, 'p' || n,
       now() - interval '30 days' + n * interval '2 minutes', 1000 - ${each}, ${each} + 1, ${each}
     from generate_series(1, ${playerCount}) as n`,
    values,
  )
  await postgres.query(
    database,
    `insert into ledger_entries (shard, player_no, merchant_id, entry_no, kind, amount, balance_after, key_hash, key, created_at)
     select shard, player_no, merchant_id, entry_no, case entry_no when 1 then 'grant' else 'play' end,
       case entry_no when 1 then 1000 else -1 end, 1001 - entry_no, decode(md5(player_no || ':' || entry_no), 'hex'),
       'k' || entry_no, now() - interval '30 days' + (entry_no * 30.0 / ${each + 2}) * interval '1 day'
     from generate_series(1, ${each + 1}) as entry_no
     cross join players
     where merchant_id = $1`,
    [merchantId],
  )
  // Times have milliseconds, like those of the server, because list cursors are no finer. Rows are in order of time, as
  // they would arrive. Every hundred plays share a time, like the plays of one batch.
  await postgres.query(
    database,
    `insert into plays (shard, player_no, merchant_id, play_no, play_id, player_seed, seed_key_id, wheel_id, wheel_version,
       drawn, segment, won, created_at, code, claim_before)
     select shard, player_no, merchant_id, play_no, gen_random_uuid(), $3::bytea, $4, $2, 1, segment, segment, segment < 2,
       at, case segment when 1 then 'CODE-' || player_no || '-' || play_no end,
       case segment when 0 then at + interval '2 days' end
     from generate_series(1, ${each}) as play_no
     cross join (select *, row_number() over () as place from players where merchant_id = $1) as player
     cross join lateral (
       select case when (place * 7 + play_no) % 10 = 0 then 0 when (place + play_no) % 10 = 1 then 1 else 2 end as segment,
         date_trunc('milliseconds', now() - interval '29 days' + ((play_no - 1) * ${playerCount} + place / 100 * 100) * (interval '29 days' / ${plays})) as at
     ) as chance
     order by at`,
    [merchantId, wheelId, randomBytes(32), seedKeyId],
  )
  // Autovacuum would do this after a while.
  await postgres.query(database, 'vacuum analyze')
}
