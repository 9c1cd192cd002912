import { type Connection, statement } from '../db/database.ts'
import { DatabaseFailure } from '../db/database-fault.ts'
import { bytesArray } from '../db/parameters.ts'
import { insertShapedPages } from '../events/event-pages.ts'
import { type EventShape, shapedPages, shapeOf } from '../events/page-body.ts'
import { lowStockShare } from '../limits.ts'
import { isLimited } from '../stock/prize-stocks.ts'
import type { CurrentWheel } from '../wheels/published-wheels.ts'
import { localDay } from '../wheel-document/schedule.ts'
import { eventsOfPlay } from './play-events.ts'
import { stockName } from './draw-plays.ts'
import type { PlayResult } from './play-types.ts'

/**
 * Carries out foreseen plays, each of a different player, in one statement that is its own transaction. Returns the new
 * balances in the order given, and undefined for a play whose player is not as expected; `playInTransaction` then gives
 * the reason. If a play id was used before, or a stock is low, no play is carried out at all.
 *
 * The statement's snapshot is older than its locks. That is harmless: PostgreSQL reads the rows that it changes
 * (players and stocks) again after waiting for them, and the unique index, which ignores snapshots, refuses a used id.
 * Of the state of the link, which no play locks, it sees what was committed before it began.
 */
export async function playAtOnce(
  connection: Pick<Connection, 'commitOne'>,
  results: readonly PlayResult[],
  now: Date,
): Promise<(number | undefined)[]> {
  return orNone(results, async () => {
    const values = [now, ...columnsOf(results, now), ...stockColumnsOf(results, now)]
    const [done] = await connection.commitOne(playMany, values)
    return balancesOf(results, done)
  })
}

/** A used play id or a low stock: no play is carried out. */
export async function orNone(
  results: readonly PlayResult[],
  work: () => Promise<(number | undefined)[]>,
): Promise<(number | undefined)[]> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DatabaseFailure && error.violatesConstraint)) throw error
    return results.map(() => undefined)
  }
}

/** The new balances, in the order of the plays. */
export function balancesOf(results: readonly PlayResult[], done: Done | undefined): (number | undefined)[] {
  const balances: (number | undefined)[] = results.map(() => undefined)
  for (const pair of done?.balances?.split(',') ?? []) {
    const colon = pair.indexOf(':')
    balances[Number(pair.slice(0, colon)) - 1] = Number(pair.slice(colon + 1))
  }
  return balances
}

type Done = { balances: string | null }

export function columnsOf(results: readonly PlayResult[], now: Date): unknown[] {
  const plays = results.map(({ play }) => play)
  const orders = results.map(({ drawnPlay }) => drawnPlay.order)
  const changes = results.map((result) => ({
    merchantId: result.play.merchantId,
    shape: shapeOfPlay(result, now),
    own: ownFields(result),
  }))
  const pages = shapedPages(changes, now)
  return [
    pages.ids,
    pages.heads.join('\n'),
    plays.map((play) => play.shard),
    plays.map((play) => play.merchantId),
    orders.map((order) => order.playerId),
    plays.map((play) => play.playerNo),
    plays.map((play) => play.playNo),
    orders.map((order) => order.link.linkId),
    orders.map((order) => order.link.issuedAt),
    plays.map((play) => play.playId),
    bytesArray(orders.map((order) => order.playerSeed)),
    plays.map((play) => play.seedKeyId),
    plays.map((play) => play.wheelId),
    plays.map((play) => play.wheelVersion),
    plays.map((play) => play.segment),
    plays.map((play) => play.won),
    plays.map((play) => play.claimBefore),
    pages.rows.join('\n'),
    changes.map(({ shape }) => shape.eventCount),
    pages.pageNos,
  ]
}

function stockColumnsOf(results: readonly PlayResult[], now: Date): unknown[] {
  const { all, placeOf } = stocksOf(results, now)
  return [placeOf, ...columnsOfStocks(all)]
}

export function columnsOfStocks(stocks: ReturnType<typeof stocksOf>['all']): unknown[] {
  return [
    stocks.map((stock) => stock.merchantId),
    stocks.map((stock) => stock.wheelId),
    stocks.map((stock) => stock.prizeId),
    stocks.map((stock) => stock.today),
    stocks.map((stock) => stock.perDay),
  ]
}

/** The fields that differ between plays. */
const ownNames = new Set(['playerId', 'playId', 'playNo', 'claimBefore', 'oldBalance', 'newBalance'])
const shapesOf = new WeakMap<CurrentWheel, EventShape[]>()

/** Plays in one statement that end on the same segment of a wheel have the same shape. */
function shapeOfPlay(result: PlayResult, now: Date): EventShape {
  const { wheel } = result.drawnPlay.order
  let shapes = shapesOf.get(wheel)
  if (shapes === undefined) shapesOf.set(wheel, (shapes = []))
  return (shapes[result.play.segment] ??= shapeOf(eventsOfPlay(result, now), ownNames))
}

/** Up to the two balances, which only the database knows. */
function ownFields({ drawnPlay: { order }, play }: PlayResult): string {
  const claim = play.claimBefore === null ? '' : `,"claimBefore":"${play.claimBefore.toISOString()}"`
  const name = JSON.stringify(order.playerId)
  return `{"playerId":${name},"playId":"${play.playId}","playNo":${play.playNo}${claim},"oldBalance":`
}

/** The stocks that the plays take from, in lock order, and the place of each play's stock among them, from 1. */
export function stocksOf(results: readonly PlayResult[], now: Date) {
  const named = results.map(({ drawnPlay: { order, segment } }) => {
    if (!isLimited(segment)) return undefined
    const { merchantId, wheel } = order
    return { merchantId, wheelId: wheel.wheelId, prizeId: segment.id, order, perDay: segment.stockPerDay }
  })
  const distinct = new Map(named.flatMap((stock) => (stock === undefined ? [] : [[stockName(stock), stock]])))
  const all = [...distinct.entries()]
    .toSorted(([, one], [, other]) => compare(one, other))
    .map(([name, { order, ...stock }]) => ({ ...stock, name, today: localDay(order.wheel.document, now) }))
  const places = new Map(all.map(({ name }, index) => [name, index + 1]))
  return { all, placeOf: named.map((stock) => stock && places.get(stockName(stock))) }
}

type StockPlace = { merchantId: number; wheelId: number; prizeId: string }

function compare(one: StockPlace, other: StockPlace): number {
  const byNumber = one.merchantId - other.merchantId || one.wheelId - other.wheelId
  return byNumber === 0 ? (one.prizeId < other.prizeId ? -1 : 1) : byNumber
}

const rowText = `event_row || balance + 1 || ',"newBalance":' || balance || '}]'`
const givenToday = 'case when today > day then 0 else day_given end'

/**
 * Players, and then stocks, are updated in the order of the subqueries, which is the lock order everywhere; grantMany
 * in src/grants/grant-at-once.ts explains `any`, and `+ 0` hides another index. Everything else is made from the
 * updated players. If a stock has too few units left, `given` becomes null; its column refuses that, which undoes the
 * whole statement. The other conditions are those of `playInTransaction`; test/plays/play-rules.test.ts compares the
 * two.
 */
function playing({ stockPlaces, stockPlace, counted }: typeof withStocks): string {
  return `
with changed as (
  update players
  set
    balance = balance - 1,
    entry_count = entry_count + 1,
    play_count = play_no
  from (
    select *
    from unnest(
      $4::int[], $5::int[], $6::text[], $7::bigint[], $8::int[], $9::text[], $10::timestamptz[], $11::uuid[], $12::bytea[],
      $13::text[], $14::int[], $15::int[], $16::smallint[], $17::boolean[], $18::timestamptz[],
      string_to_array($19, e'\\n'), $20::int[], $21::int[]${stockPlaces}
    ) with ordinality as wanted (
      shard, merchant_id, player_id, player_no, play_no, link_id, issued_at, play_id, player_seed, seed_key_id,
      wheel_id, wheel_version, segment, won, claim_before, event_row, event_count, page${stockPlace}, place
    )
    where (
      select true
      from revoked_links
      where revoked_links.merchant_id = wanted.merchant_id
      and revoked_links.link_id = wanted.link_id
    ) is null
    and (
      select suspended_at is null and (links_valid_from is null or links_valid_from <= wanted.issued_at)
      from merchants
      where merchants.merchant_id = wanted.merchant_id
    )
    order by shard, merchant_id, player_id collate "C"
  ) as wanted
  where players.shard = any (array[wanted.shard])
  and players.merchant_id = wanted.merchant_id
  and players.player_id = wanted.player_id
  and players.player_no + 0 = wanted.player_no
  and play_count = play_no - 1
  and balance >= 1
  and blocked_at is null
  and next_expiry is null
  and (links_valid_from is null or links_valid_from <= issued_at)
  returning wanted.*, entry_count as entry_no, balance
),
${counted}entered as (
  insert into ledger_entries (
    shard, player_no, merchant_id, entry_no, kind, amount, balance_after, key, created_at
  )
  select shard, player_no, merchant_id, entry_no, 'play', -1, balance, play_no::text, $1::timestamptz
  from changed
),
played as (
  insert into plays (
    shard, player_no, merchant_id, play_no, play_id, player_seed, seed_key_id, wheel_id, wheel_version, drawn, segment, won,
    claim_before, created_at
  )
  select
    shard, player_no, merchant_id, play_no, play_id, player_seed, seed_key_id, wheel_id, wheel_version, segment, segment, won,
    claim_before, $1::timestamptz
  from changed
),
logged as (${insertShapedPages(2, { row: rowText, eventCount: 'sum(event_count)' })}
)
select string_agg(place || ':' || balance, ',') as balances
from changed`
}

const countingUsed = (used: string) => `
  update prize_stocks
  set
    given = case
      when stock - given - units <= floor(stock * ${lowStockShare}::float8) then null
      when ${givenToday} + units > per_day then null
      else given + units
    end,
    day = greatest(day, today),
    day_given = ${givenToday} + units
  from (${used}
  ) as used
  where prize_stocks.merchant_id = any (array[used.merchant_id])
  and prize_stocks.wheel_id = used.wheel_id
  and prize_stocks.prize_id = used.prize_id`

const withStocks = {
  stockPlaces: ', $22::int[]',
  stockPlace: ', stock_place',
  counted: `counted as (${countingUsed(`
    select
      ($23::int[])[stock_place] as merchant_id,
      ($24::int[])[stock_place] as wheel_id,
      ($25::text[])[stock_place] as prize_id,
      ($26::int[])[stock_place] as today,
      ($27::int[])[stock_place] as per_day,
      count(*)::int as units
    from changed
    where stock_place is not null
    group by stock_place
    order by stock_place`)}
),
`,
}

export const playMany = statement<Done>(playing(withStocks))

/** Without stocks, which are on another machine of a cluster than the players. */
export const playUnlimited = statement<Done>(
  playing({ stockPlaces: '', stockPlace: '', counted: '' }),
  [4, 21],
)

/** Takes units from stocks. */
export const countUnits = statement(
  countingUsed(`
    select *
    from unnest($1::int[], $2::int[], $3::text[], $4::int[], $5::int[], $6::int[]) with ordinality
      as used (merchant_id, wheel_id, prize_id, today, per_day, units, place)
    order by place`),
)
