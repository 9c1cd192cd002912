import { slugOf } from '../campaign-ref.ts'
import { type Queryable, statement } from '../db/database.ts'
import { rowsScannedMax } from '../limits.ts'
import { playColumns, type PlayRow } from './plays.ts'

/** A listed play, with the player's and the wheel's ids in place of their numbers. */
export type ListedPlay = PlayRow & {
  playerId: string
  wheel: string
  campaign: string
  prizeId: string
  kind: string
}

/** The position of a play in the list of a merchant's plays, newest first. */
export type PlayPosition = { createdAt: Date; playerNo: number; playNo: number }

export const newestPosition: PlayPosition = {
  createdAt: new Date('9999-12-31T00:00:00Z'),
  playerNo: Number.MAX_SAFE_INTEGER,
  playNo: 2 ** 31 - 1,
}

type PlayFilter = {
  campaignId: number | null
  wheelId: number | null
  prizeId: string | null
  won: boolean | null
  from: Date | null
}

/** A page of a list, and the position of the next page; undefined at the end. */
export type Stretch<Item, Place> = { items: Item[]; next: Place | undefined }

/**
 * A merchant's plays before a position, newest first. It scans at most `rowsScannedMax` rows. If few of them match the
 * filter, the page has few items, or none, and the position to continue from.
 */
export async function listPlays(
  db: Queryable,
  merchantId: number,
  page: { before: PlayPosition; limit: number; filter: PlayFilter },
): Promise<Stretch<ListedPlay, PlayPosition>> {
  const { before, limit, filter } = page
  const from = filter.from ?? new Date(0)
  const place = [merchantId, before.createdAt, before.playerNo, before.playNo, from]
  const items = await db.query(ofMerchant, [
    ...place,
    rowsScannedMax,
    limit,
    filter.wheelId,
    filter.prizeId,
    filter.won,
    filter.campaignId,
  ])
  if (items.length === limit) return { items, next: items.at(-1) }
  const [last] = await db.query(lastScanned, [...place, rowsScannedMax - 1])
  return { items, next: last }
}

/** A player's plays before the one numbered `before`, newest first. */
export async function listPlaysOfPlayer(
  db: Queryable,
  player: { shard: number; playerNo: number },
  page: { before: number; limit: number },
): Promise<ListedPlay[]> {
  return db.query(ofPlayer, [player.shard, player.playerNo, page.before, page.limit])
}

/** A merchant's plays with this id. Usually one; more if two players used the same id. */
export async function findPlays(
  db: Queryable,
  key: { merchantId: number; playId: string },
): Promise<ListedPlay[]> {
  return db.query(byPlayId, [key.merchantId, key.playId])
}

/** Oldest first, for an export. */
export async function readPlaysSince(
  db: Queryable,
  merchantId: number,
  page: { after: PlayPosition; to: Date; limit: number },
): Promise<ListedPlay[]> {
  const { after, to, limit } = page
  return db.query(since, [merchantId, after.createdAt, after.playerNo, after.playNo, to, limit])
}

const named = (source: string, filter = 'true') => `
select
  found.*,
  players.player_id as "playerId",
  wheels.slug as wheel,
  ${slugOf('found."campaignId"')} as campaign,
  version_segments.prize_id as "prizeId",
  version_segments.kind
from (${source}) as found
join players
  on players.shard = found.shard
  and players.player_no = found."playerNo"
join wheels
  on wheels.wheel_id = found."wheelId"
join version_segments
  on version_segments.wheel_id = found."wheelId"
  and version_segments.version = found."wheelVersion"
  and version_segments.segment = found.segment
where ${filter}`

// Plays of one batch share their time, so the time alone is no position. `created_at <= $2` lets the index find it.
const beforePlace = `
from plays
where plays.merchant_id = $1
and plays.created_at <= $2
and (plays.created_at, plays.player_no, plays.play_no) < ($2, $3, $4)
and plays.created_at >= $5
order by plays.created_at desc, plays.player_no desc, plays.play_no desc`

const newestFirst = `
order by found."createdAt" desc, found."playerNo" desc, found."playNo" desc`

const ofMerchant = statement<ListedPlay>(`
${named(
  `select ${playColumns} ${beforePlace} limit $6`,
  `($8::int is null or found."wheelId" = $8)
and ($9::text is null or version_segments.prize_id = $9)
and ($10::boolean is null or found.won = $10)
and ($11::int is null or found."campaignId" = $11)`,
)}
${newestFirst}
limit $7`)

const lastScanned = statement<PlayPosition>(`
select plays.created_at as "createdAt", plays.player_no as "playerNo", plays.play_no as "playNo"
${beforePlace}
offset $6
limit 1`)

const ofPlayer = statement<ListedPlay>(`
${named(`
  select ${playColumns}
  from plays
  where plays.shard = $1
  and plays.player_no = $2
  and plays.play_no < $3
  order by plays.play_no desc
  limit $4`)}
order by found."playNo" desc`)

const byPlayId = statement<ListedPlay>(
  named(`
  select ${playColumns}
  from plays
  where plays.play_id = $2
  and plays.merchant_id = $1`),
)

const since = statement<ListedPlay>(`
${named(`
  select ${playColumns}
  from plays
  where plays.merchant_id = $1
  and plays.created_at >= $2
  and (plays.created_at, plays.player_no, plays.play_no) > ($2, $3, $4)
  and plays.created_at < $5
  order by plays.created_at, plays.player_no, plays.play_no
  limit $6`)}
order by found."createdAt", found."playerNo", found."playNo"`)
