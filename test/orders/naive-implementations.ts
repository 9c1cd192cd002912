// Naive implementations of shared transactions. Each has the bug that its test is about.
import { type Database, statement } from '../../src/db/database.ts'
import { type Grant, type GrantVerdict, withHashes } from '../../src/grants/grant.ts'
import { Refusal } from '../../src/refusals.ts'

export type Run = (orders: readonly Grant[]) => Promise<GrantVerdict[]>

type Waiting = {
  order: Grant
  resolve: (verdict: GrantVerdict) => void
  reject: (error: unknown) => void
}

/** Waits a fixed time for more commands before it sends a batch. */
export class TimedBatches {
  batchesSent = 0
  readonly #run: Run
  readonly #waitMs: number
  readonly #waiting: Waiting[] = []

  constructor(run: Run, waitMs: number) {
    this.#run = run
    this.#waitMs = waitMs
  }

  submit(order: Grant): Promise<GrantVerdict> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ order, resolve, reject }) > 1) return
      setTimeout(() => {
        this.batchesSent++
        void sendTogether(this.#waiting.splice(0), this.#run)
      }, this.#waitMs)
    })
  }
}

/** First come, first served, one batch after the other, and one limit for all merchants. */
export class FirstComeQueue {
  readonly #options: { run: Run; batchMax: number; queueMax: number }
  readonly #waiting: Waiting[] = []
  #isBusy = false

  constructor(options: { run: Run; batchMax: number; queueMax: number }) {
    this.#options = options
  }

  submit(order: Grant): Promise<GrantVerdict> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= this.#options.queueMax) reject(new Refusal('overloaded'))
      else this.#waiting.push({ order, resolve, reject })
      if (!this.#isBusy) setImmediate(() => void this.#work())
    })
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    while (this.#waiting.length > 0)
      await sendTogether(this.#waiting.splice(0, this.#options.batchMax), this.#options.run)
    this.#isBusy = false
  }
}

/** If one fails, all fail. */
async function sendTogether(batch: readonly Waiting[], run: Run): Promise<void> {
  try {
    const verdicts = await run(batch.map(({ order }) => order))
    for (const [index, { resolve }] of batch.entries()) resolve(verdicts[index] as GrantVerdict)
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}

export function naiveGrantValues(order: Grant): unknown[] {
  const { shard, merchantId, playerId, keyHash, key, amount } = withHashes(order)
  return [shard, merchantId, playerId, `\\x${keyHash}`, key, amount]
}

const newEntry = `
  insert into ledger_entries (
    shard, player_no, merchant_id, entry_no, kind, amount, balance_after, key_hash, key, created_at
  )
  select shard, player_no, merchant_id, entry_count + 1, 'grant', $6::int, balance + $6::int, $4::bytea, $5::text, '2026-11-15'`

const player = `shard = $1::int and merchant_id = $2::int and player_id = $3::text`

/** All in one statement: lock the player, look up the key, grant. */
export const lockCheckAndGrant = statement(`
with locked as (
  select *
  from players
  where ${player}
  for update
),
done as (
  select
  from ledger_entries
  where shard = $1
  and key_hash = $4
),
entered as (
  ${newEntry}
  from locked
  where not exists (select from done)
)
update players
set balance = players.balance + $6, entry_count = players.entry_count + 1
from locked
where players.player_no = locked.player_no
and not exists (select from done)`)

/** Inserts a grant, or reads the result of the existing one. */
export const insertOrReadAnswer = statement<{ balanceAfter: number }>(`
with entered as (
  ${newEntry}
  from players
  where ${player}
  on conflict do nothing
  returning balance_after
)
select balance_after as "balanceAfter"
from entered
union all
select balance_after
from ledger_entries
where shard = $1
and key_hash = $4`)

/** A simple transaction, one step after the other. */
export async function grantStepByStep(db: Database, order: Grant): Promise<void> {
  const [shard, merchantId, playerId, ...rest] = naiveGrantValues(order)
  await db.transaction(async (tx) => {
    await tx.query(statement(`select from players where ${player} for update`), [shard, merchantId, playerId])
    await tx.query(statement(`${newEntry} from players where ${player}`), [
      shard,
      merchantId,
      playerId,
      ...rest,
    ])
    const add = `update players set balance = balance + $4, entry_count = entry_count + 1 where ${player}`
    await tx.query(statement(add), [shard, merchantId, playerId, order.amount])
  })
}

const wantedPlayers = 'unnest($1::int[], $2::int[], $3::text[]) as wanted (shard, merchant_id, player_id)'
const isWanted = `
players.shard = wanted.shard
and players.merchant_id = wanted.merchant_id
and players.player_id = wanted.player_id`

/** Grants one spin each, in the order of the array. */
export const updatePlayers = `
update players
set balance = balance + 1
from ${wantedPlayers}
where ${isWanted}`

/** The same, apparently sorted: the order is lost in the join. */
export const updateSortedPlayers = `
with wanted as materialized (
  select *
  from ${wantedPlayers}
  order by shard, merchant_id, player_id
)
update players
set balance = balance + 1
from wanted
where ${isWanted}`

export const upsertPlayers = `
insert into players (shard, merchant_id, player_id, balance, created_at)
select shard, merchant_id, player_id, 1, '2026-11-15'
from ${wantedPlayers}
on conflict (shard, merchant_id, player_id) do update
set balance = players.balance + 1`

export const updatePrizes = statement(`
update prize_stocks
set given = given + 1
from unnest($1::int[], $2::int[], $3::text[]) as wanted (merchant_id, wheel_id, prize_id)
where prize_stocks.merchant_id = wanted.merchant_id
and prize_stocks.wheel_id = wanted.wheel_id
and prize_stocks.prize_id = wanted.prize_id`)

/** Looks up keys through an index with the same first column as the primary key. */
export const joinByShardFirst = statement<{ balanceAfter: number }>(`
select balance_after as "balanceAfter"
from unnest($1::int[], $2::bytea[]) as wanted (shard, key_hash)
join ledger_entries using (shard, key_hash)`)

/** Reads the players, and then joins them with the batch again. */
export const joinWithinBatch = statement(`
with wanted as materialized (
  select *
  from unnest($1::int[], $2::int[], $3::text[]) with ordinality as wanted (shard, merchant_id, player_id, place)
),
found as materialized (
  select players.*
  from wanted
  join players using (shard, merchant_id, player_id)
)
select place, balance
from wanted
join found using (shard, merchant_id, player_id)`)

/** Locks in the right order, and mistakes it for the order of the batch. */
export const addAndReturn = statement<{ balance: number }>(`
update players
set balance = balance + 1
from (
  select *
  from ${wantedPlayers}
  order by shard, merchant_id, player_id
) as wanted
where ${isWanted}
returning balance`)
