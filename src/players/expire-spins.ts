import { setTimeout as sleep } from 'node:timers/promises'
import { allInOrder, type Database, type Queryable, statement } from '../db/database.ts'
import type { NewEvent } from '../events/event-pages.ts'
import { spinExpiryPlayersMax, spinExpirySweepMs } from '../limits.ts'
import { timeOf } from '../test-clock.ts'
import {
  type ExpirySweep,
  insertSweeps,
  isSweeping,
  lockNextSweep,
  moveSweep,
  restartSweep,
} from './expiry-sweeps.ts'
import { campaignOf } from './account-events.ts'
import {
  copyOf,
  enter,
  type LedgerEntry,
  type LockedPlayer,
  lockPlayers,
  type Purse,
  purseOf,
} from './ledger.ts'
import { writeEntries } from './write-entries.ts'
import { shardValues } from './shard.ts'

const dayMs = 86_400_000

/**
 * Searches the next players for expired spins and writes entry, balance and event for them, all or nothing. Returns 'done'
 * when there is nothing to search now. Any number of processes may call it.
 */
export async function expireNextSpins(
  db: Database,
  realTime: Date,
  merchantId: number | null = null,
): Promise<'more' | 'done'> {
  return db.transaction(async (tx) => {
    await insertSweeps(tx, realTime)
    const finishedBefore = new Date(realTime.getTime() - spinExpirySweepMs)
    const sweep = await lockNextSweep(tx, { finishedBefore, merchantId })
    if (sweep === undefined) return 'done'
    const now = timeOf(sweep, realTime)
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

/** Expires all spins of a merchant that are due. If another process does part of it, this waits. */
export async function expireSpinsOf(db: Database, merchantId: number, realTime: Date): Promise<void> {
  await restartSweep(db, merchantId)
  for (;;) {
    const next = await expireNextSpins(db, realTime, merchantId)
    if (next === 'more') continue
    if (!(await isSweeping(db, merchantId))) return
    await sleep(sweepWaitMs)
  }
}

const sweepWaitMs = 20

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
  const of = [players.map((player) => player.shard), players.map((player) => player.playerNo)]
  // In separate statements after the lock, so that a grant in between is seen.
  const [purses, lastGrants] = await allInOrder([tx.query(readAllPurses, of), tx.query(readLastGrants, of)])
  for (const { place, purseId, balance, grantedDay } of purses) {
    const player = players[place - 1] as LockedPlayer
    player.purses ??= new Map()
    player.purses.set(purseId, { balance, grantedDay })
  }
  const names = new Map(purses.map(({ purseId, slug }) => [purseId, { slug }]))
  return decideExpiry(players, { lastGrants, names, spinLifetimeDays, now })
}

/** When a purse of a player last got spins, in any way. `place` counts the players from 1. */
type LastGrant = { place: number; purseId: number; entryNo: number; createdAt: Date }

type ExpiredSpins = { entries: LedgerEntry[]; players: LockedPlayer[]; events: NewEvent[] }

/**
 * The rule: the whole balance of a purse expires so many days after the purse last got spins. The key contains that last
 * time, so the expiry happens exactly once.
 */
export function decideExpiry(
  players: readonly LockedPlayer[],
  state: {
    lastGrants: readonly LastGrant[]
    /** The campaigns that purses were made for. */
    names: ReadonlyMap<number, { slug: string }>
    spinLifetimeDays: number
    now: Date
  },
): ExpiredSpins {
  const lastGrants = new Map(state.lastGrants.map((grant) => [`${grant.place}:${grant.purseId}`, grant]))
  const grantedBefore = state.now.getTime() - state.spinLifetimeDays * dayMs
  const expired: ExpiredSpins = { entries: [], players: [], events: [] }
  for (const [index, locked] of players.entries()) {
    const player = copyOf(locked)
    const entries = [0, ...(player.purses?.keys() ?? [])].flatMap((purseId) => {
      const last = lastGrants.get(`${index + 1}:${purseId}`)
      const campaign = purseId === 0 ? undefined : { campaignId: purseId, purseId }
      const { balance } = purseOf(player, campaign)
      if (last === undefined || balance === 0 || last.createdAt.getTime() > grantedBefore) return []
      const change = { kind: 'expiry', amount: -balance, key: `after-${last.entryNo}`, campaign } as const
      expired.events.push(spinsExpired(player, { balance, campaign: state.names.get(purseId) }, state.now))
      return [enter(player, { ...change, reason: null })]
    })
    expired.entries.push(...entries)
    if (entries.length > 0) expired.players.push(player)
  }
  return expired
}

function spinsExpired(
  player: LockedPlayer,
  { balance, campaign }: { balance: number; campaign: { slug: string } | undefined },
  at: Date,
): NewEvent<'spins.expired'> {
  const { merchantId, shard, playerId } = player
  const balances = { amount: balance, oldBalance: balance, newBalance: 0 }
  const data = { playerId, ...balances, ...campaignOf(campaign) }
  return { merchantId, shard, type: 'spins.expired', at, data }
}

// `granted_day` is the day of the last grant to any purse, and not of won spins, so every player found here is checked
// again. The spins of a player with other purses may be older than that day.
const readPlayers = statement<{ playerId: string; mayExpire: boolean }>(`
select
  player_id as "playerId",
  (balance > 0 and granted_day <= $4::int)
  or coalesce(
    (
      select bool_or(players.balance > 0 or (own.balance > 0 and own.granted_day <= $4::int))
      from player_purses as own
      where own.shard = players.shard
      and own.player_no = players.player_no
    ),
    false
  ) as "mayExpire"
from players
where shard = $1
and merchant_id = $2
and player_id > $3
order by player_id
limit $5`)

const wantedPlayers = `unnest($1::int[], $2::bigint[]) with ordinality as wanted (shard, player_no, place)`

const readAllPurses = statement<Purse & { place: number; purseId: number; slug: string }>(`
select wanted.place, own.*
from ${wantedPlayers}
cross join lateral (
  select
    purse_id as "purseId",
    balance,
    granted_day as "grantedDay",
    (
      select slug
      from campaigns
      where campaigns.campaign_id = player_purses.purse_id
    ) as slug
  from player_purses
  where player_purses.shard = wanted.shard
  and player_purses.player_no = wanted.player_no
  offset 0
) as own`)

// Purse 0, and each other purse of the player.
const readLastGrants = statement<LastGrant>(`
select wanted.place, purse.purse_id as "purseId", last.entry_no as "entryNo", last.created_at as "createdAt"
from ${wantedPlayers}
cross join lateral (
  select 0 as purse_id
  union all
  select player_purses.purse_id
  from player_purses
  where player_purses.shard = wanted.shard
  and player_purses.player_no = wanted.player_no
) as purse
cross join lateral (
  (
    select entry_no, created_at
    from ledger_entries
    where ledger_entries.shard = wanted.shard
    and ledger_entries.player_no = wanted.player_no
    and coalesce(ledger_entries.purse_id, 0) = purse.purse_id
    and amount > 0
    order by entry_no desc
    limit 1
  )
  union all
  select grant_no, granted_at
  from archived_players
  where archived_players.shard = wanted.shard
  and archived_players.player_no = wanted.player_no
  and purse.purse_id = 0
  and grant_no is not null
  order by entry_no desc
  limit 1
) as last`)
