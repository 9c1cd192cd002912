import { type Queryable, statement } from '../db/database.ts'

/** The state of a prize. `held`, `won` and `claimed` are open; the others are final. */
export const prizeStates = ['held', 'won', 'claimed', 'redeemed', 'cancelled', 'expired', 'refused'] as const
export type PrizeState = (typeof prizeStates)[number]

export type PlayKey = { shard: number; playerNo: number; playNo: number }

/** A change of a prize's state. */
export type Settlement = PlayKey & {
  merchantId: number
  /** Counts up. Odd steps put the prize into the state `claimed`, even ones end it. */
  step: number
  state: Exclude<PrizeState, 'held' | 'won'>
  wonAt: Date
  settledAt: Date
  stockReturned: boolean
  actor: string
  key: string
  reason: string | null
}

/** Redeemed, cancelled, expired or refused. A redemption may still be reversed. */
export function isFinal(settlement: Pick<Settlement, 'step'>): boolean {
  return settlement.step % 2 === 0
}

/** The settlements of a play's prize, oldest first. Read under the player's lock, they can't change meanwhile. */
export async function readSettlements(tx: Queryable, plays: readonly PlayKey[]): Promise<Settlement[]> {
  return tx.query(read, playColumnsOf(plays))
}

export async function insertSettlements(tx: Queryable, settlements: readonly Settlement[]): Promise<void> {
  await tx.query(insert, [
    ...playColumnsOf(settlements),
    settlements.map((one) => one.merchantId),
    settlements.map((one) => one.step),
    settlements.map((one) => one.state),
    settlements.map((one) => one.wonAt),
    settlements.map((one) => one.settledAt),
    settlements.map((one) => one.stockReturned),
    settlements.map((one) => one.actor),
    settlements.map((one) => one.key),
    settlements.map((one) => one.reason),
  ])
}

function playColumnsOf(plays: readonly PlayKey[]): [number[], number[], number[]] {
  return [
    plays.map((play) => play.shard),
    plays.map((play) => play.playerNo),
    plays.map((play) => play.playNo),
  ]
}

const read = statement<Settlement>(
  `
select
  shard,
  player_no as "playerNo",
  play_no as "playNo",
  merchant_id as "merchantId",
  step,
  state,
  won_at as "wonAt",
  settled_at as "settledAt",
  stock_returned as "stockReturned",
  actor,
  key,
  reason
from unnest($1::int[], $2::bigint[], $3::int[]) as wanted (shard, player_no, play_no)
join prize_settlements using (shard, player_no, play_no)
order by step`,
  [1, 3],
)

const insert = statement(
  `
insert into prize_settlements (
  shard, player_no, play_no, merchant_id, step, state, won_at, settled_at, stock_returned, actor, key, reason
)
select *
from unnest(
  $1::int[], $2::bigint[], $3::int[], $4::int[], $5::smallint[], $6::text[], $7::timestamptz[], $8::timestamptz[],
  $9::boolean[], $10::text[], $11::text[], $12::text[]
)`,
  [1, 12],
)
