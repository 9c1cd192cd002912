import { allInOrder, type Database, type Queryable, statement } from '../db/database.ts'
import { movePosition, takePosition } from '../db/work-positions.ts'
import { insertEvents } from '../events/event-pages.ts'
import { prizesExpiredAtOnceMax } from '../limits.ts'
import { distinctPlayers, lockPlayers, playerName } from '../players/ledger.ts'
import { slugOf } from '../campaign-ref.ts'
import type { ListedPlay } from '../plays/play-lists.ts'
import { settledKindsSql } from './prize-kinds-sql.ts'
import { insertSettlements, readSettlements, type Settlement } from './prize-settlements.ts'
import { settlementEvent } from './settle-prizes.ts'

/** How far behind its position the work looks again, to find plays whose commit took that long. */
const overlapMs = 60 * 60 * 1000

/**
 * Expires prizes that were not claimed in time, and returns how many. If it returns `prizesExpiredAtOnceMax`, there may
 * be more. If several processes call it at once, one does the work and the others return 0.
 */
export async function expirePrizes(db: Database, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const position = await takePosition(tx, 'prizes', new Date(0))
    if (position === undefined) return 0
    const page = [new Date(position.getTime() - overlapMs), now, prizesExpiredAtOnceMax]
    const found = await allInOrder([tx.query(readDue, page), tx.query(readDueReleased, page)])
    const due = found.flat().toSorted((one, other) => one.claimBefore.getTime() - other.claimBefore.getTime())
    const next = due.slice(0, prizesExpiredAtOnceMax)
    const expired = next.length === 0 ? 0 : await expire(tx, next, now)
    const isAll = next.length < prizesExpiredAtOnceMax
    // The position stops before prizes that may still be claimed at this moment; they are checked again.
    await movePosition(tx, 'prizes', isAll ? now : (next.at(-1)?.claimBefore ?? now))
    return expired
  })
}

/** Expires all prizes of one merchant that are due at its time. */
export async function expirePrizesOf(db: Database, merchantId: number, now: Date): Promise<void> {
  for (;;) {
    const found = await db.transaction(async (tx) => {
      const page = [merchantId, now, prizesExpiredAtOnceMax]
      const due = (await allInOrder([tx.query(readDueOf, page), tx.query(readReleasedDueOf, page)])).flat()
      return due.length === 0 ? 0 : expire(tx, due, now)
    })
    if (found === 0) return
  }
}

type DuePrize = Pick<
  ListedPlay,
  | 'shard'
  | 'playerNo'
  | 'playNo'
  | 'merchantId'
  | 'playId'
  | 'playerId'
  | 'prizeId'
  | 'campaign'
  | 'createdAt'
> & { claimBefore: Date }

async function expire(tx: Queryable, due: readonly DuePrize[], now: Date): Promise<number> {
  const [players, steps] = await allInOrder([lockPlayers(tx, distinctPlayers(due)), readSettlements(tx, due)])
  const locked = new Set(players.map(playerName))
  const settled = new Set(steps.map(placeOf))
  // A prize that was settled, or whose player was erased, while we waited for the lock is skipped and found again
  // later.
  const open = due.filter((play) => locked.has(playerName(play)) && !settled.has(placeOf(play)))
  if (open.length === 0) return 0
  const settlements = open.map((play): Settlement => ({
    ...play,
    step: 2,
    state: 'expired',
    wonAt: play.createdAt,
    settledAt: now,
    stockReturned: false,
    actor: 'worker:prize-expiry',
    key: 'expiry',
    reason: null,
  }))
  await allInOrder([
    insertSettlements(tx, settlements),
    insertEvents(
      tx,
      settlements.map((settlement, index) => settlementEvent(settlement, open[index] as DuePrize)),
    ),
  ])
  return open.length
}

function placeOf(play: { shard: number; playerNo: number; playNo: number }): string {
  return `${play.shard}:${play.playerNo}:${play.playNo}`
}

const selectDue = (table: 'plays' | 'prize_holds') => `
select
  plays.shard,
  plays.player_no as "playerNo",
  plays.play_no as "playNo",
  plays.merchant_id as "merchantId",
  plays.play_id as "playId",
  players.player_id as "playerId",
  version_segments.prize_id as "prizeId",
  ${slugOf('plays.campaign_id')} as campaign,
  plays.created_at as "createdAt",
  ${table}.claim_before as "claimBefore"
from ${table === 'plays' ? 'plays' : 'prize_holds join plays using (shard, player_no, play_no)'}
join version_segments
  on version_segments.wheel_id = plays.wheel_id
  and version_segments.version = plays.wheel_version
  and version_segments.segment = plays.segment
join players
  on players.shard = plays.shard
  and players.player_no = plays.player_no
where ${table}.claim_before is not null
and plays.won
and version_segments.kind in (${settledKindsSql})
and not exists (
  select from prize_settlements
  where prize_settlements.shard = plays.shard
  and prize_settlements.player_no = plays.player_no
  and prize_settlements.play_no = plays.play_no
)`

const dueOfAll = (table: 'plays' | 'prize_holds') =>
  statement<DuePrize>(`
${selectDue(table)}
and ${table}.claim_before > $1
and ${table}.claim_before <= $2
order by ${table}.claim_before
limit $3`)

const dueOfMerchant = (table: 'plays' | 'prize_holds') =>
  statement<DuePrize>(`
${selectDue(table)}
and ${table}.merchant_id = $1
and ${table}.claim_before <= $2
order by ${table}.claim_before
limit $3`)

const readDue = dueOfAll('plays')
const readDueOf = dueOfMerchant('plays')
// The claim period of a prize that was held is not in its play.
const readDueReleased = dueOfAll('prize_holds')
const readReleasedDueOf = dueOfMerchant('prize_holds')
