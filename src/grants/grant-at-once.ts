import { mainCampaign } from '../campaign-ref.ts'
import { type Connection, statement } from '../db/database.ts'
import { DatabaseFailure } from '../db/database-fault.ts'
import { bytesArray } from '../db/parameters.ts'
import { insertShapedPage, insertShapedPages } from '../events/event-pages.ts'
import { shapedPages, shapeOf } from '../events/page-body.ts'
import { balanceMax } from '../limits.ts'
import { spinsGranted } from '../players/account-events.ts'
import type { KeyedGrant } from './grant.ts'
import { dayNumber } from '../players/ledger.ts'

/**
 * Carries out grants, each for a different player, in one statement that is its own transaction: half the round trips
 * and half the driver's time. Returns the new balances in the order given, and undefined for a grant that something
 * prevents; `decideGrants` then gives the reason. If the only obstacle to a grant is a used key, no grant is carried
 * out at all. Without `hasArchive`, grants to players with archived entries are left too.
 *
 * The statement's snapshot is older than its locks. That is harmless: PostgreSQL reads the rows that it changes again
 * after waiting for them, the transaction checks the rows that it leaves unchanged, and the unique index, which ignores
 * snapshots, refuses a key that was used before.
 */
export async function grantAtOnce(
  connection: Connection,
  grants: readonly KeyedGrant[],
  now: Date,
  hasArchive = false,
): Promise<(number | undefined)[]> {
  const balances: (number | undefined)[] = grants.map(() => undefined)
  const one = hasArchive ? grantOneArchived : grantOne
  const many = hasArchive ? grantManyArchived : grantMany
  const [sql, values] = grants.length === 1 ? [one, valuesOf] : [many, columnsOf]
  try {
    const [done] = await connection.commitOne(sql, [now, dayNumber(now), ...values(grants, now)])
    for (const pair of done?.balances?.split(',') ?? []) {
      const colon = pair.indexOf(':')
      balances[Number(pair.slice(0, colon)) - 1] = Number(pair.slice(colon + 1))
    }
  } catch (error) {
    if (!(error instanceof DatabaseFailure && error.isDuplicate)) throw error
  }
  return balances
}

function valuesOf([grant]: readonly KeyedGrant[], now: Date): unknown[] {
  const { shard, merchantId, playerId, amount, dailyMax, keyHash, key, reason } = grant as KeyedGrant
  const { ids, heads, rows } = pagesOf([grant as KeyedGrant], now)
  const hash = `\\x${keyHash}`
  return [ids[0], heads[0], shard, merchantId, playerId, amount, dailyMax, hash, key, reason, rows[0]]
}

function columnsOf(grants: readonly KeyedGrant[], now: Date): unknown[] {
  const { ids, heads, rows, pageNos } = pagesOf(grants, now)
  return [
    ids,
    heads.join('\n'),
    grants.map((grant) => grant.shard),
    grants.map((grant) => grant.merchantId),
    grants.map((grant) => grant.playerId),
    grants.map((grant) => grant.amount),
    grants.map((grant) => grant.dailyMax),
    bytesArray(grants.map((grant) => grant.keyHash)),
    grants.map((grant) => grant.key),
    grants.map((grant) => grant.reason),
    rows.join('\n'),
    pageNos,
  ]
}

/** Of all grants that are carried out at once: of `main`, by merchants' systems, of spins that never expire. */
const shape = shapeOf(
  [
    spinsGranted(
      {
        merchantId: 0,
        shard: 0,
        kind: 'grant',
        amount: 0,
        balanceAfter: 0,
        key: '',
        keyHash: null,
        reason: null,
      },
      { playerId: '', campaign: mainCampaign },
      new Date(0),
    ),
  ],
  new Set(['playerId', 'amount', 'idempotencyKey', 'reason', 'oldBalance', 'newBalance']),
)

function pagesOf(grants: readonly KeyedGrant[], now: Date) {
  return shapedPages(
    grants.map((grant) => ({ merchantId: grant.merchantId, shape, own: ownFields(grant) })),
    now,
  )
}

/** Up to its two balances, which only the database knows. */
function ownFields({ playerId, amount, key, madeKey, reason }: KeyedGrant): string {
  const given = madeKey === true ? '' : `,"idempotencyKey":${JSON.stringify(key)}`
  const why = reason === null ? '' : `,"reason":${JSON.stringify(reason)}`
  return `{"playerId":${JSON.stringify(playerId)},"amount":${amount}${given}${why},"oldBalance":`
}

const dayTotal = 'case when granted_day < $2::int then 0 else granted_day_total end + amount'
const rowText = `concat(event_row, balance - amount, ',"newBalance":', balance, '}]')`

/**
 * The inserted rows are made from the updated ones, so a player's row is locked when its page gets its number. The
 * conditions are those of `decideGrants`; test/grants/grant-rules.test.ts compares the two.
 */
function grantWanted(parts: {
  wanted: string
  sameShard: string
  pages: string
  balances: string
  unlessArchived: string
}) {
  return statement<{ balances: string | null }>(
    `
with changed as (
  update players
  set
    balance = balance + amount,
    entry_count = entry_count + 1,
    granted_day = greatest(granted_day, $2::int),
    granted_day_total = ${dayTotal}
  from (${parts.wanted}
  ) as wanted
  where ${parts.sameShard}
  and players.merchant_id = wanted.merchant_id
  and players.player_id = wanted.player_id
  and blocked_at is null
  and balance <= ${balanceMax} - amount
  and (day_max is null or ${dayTotal} <= day_max)
  and (next_expiry is null or next_expiry > $1::timestamptz)
  and (archived_entry_no is null${parts.unlessArchived})
  returning wanted.*, player_no, entry_count as entry_no, balance
),
entered as (
  insert into ledger_entries (
    shard, player_no, merchant_id, entry_no, kind, amount, balance_after, key_hash, key, reason, created_at
  )
  select shard, player_no, merchant_id, entry_no, 'grant', amount, balance, key_hash, key, reason, $1::timestamptz
  from changed
),
logged as (${parts.pages}
)
select ${parts.balances} as balances
from changed`,
    [5, 14],
  )
}

/**
 * A player with archived entries is granted spins if the key is not among its archived ones. Like every subquery, this
 * reads the statement's snapshot. Rows may have been archived after it, while the statement waited for the player; then
 * the two numbers differ. Without any archive in the database, this would only cost time.
 */
const withNewKey = `
    or (
      archived_entry_no = (
        select archived_entry_no
        from players as seen
        where seen.shard = wanted.shard
        and seen.merchant_id = wanted.merchant_id
        and seen.player_id = wanted.player_id
      )
      and (
        select true
        from archived_keys
        where archived_keys.key_hash = wanted.key_hash
        and archived_keys.shard = wanted.shard
      ) is null
    )`

const oneGrant = {
  wanted: `
    select
      $5::int as shard, $6::int as merchant_id, $7::text as player_id, $8::int as amount, $9::int as day_max,
      $10::bytea as key_hash, $11::text as key, $12::text as reason, $13::text as event_row`,
  sameShard: 'players.shard = wanted.shard',
  pages: insertShapedPage(3, rowText),
  balances: `concat('1:', balance)`,
}
export const grantOne = grantWanted({ ...oneGrant, unlessArchived: '' })
const grantOneArchived = grantWanted({ ...oneGrant, unlessArchived: withNewKey })

/**
 * Players are looked up in the order of `wanted`, which is the lock order everywhere. To start from the players
 * instead, in any other order, PostgreSQL would have to read all of them by an index. It considers that only if an
 * index has the order of the join, which `any` hides; and `enable_seqscan = off` forbids reading the table.
 */
const manyGrants = {
  wanted: `
    select *
    from unnest(
      $5::int[], $6::int[], $7::text[], $8::int[], $9::int[], $10::bytea[], $11::text[], $12::text[],
      string_to_array($13, e'\\n'), $14::int[]
    ) with ordinality as wanted (
      shard, merchant_id, player_id, amount, day_max, key_hash, key, reason, event_row, page, place
    )
    order by shard, merchant_id, player_id collate "C"`,
  sameShard: 'players.shard = any (array[wanted.shard])',
  pages: insertShapedPages(3, { row: rowText, eventCount: 'count(*)' }),
  balances: `string_agg(concat(place, ':', balance), ',')`,
}
export const grantMany = grantWanted({ ...manyGrants, unlessArchived: '' })
const grantManyArchived = grantWanted({ ...manyGrants, unlessArchived: withNewKey })
