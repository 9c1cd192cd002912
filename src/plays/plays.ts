import { numberIn, storedNumber } from '../campaign-ref.ts'
import { type Queryable, statement } from '../db/database.ts'
import type { FallbackReason } from '../fairness/fallback-reasons.ts'
import type { Gate } from '../fairness/verify-gates.ts'

/** A play as it is stored. Everything else that the player sees is derived from the version and the seeds. */
export type PlayRow = {
  shard: number
  playerNo: number
  merchantId: number
  playNo: number
  playId: string
  playerSeed: Buffer
  seedKeyId: string
  wheelId: number
  wheelVersion: number
  drawn: number
  segment: number
  won: boolean
  fallbackReason: FallbackReason | null
  code: string | null
  claimBefore: Date | null
  createdAt: Date
  /** The gates that the play met on its way, if there were any. */
  gates: Gate[] | null
  campaignId: number
  /** Whether the outcome was forced, for a test merchant. */
  isForced?: boolean
  /** Whether staff check the prize before the player gets it; null or missing if they don't, or no longer. */
  holdState?: 'held' | 'refused' | null
  /** By when staff should decide. */
  heldUntil?: Date | null
}

/** Plays with these ids, of any player. Browsers choose the ids, so the caller must check the player. */
export async function readPlaysById(
  db: Queryable,
  keys: readonly { shard: number; playId: string }[],
): Promise<PlayRow[]> {
  return db.query(byId, [keys.map((key) => key.shard), keys.map((key) => key.playId)])
}

type PlayerInCampaign = { shard: number; playerNo: number; campaignId: number }

/** A player's winning plays of a campaign, newest first, among its last plays. */
export async function readWins(
  db: Queryable,
  player: PlayerInCampaign & { playCount: number },
  max: number,
): Promise<Win[]> {
  const after = player.playCount - playsSearchedMax
  return db.query(wins, [player.shard, player.playerNo, max, storedNumber(player.campaignId), after])
}

type SettledState = 'claimed' | 'redeemed' | 'cancelled' | 'expired' | 'refused'

/** A prize that a player has won. `state`: what became of it; null if nothing did. */
export type Win = PlayRow & { state: SettledState | null }

/** How far back wins are searched. An index of wins would cost every win. */
export const playsSearchedMax = 10_000

export async function readLastPlay(db: Queryable, player: PlayerInCampaign): Promise<PlayRow | undefined> {
  const [play] = await db.query(last, [player.shard, player.playerNo, storedNumber(player.campaignId)])
  return play
}

/** A page of a merchant's plays after a position, for an export. Archived plays are left out, even if still here. */
export async function readPlaysAfter(
  db: Queryable,
  merchantId: number,
  after: { playerNo: number; playNo: number },
  max: number,
): Promise<PlayRow[]> {
  return db.query(page, [merchantId, after.playerNo, after.playNo, max])
}

export async function insertPlays(tx: Queryable, plays: readonly PlayRow[]): Promise<void> {
  await tx.query(insert, [
    plays.map((play) => play.shard),
    plays.map((play) => play.playerNo),
    plays.map((play) => play.merchantId),
    plays.map((play) => play.playNo),
    plays.map((play) => play.playId),
    plays.map((play) => play.playerSeed),
    plays.map((play) => play.seedKeyId),
    plays.map((play) => play.wheelId),
    plays.map((play) => play.wheelVersion),
    plays.map((play) => play.drawn),
    plays.map((play) => play.segment),
    plays.map((play) => play.won),
    plays.map((play) => play.fallbackReason),
    plays.map((play) => play.code),
    plays.map((play) => play.claimBefore),
    plays.map((play) => play.createdAt),
    plays.map((play) => (play.gates === null ? null : JSON.stringify(play.gates))),
    plays.map((play) => storedNumber(play.campaignId)),
  ])
}

/** Marks plays as forced. The database refuses this for a live merchant. */
export async function insertForcedPlays(tx: Queryable, plays: readonly PlayRow[]): Promise<void> {
  await tx.query(insertForced, [
    plays.map((play) => play.shard),
    plays.map((play) => play.playerNo),
    plays.map((play) => play.playNo),
    plays.map((play) => play.merchantId),
  ])
}

/** How often locked players have won prizes that have a limit per player. */
export type PlayerPrize = { shard: number; playerNo: number; wheelId: number; prizeId: string; won: number }

export async function readPlayerPrizes(
  tx: Queryable,
  keys: readonly Omit<PlayerPrize, 'won'>[],
): Promise<PlayerPrize[]> {
  return tx.query(prizesOfPlayers, prizeColumns(keys))
}

export async function countPlayerPrizes(
  tx: Queryable,
  keys: readonly Omit<PlayerPrize, 'won'>[],
): Promise<void> {
  await tx.query(countPrizes, prizeColumns(keys))
}

function prizeColumns(keys: readonly Omit<PlayerPrize, 'won'>[]) {
  return [
    keys.map((key) => key.shard),
    keys.map((key) => key.playerNo),
    keys.map((key) => key.wheelId),
    keys.map((key) => key.prizeId),
  ]
}

/** A value of the hold of a row of `plays`; null without one. */
const ofHold = (value: string) => `
  case
    when plays.won then (
      select ${value}
      from prize_holds
      where prize_holds.shard = plays.shard
      and prize_holds.player_no = plays.player_no
      and prize_holds.play_no = plays.play_no
    )
  end`

/** The columns of a play, under the names of the type. Code and claim period of a held prize come with its release. */
export const playColumns = `
  plays.shard,
  plays.player_no as "playerNo",
  plays.merchant_id as "merchantId",
  plays.play_no as "playNo",
  plays.play_id as "playId",
  plays.player_seed as "playerSeed",
  plays.seed_key_id as "seedKeyId",
  plays.wheel_id as "wheelId",
  plays.wheel_version as "wheelVersion",
  plays.drawn,
  plays.segment,
  plays.won,
  plays.fallback_reason as "fallbackReason",
  coalesce(plays.code, ${ofHold(`case when decision = 'released' then prize_holds.code end`)}) as code,
  coalesce(plays.claim_before, ${ofHold('prize_holds.claim_before')}) as "claimBefore",
  plays.created_at as "createdAt",
  plays.gates,
  ${numberIn('plays.campaign_id')} as "campaignId",
  exists (
    select
    from forced_plays
    where forced_plays.shard = plays.shard
    and forced_plays.player_no = plays.player_no
    and forced_plays.play_no = plays.play_no
  ) as "isForced",
  ${ofHold(`nullif(coalesce(decision, 'held'), 'released')`)} as "holdState",
  ${ofHold('due_at')} as "heldUntil"`

// `+ 0` keeps the planner from any index that begins with the shard; `offset 0` keeps it from reading the whole table
// (see src/players/ledger.ts).
const byId = statement<PlayRow>(
  `
select found.*
from unnest($1::int[], $2::uuid[]) as wanted (shard, play_id)
cross join lateral (
  select ${playColumns}
  from plays
  where plays.play_id = wanted.play_id
  and plays.shard + 0 = wanted.shard
  offset 0
) as found`,
  [1, 2],
)

const wins = statement<Win>(`
select
  ${playColumns},
  (
    select state
    from prize_settlements
    where prize_settlements.shard = plays.shard
    and prize_settlements.player_no = plays.player_no
    and prize_settlements.play_no = plays.play_no
    order by step desc
    limit 1
  ) as state
from plays
where shard = $1
and player_no = $2
and play_no > $5
and won
and campaign_id is not distinct from $4::int
order by play_no desc
limit $3`)

const last = statement<PlayRow>(`
select ${playColumns}
from plays
where shard = $1
and player_no = $2
and campaign_id is not distinct from $3::int
order by play_no desc
limit 1`)

const page = statement<PlayRow>(`
select ${playColumns}
from plays
left join archived_players as archived using (shard, player_no)
where plays.merchant_id = $1
and (plays.player_no, plays.play_no) > ($2, $3)
and plays.play_no > coalesce(archived.play_no, 0)
order by plays.player_no, plays.play_no
limit $4`)

const insert = statement(
  `
insert into plays (
  shard, player_no, merchant_id, play_no, play_id, player_seed, seed_key_id, wheel_id, wheel_version, drawn, segment, won,
  fallback_reason, code, claim_before, created_at, gates, campaign_id
)
select *
from unnest(
  $1::int[], $2::bigint[], $3::int[], $4::int[], $5::uuid[], $6::bytea[], $7::text[], $8::int[], $9::int[], $10::smallint[],
  $11::smallint[], $12::boolean[], $13::text[], $14::text[], $15::timestamptz[], $16::timestamptz[],
  $17::jsonb[], $18::int[]
)`,
  [1, 18],
)

const insertForced = statement(
  `
insert into forced_plays (shard, player_no, play_no, merchant_id)
select *
from unnest($1::int[], $2::bigint[], $3::int[], $4::int[])`,
  [1, 4],
)

const prizesOfPlayers = statement<PlayerPrize>(
  `
select found.*
from unnest($1::int[], $2::bigint[], $3::int[], $4::text[]) as wanted (shard, player_no, wheel_id, prize_id)
cross join lateral (
  select shard, player_no as "playerNo", wheel_id as "wheelId", prize_id as "prizeId", won
  from player_prizes
  where player_prizes.shard = wanted.shard
  and player_prizes.player_no = wanted.player_no
  and player_prizes.wheel_id = wanted.wheel_id
  and player_prizes.prize_id = wanted.prize_id
  offset 0
) as found`,
  [1, 4],
)

const countPrizes = statement(
  `
insert into player_prizes (shard, player_no, wheel_id, prize_id, won)
select shard, player_no, wheel_id, prize_id, 1
from unnest($1::int[], $2::bigint[], $3::int[], $4::text[]) as given (shard, player_no, wheel_id, prize_id)
on conflict (shard, player_no, wheel_id, prize_id) do update
set won = player_prizes.won + 1`,
  [1, 4],
)
