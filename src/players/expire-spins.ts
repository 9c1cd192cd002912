import { type Database, type Queryable, statement } from '../db/database.ts'
import type { NewEvent } from '../events/event-pages.ts'
import { spinExpiryPlayersMax, spinExpirySweepMs } from '../limits.ts'
import { type ExpirySweep, insertSweeps, lockNextSweep, moveSweep } from './expiry-sweeps.ts'
import { enter, type LedgerEntry, type LockedPlayer, lockPlayers, writeEntries } from './ledger.ts'
import { shardValues } from './shard.ts'

const dayMs = 86_400_000

/**
 * Searches the next players for expired spins and writes entry, balance and event for them, all or nothing. Returns 'done'
 * when there is nothing to search now. Any number of processes may call it.
 */
export async function expireNextSpins(db: Database, now: Date): Promise<'more' | 'done'> {
  return db.transaction(async (tx) => {
    await insertSweeps(tx, now)
    const sweep = await lockNextSweep(tx, new Date(now.getTime() - spinExpirySweepMs))
    if (sweep === undefined) return 'done'
    const { candidates, place } = await findCandidates(tx, sweep, now)
    const { entries, players, events } = await expire(tx, candidates, { ...sweep, now })
    const isOver = place.shardPlace === shardValues.length
    await tx.commitWith([
      writeEntries(tx, { entries, players, events, now }),
      moveSweep(tx, { ...sweep, ...place, finishedAt: isOver ? now : null }),
    ])
    return 'more'
  })
}

type Candidate = { shard: number; merchantId: number; playerId: string }
type Place = Pick<ExpirySweep, 'shardPlace' | 'afterPlayerId'>

/** The next players whose spins may have expired, judged by their rows, and the position of the search. */
async function findCandidates(
  tx: Queryable,
  { merchantId, spinLifetimeDays, shardPlace, afterPlayerId }: ExpirySweep,
  now: Date,
): Promise<{ candidates: Candidate[]; place: Place }> {
  const lastDay = Math.floor(now.getTime() / dayMs) - spinLifetimeDays
  const candidates: Candidate[] = []
  const place = { shardPlace, afterPlayerId }
  let left = spinExpiryPlayersMax
  while (left > 0 && place.shardPlace < shardValues.length) {
    const shard = shardValues[place.shardPlace] as number
    const page = await tx.query(readPlayers, [shard, merchantId, place.afterPlayerId, lastDay, left])
    for (const { playerId, mayExpire } of page)
      if (mayExpire) candidates.push({ shard, merchantId, playerId })
    if (page.length === left) place.afterPlayerId = page.at(-1)?.playerId ?? ''
    else Object.assign(place, { shardPlace: place.shardPlace + 1, afterPlayerId: '' })
    left -= page.length
  }
  return { candidates, place }
}

async function expire(
  tx: Queryable,
  candidates: readonly Candidate[],
  { spinLifetimeDays, now }: { spinLifetimeDays: number; now: Date },
): Promise<ExpiredSpins> {
  if (candidates.length === 0) return { entries: [], players: [], events: [] }
  const players = await lockPlayers(tx, candidates)
  // In a separate statement after the lock, so that a grant in between is seen.
  const lastGrants = await tx.query(readLastGrants, [
    players.map((player) => player.shard),
    players.map((player) => player.playerNo),
  ])
  return decideExpiry(players, { lastGrants, spinLifetimeDays, now })
}

/** When a player last got spins, in any way. `place` counts the players from 1. */
type LastGrant = { place: number; entryNo: number; createdAt: Date }

type ExpiredSpins = { entries: LedgerEntry[]; players: LockedPlayer[]; events: NewEvent[] }

/**
 * The rule: the whole balance expires so many days after the player last got spins. The key contains that last time, so
 * the expiry happens exactly once.
 */
export function decideExpiry(
  players: readonly LockedPlayer[],
  state: { lastGrants: readonly LastGrant[]; spinLifetimeDays: number; now: Date },
): ExpiredSpins {
  const lastGrants = new Map(state.lastGrants.map((grant) => [grant.place, grant]))
  const grantedBefore = state.now.getTime() - state.spinLifetimeDays * dayMs
  const expired: ExpiredSpins = { entries: [], players: [], events: [] }
  for (const [index, locked] of players.entries()) {
    const last = lastGrants.get(index + 1)
    if (last === undefined || locked.balance === 0 || last.createdAt.getTime() > grantedBefore) continue
    const player = { ...locked }
    const change = { kind: 'expiry', amount: -player.balance, key: `after-${last.entryNo}` } as const
    expired.entries.push(enter(player, { ...change, reason: null }))
    expired.players.push(player)
    expired.events.push(spinsExpired(locked, state.now))
  }
  return expired
}

function spinsExpired(player: LockedPlayer, at: Date): NewEvent<'spins.expired'> {
  const { merchantId, shard, playerId, balance } = player
  const data = { playerId, amount: balance, oldBalance: balance, newBalance: 0 }
  return { merchantId, shard, type: 'spins.expired', at, data }
}

// `granted_day` is the day of the last grant, not of won spins, so every player found here is checked again.
const readPlayers = statement<{ playerId: string; mayExpire: boolean }>(`
select player_id as "playerId", balance > 0 and granted_day <= $4::int as "mayExpire"
from players
where shard = $1
and merchant_id = $2
and player_id > $3
order by player_id
limit $5`)

const readLastGrants = statement<LastGrant>(`
select wanted.place, last.entry_no as "entryNo", last.created_at as "createdAt"
from unnest($1::int[], $2::bigint[]) with ordinality as wanted (shard, player_no, place)
cross join lateral (
  (
    select entry_no, created_at
    from ledger_entries
    where ledger_entries.shard = wanted.shard
    and ledger_entries.player_no = wanted.player_no
    and amount > 0
    order by entry_no desc
    limit 1
  )
  union all
  select grant_no, granted_at
  from archived_players
  where archived_players.shard = wanted.shard
  and archived_players.player_no = wanted.player_no
  and grant_no is not null
  order by entry_no desc
  limit 1
) as last`)
