import { type Queryable, statement } from '../db/database.ts'
import {
  causeOfHold,
  checkHoursDefault,
  type HoldCause,
  type HoldFacts,
  playsOfDayCountedMax,
} from '../prize-kinds/hold-rule.ts'
import type { WheelSegment } from '../wheel-document/wheel-document.ts'
import type { PlayResult } from './play-types.ts'

type PlayKey = { shard: number; playerNo: number; playNo: number }

/** A prize that staff check, or have checked, before the player gets it. */
export type PrizeHold = PlayKey & {
  merchantId: number
  heldAt: Date
  dueAt: Date
  cause: HoldCause
  /** From a pool. The play itself has none. */
  code: string | null
  decision: 'released' | 'refused' | null
  decidedAt: Date | null
  /** The end of the claim period, which begins with the release. */
  claimBefore: Date | null
}

/**
 * Holds those prizes that the rules of their wheel tell to hold, and takes the claim period from their plays. Plays
 * that win a prize with a rule cost a query, the same one for all of them; others cost nothing.
 */
export async function holdPrizes(
  tx: Queryable,
  results: readonly PlayResult[],
  now: Date,
): Promise<Map<PlayResult, PrizeHold>> {
  const ruled = results.filter((result) => ruleOf(result) !== undefined)
  if (ruled.length === 0) return new Map()
  const found = await tx.query(readFacts, [
    ruled.map(({ play }) => play.shard),
    ruled.map(({ play }) => play.playerNo),
    ruled.map(({ play }) => play.playNo - playsOfDayCountedMax),
    new Date(now.getTime() - 86_400_000),
  ])
  const facts = new Map(found.map((one) => [one.playerNo, one]))
  return new Map(ruled.flatMap((result) => holdOf(result, facts.get(result.play.playerNo), now)))
}

function ruleOf({ drawnPlay, play }: PlayResult) {
  return play.won ? segmentOf(drawnPlay.order.wheel.document.segments, play.segment).hold : undefined
}

function segmentOf(segments: readonly WheelSegment[], index: number): WheelSegment {
  return segments[index] as WheelSegment
}

function holdOf(result: PlayResult, before: HoldFacts | undefined, now: Date): [PlayResult, PrizeHold][] {
  const { drawnPlay, play } = result
  const { hold: rule, cost = 0 } = segmentOf(drawnPlay.order.wheel.document.segments, play.segment)
  if (rule === undefined || before === undefined) throw new Error(`play ${play.playId} has no player or rule`)
  const facts = {
    ...before,
    winsOfDay: before.winsOfDay + 1,
    costOfDay: before.costOfDay + cost,
  }
  const cause = causeOfHold(rule, facts, now)
  if (cause === undefined) return []
  const dueAt = new Date(now.getTime() + (rule.checkHours ?? checkHoursDefault) * 3_600_000)
  play.claimBefore = null
  play.holdState = 'held'
  play.heldUntil = dueAt
  const { shard, playerNo, playNo, merchantId } = play
  const open = { code: null, decision: null, decidedAt: null, claimBefore: null }
  return [[result, { shard, playerNo, playNo, merchantId, heldAt: now, dueAt, cause, ...open }]]
}

/** Moves the codes of held prizes from their plays. */
export function keepCodes(holds: ReadonlyMap<PlayResult, PrizeHold>): void {
  for (const [{ play }, hold] of holds) {
    hold.code = play.code
    play.code = null
  }
}

export async function insertHolds(tx: Queryable, holds: readonly PrizeHold[]): Promise<void> {
  await tx.query(insert, [
    ...keyColumns(holds),
    holds.map((hold) => hold.merchantId),
    holds.map((hold) => hold.heldAt),
    holds.map((hold) => hold.dueAt),
    holds.map((hold) => hold.cause),
    holds.map((hold) => hold.code),
  ])
}

/** The hold of each play that has one. Read under the player's lock, they can't change meanwhile. */
export async function readHolds(tx: Queryable, plays: readonly PlayKey[]): Promise<PrizeHold[]> {
  return tx.query(read, keyColumns(plays))
}

/** Records the decision about a prize that is held. The player is locked. */
export async function recordDecision(tx: Queryable, hold: PrizeHold): Promise<void> {
  const { shard, playerNo, playNo, decision, decidedAt, claimBefore, code } = hold
  await tx.query(decide, [shard, playerNo, playNo, decision, decidedAt, claimBefore, code])
}

/** How many prizes of live merchants are held for longer than their players were told. */
export async function countOverdueHolds(db: Queryable, now: Date): Promise<number> {
  const [found] = await db.query(countOverdue, [now])
  return found?.count ?? 0
}

function keyColumns(plays: readonly PlayKey[]): [number[], number[], number[]] {
  return [
    plays.map((play) => play.shard),
    plays.map((play) => play.playerNo),
    plays.map((play) => play.playNo),
  ]
}

const countOverdue = statement<{ count: number }>(`
select count(*)::int as count
from prize_holds
join merchants using (merchant_id)
where decision is null
and due_at < $1
and clock_ahead_ms is null`)

// The last plays of the player only: somebody who plays all day long must not make its own plays slow.
const readFacts = statement<HoldFacts & { playerNo: number }>(
  `
select wanted.player_no as "playerNo", player.created_at as "playerSince", wins as "winsOfDay", cost as "costOfDay"
from unnest($1::int[], $2::bigint[], $3::int[]) as wanted (shard, player_no, after)
cross join lateral (
  select created_at
  from players
  where players.player_no = wanted.player_no
  and players.shard + 0 = wanted.shard
  offset 0
) as player
cross join lateral (
  select count(*)::int as wins, coalesce(sum(cost), 0)::double precision as cost
  from plays
  join version_segments
    on version_segments.wheel_id = plays.wheel_id
    and version_segments.version = plays.wheel_version
    and version_segments.segment = plays.segment
  where plays.shard = wanted.shard
  and plays.player_no = wanted.player_no
  and plays.play_no > wanted.after
  and plays.created_at > $4::timestamptz
  and plays.won
  and version_segments.kind <> 'spins'
) as day`,
  [1, 3],
)

const insert = statement(
  `
insert into prize_holds (shard, player_no, play_no, merchant_id, held_at, due_at, cause, code)
select *
from unnest(
  $1::int[], $2::bigint[], $3::int[], $4::int[], $5::timestamptz[], $6::timestamptz[], $7::text[], $8::text[]
)`,
  [1, 8],
)

const read = statement<PrizeHold>(
  `
select
  shard,
  player_no as "playerNo",
  play_no as "playNo",
  merchant_id as "merchantId",
  held_at as "heldAt",
  due_at as "dueAt",
  cause,
  code,
  decision,
  decided_at as "decidedAt",
  claim_before as "claimBefore"
from unnest($1::int[], $2::bigint[], $3::int[]) as wanted (shard, player_no, play_no)
join prize_holds using (shard, player_no, play_no)`,
  [1, 3],
)

const decide = statement(`
update prize_holds
set
  decision = $4,
  decided_at = $5,
  claim_before = $6,
  code = $7
where shard = $1
and player_no = $2
and play_no = $3
and decision is null`)
