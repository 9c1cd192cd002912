import { type Queryable, statement } from '../db/database.ts'

export type StockKey = { merchantId: number; wheelId: number; prizeId: string }

/** The stock of a limited prize and how much was given out. `dayGiven` counts the day `day`. */
export type PrizeStock = StockKey & { stock: number | null; given: number; day: number; dayGiven: number }

export async function readStocks(
  db: Queryable,
  wheel: { merchantId: number; wheelId: number },
): Promise<PrizeStock[]> {
  return db.query(read, [wheel.merchantId, wheel.wheelId])
}

/** Stores the limits of a version that is being published. The counts of given prizes stay. */
export async function setStocks(
  tx: Queryable,
  wheel: { merchantId: number; wheelId: number },
  segments: readonly { id: string; stock?: number; stockPerDay?: number }[],
): Promise<void> {
  const limited = segments.filter(isLimited).toSorted((one, other) => (one.id < other.id ? -1 : 1))
  await tx.query(upsert, [
    wheel.merchantId,
    wheel.wheelId,
    limited.map(({ id }) => id),
    limited.map(({ stock }) => stock ?? null),
  ])
}

export function isLimited(segment: { stock?: number; stockPerDay?: number }): boolean {
  return segment.stock !== undefined || segment.stockPerDay !== undefined
}

/** Locks stocks for a play, always in the same order, after the players and before the pools. */
export async function lockStocks(tx: Queryable, keys: readonly StockKey[]): Promise<PrizeStock[]> {
  return tx.query(lock, keyColumns(keys))
}

export async function updateStocks(tx: Queryable, stocks: readonly PrizeStock[]): Promise<void> {
  await tx.query(update, [
    ...keyColumns(stocks),
    stocks.map((stock) => stock.given),
    stocks.map((stock) => stock.day),
    stocks.map((stock) => stock.dayGiven),
  ])
}

function keyColumns(keys: readonly StockKey[]): [number[], number[], string[]] {
  return [keys.map((key) => key.merchantId), keys.map((key) => key.wheelId), keys.map((key) => key.prizeId)]
}

const stockColumns = `
  prize_stocks.merchant_id as "merchantId",
  prize_stocks.wheel_id as "wheelId",
  prize_stocks.prize_id as "prizeId",
  prize_stocks.stock,
  prize_stocks.given,
  prize_stocks.day,
  prize_stocks.day_given as "dayGiven"`

const read = statement<PrizeStock>(`
select ${stockColumns}
from prize_stocks
where merchant_id = $1
and wheel_id = $2
order by prize_id`)

const upsert = statement(`
insert into prize_stocks (merchant_id, wheel_id, prize_id, stock)
select $1, $2, prize_id, stock
from unnest($3::text[], $4::int[]) as limited (prize_id, stock)
order by prize_id collate "C"
on conflict (merchant_id, wheel_id, prize_id) do update
set stock = greatest(excluded.stock, case when excluded.stock is null then null else prize_stocks.given end)`)

const lock = statement<PrizeStock>(`
select ${stockColumns}
from unnest($1::int[], $2::int[], $3::text[]) as wanted (merchant_id, wheel_id, prize_id)
join prize_stocks using (merchant_id, wheel_id, prize_id)
order by prize_stocks.merchant_id, prize_stocks.wheel_id, prize_stocks.prize_id
for update of prize_stocks`)

const update = statement(`
update prize_stocks
set given = new.given, day = new.day, day_given = new.day_given
from unnest($1::int[], $2::int[], $3::text[], $4::int[], $5::int[], $6::int[])
  as new (merchant_id, wheel_id, prize_id, given, day, day_given)
where prize_stocks.merchant_id = new.merchant_id
and prize_stocks.wheel_id = new.wheel_id
and prize_stocks.prize_id = new.prize_id`)
