import { type Connection, statement } from '../db/database.ts'
import { insertPages, type NewEvent, pageColumns, type PageAddresses } from '../events/event-pages.ts'
import type { PlayerKey } from '../players/ledger.ts'

/**
 * Writes the events of links, in one statement that is its own transaction. Returns the numbers of their players in the
 * order given. Undefined if one of them is missing, is blocked or has expired spins: then nothing is written, and a
 * transaction gives the reason.
 *
 * The players are locked when the pages get their numbers, as in a transaction. PostgreSQL reads a row again after it
 * has waited for its lock.
 */
export async function linkAtOnce(
  connection: Connection,
  players: readonly PlayerKey[],
  { events, addresses, now }: { events: readonly NewEvent[]; addresses: PageAddresses; now: Date },
): Promise<number[] | undefined> {
  const [found] = await connection.commitOne(link, [
    now,
    players.map((player) => player.shard),
    players.map((player) => player.merchantId),
    players.map((player) => player.playerId),
    ...pageColumns(events, addresses).map((column, index) => (index === bodiesAt ? linesOf(column) : column)),
  ])
  const numbers = found?.numbers?.split(',') ?? []
  return numbers.length === players.length ? numbers.map(Number) : undefined
}

/** Bodies as lines: in an array, and again in a text for a worker, each of their quotes would be escaped. */
const bodiesAt = 4
const linesOf = (bodies: unknown) => (bodies as string[]).join('\n')
const fromLines = (parameter: string) => `string_to_array(${parameter}, e'\\n')`

// Players are locked in the order of `wanted`; see `lockPlayers`.
export const link = statement<{ numbers: string | null }>(
  `
with locked as materialized (
  select wanted.place, own.player_no
  from (
    select *
    from unnest($2::int[], $3::int[], $4::text[]) with ordinality as wanted (shard, merchant_id, player_id, place)
    order by shard, merchant_id, player_id collate "C"
  ) as wanted
  cross join lateral (
    select player_no
    from players
    where players.shard = wanted.shard
    and players.merchant_id = wanted.merchant_id
    and players.player_id = wanted.player_id
    and blocked_at is null
    and (next_expiry is null or next_expiry > $1::timestamptz)
    for update
  ) as own
),
told as (${insertPages(5, '(select count(*) from locked) = cardinality($2::int[])', fromLines)}
)
select string_agg(player_no::text, ',' order by place) as numbers
from locked`,
  [2, 4],
)
