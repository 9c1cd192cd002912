import { type Queryable, statement } from '../db/database.ts'
import { rowsScannedMax } from '../limits.ts'
import { slugOf } from '../players/player-lists.ts'
import type { PlayPlace, Stretch } from '../plays/play-lists.ts'
import { prizeFields, type SettledField, settledFields, type SettledValues } from '../prize-kinds.ts'
import { kindsWithFieldSql, settledKindsSql } from './prize-kinds-sql.ts'
import type { PlayKey, PrizeState } from './prize-settlements.ts'

/** A prize that was won, with its state. */
export type ListedPrize = PlayKey &
  PlayPlace &
  SettledValues & {
    merchantId: number
    playId: string
    playerId: string
    wheel: string
    wheelId: number
    wheelVersion: number
    campaign: string
    /** Null for `main`. */
    campaignId: number | null
    prizeId: string
    kind: string
    label: string
    claimBefore: Date | null
    state: PrizeState
    claimedAt: Date | null
    settledAt: Date | null
    settledBy: string | null
    reason: string | null
    stockReturned: boolean
    /** Until when the redemption can be taken back; null if it can't. */
    reversibleUntil: Date | null
    /** When a redemption was taken back the last time. */
    reversedAt: Date | null
  }

type PrizeFilter = {
  campaignId: number | null
  wheelId: number | null
  prizeId: string | null
  from: Date | null
}
type Page = { before: PlayPlace; limit: number; filter: PrizeFilter; now: Date }

/**
 * A merchant's prizes won before a position, newest first: all, or only open ones. It reads at most `rowsScannedMax`
 * plays. If few of them match, it returns few or none, and the position to continue from.
 */
export async function listPrizes(
  db: Queryable,
  merchantId: number,
  page: Page & { state: 'won' | null },
): Promise<Stretch<ListedPrize, PlayPlace>> {
  const place = placeOf(merchantId, page)
  const items = await db.query(ofMerchant, [...place, ...wantedBy(page)])
  if (items.length === page.limit) return { items, next: items.at(-1) }
  const [last] = await db.query(lastPlayScanned, [...place, rowsScannedMax - 1])
  return { items, next: last }
}

/** The same for prizes in another state, found by their settlements. */
export async function listSettledPrizes(
  db: Queryable,
  merchantId: number,
  page: Page & { state: Exclude<PrizeState, 'won'> },
): Promise<Stretch<ListedPrize, PlayPlace>> {
  const place = placeOf(merchantId, page)
  const items = await db.query(ofState, [...place, ...wantedBy(page)])
  if (items.length === page.limit) return { items, next: items.at(-1) }
  const [last] = await db.query(lastOfStateScanned, [...place, rowsScannedMax - 1, page.state])
  return { items, next: last }
}

function placeOf(merchantId: number, { before, filter }: Page) {
  return [merchantId, before.createdAt, before.playerNo, before.playNo, filter.from ?? new Date(0)]
}

function wantedBy({ limit, filter, state, now }: Page & { state: PrizeState | null }) {
  return [rowsScannedMax, limit, filter.wheelId, filter.prizeId, state, now, filter.campaignId]
}

/** A player's prizes before the play numbered `before`, newest first. */
export async function listPrizesOfPlayer(
  db: Queryable,
  player: { shard: number; playerNo: number },
  page: { before: number; limit: number; now: Date },
): Promise<ListedPrize[]> {
  return db.query(ofPlayer, [player.shard, player.playerNo, page.before, page.limit, page.now])
}

/** The prizes with this code of a pool. Upper and lower case of the letters A to Z are the same. */
export async function findPrizesByCode(
  db: Queryable,
  key: { merchantId: number; code: string; now: Date },
): Promise<ListedPrize[]> {
  return db.query(byCode, [key.merchantId, key.code, key.now])
}

export async function readPrizes(
  db: Queryable,
  plays: readonly PlayKey[],
  now: Date,
): Promise<ListedPrize[]> {
  return db.query(byKeys, [
    plays.map((play) => play.shard),
    plays.map((play) => play.playerNo),
    plays.map((play) => play.playNo),
    now,
  ])
}

/** Oldest first, for an export. */
export async function readPrizesSince(
  db: Queryable,
  merchantId: number,
  page: { after: PlayPlace; to: Date; limit: number; now: Date },
): Promise<Stretch<ListedPrize, PlayPlace>> {
  const { after, to, limit, now } = page
  const place = [merchantId, after.createdAt, after.playerNo, after.playNo, to]
  const items = await db.query(since, [...place, limit, now])
  const [last] = await db.query(lastSince, [...place, limit - 1])
  return { items, next: last }
}

/** A field of the prize in the wheel document, read only for the kinds that have one. */
const ofPrize = (field: SettledField) => `
    case
      when version_segments.kind in (${kindsWithFieldSql(field)}) then (
        select (document -> 'segments' -> found.segment::int -> 'prize' ->> '${field}')${sqlTypeOf(field)}
        from wheel_versions
        where wheel_versions.wheel_id = found.wheel_id
        and wheel_versions.version = found.wheel_version
      )
    end`

const sqlTypeOf = (field: SettledField) => (prizeFields[field].schema.type === 'string' ? '' : '::int')

/** The value that the player got. A code may come from a pool instead. */
const valueOf = (field: SettledField) =>
  field === 'code' ? `coalesce(found.code, ${ofPrize(field)})` : ofPrize(field)

const ofFoundPlay = `
      prize_settlements.shard = found.shard
      and prize_settlements.player_no = found.player_no
      and prize_settlements.play_no = found.play_no`

/** Plays with the state of their prizes. Won spins are given at once, and are not prizes to settle. */
const prizesAmong = (plays: string, now: string, filter = 'true') => `
select *
from (
  select
    found.shard,
    found.player_no as "playerNo",
    found.play_no as "playNo",
    found.merchant_id as "merchantId",
    found.play_id as "playId",
    players.player_id as "playerId",
    wheels.slug as wheel,
    ${slugOf('found.campaign_id')} as campaign,
    found.campaign_id as "campaignId",
    found.wheel_id as "wheelId",
    found.wheel_version as "wheelVersion",
    version_segments.prize_id as "prizeId",
    version_segments.kind,
    version_segments.label,
    ${settledFields.map((field) => `${valueOf(field)} as "${field}"`).join(',\n    ')},
    found.claim_before as "claimBefore",
    found.created_at as "createdAt",
    case
      when last.state is not null then last.state
      when found.claim_before <= ${now} then 'expired'
      else 'won'
    end as state,
    claims.first_at as "claimedAt",
    final.settled_at as "settledAt",
    final.actor as "settledBy",
    final.reason,
    coalesce(final.stock_returned, false) as "stockReturned",
    case
      when final.state = 'redeemed' and merchants.redemption_reversal_hours > 0
      then final.settled_at + make_interval(hours => merchants.redemption_reversal_hours)
    end as "reversibleUntil",
    claims.reversed_at as "reversedAt"
  from (${plays}) as found
  join version_segments
    on version_segments.wheel_id = found.wheel_id
    and version_segments.version = found.wheel_version
    and version_segments.segment = found.segment
  join players
    on players.shard = found.shard
    and players.player_no = found.player_no
  join wheels
    on wheels.wheel_id = found.wheel_id
  join merchants
    on merchants.merchant_id = found.merchant_id
  left join lateral (
    select *
    from prize_settlements
    where ${ofFoundPlay}
    order by step desc
    limit 1
  ) as last on true
  left join lateral (select last.* where last.step % 2 = 0) as final on true
  left join lateral (
    select min(settled_at) as first_at, max(settled_at) filter (where step > 1) as reversed_at
    from prize_settlements
    where ${ofFoundPlay}
    and step % 2 = 1
  ) as claims on true
  where found.won
  and version_segments.kind in (${settledKindsSql})
) as prize
where ${filter}`

const playsBefore = `
from plays
where plays.merchant_id = $1
and plays.created_at <= $2
and (plays.created_at, plays.player_no, plays.play_no) < ($2, $3, $4)
and plays.created_at >= $5
order by plays.created_at desc, plays.player_no desc, plays.play_no desc`

const wanted = `
($8::int is null or prize."wheelId" = $8)
and ($9::text is null or prize."prizeId" = $9)
and ($10::text is null or prize.state = $10)
and ($12::int is null or coalesce(prize."campaignId", 0) = $12)`

const newestFirst = `
order by prize."createdAt" desc, prize."playerNo" desc, prize."playNo" desc`

const ofMerchant = statement<ListedPrize>(`
${prizesAmong(`select plays.* ${playsBefore} limit $6`, '$11::timestamptz', wanted)}
${newestFirst}
limit $7`)

const lastPlayScanned = statement<PlayPlace>(`
select plays.created_at as "createdAt", plays.player_no as "playerNo", plays.play_no as "playNo"
${playsBefore}
offset $6
limit 1`)

const settledBefore = (state: string) => `
from prize_settlements
where prize_settlements.merchant_id = $1
and prize_settlements.state = ${state}
and (prize_settlements.won_at, prize_settlements.player_no, prize_settlements.play_no) < ($2, $3, $4)
and prize_settlements.won_at >= $5
order by prize_settlements.won_at desc, prize_settlements.player_no desc, prize_settlements.play_no desc`

// A prize that was redeemed, taken back and redeemed again has been in a state twice.
const settledOnce = 'distinct on (won_at, player_no, play_no)'

// Ordered by the columns of the index, so that the scan ends with the page. Sorted by the time of the plays, it read
// on.
const ofState = statement<ListedPrize>(`
${prizesAmong(
  `
    select
      settled.*,
      plays.merchant_id,
      plays.play_id,
      plays.wheel_id,
      plays.wheel_version,
      plays.segment,
      plays.won,
      plays.code,
      plays.claim_before,
      plays.campaign_id
    from (
      select ${settledOnce} shard, player_no, play_no, won_at as created_at
      ${settledBefore('$10')}
      limit $6
    ) as settled
    join plays using (shard, player_no, play_no)`,
  '$11::timestamptz',
  wanted,
)}
${newestFirst}
limit $7`)

const lastOfStateScanned = statement<PlayPlace>(`
select ${settledOnce} won_at as "createdAt", player_no as "playerNo", play_no as "playNo"
${settledBefore('$7')}
offset $6
limit 1`)

const ofPlayer = statement<ListedPrize>(`
${prizesAmong(
  `
    select *
    from plays
    where plays.shard = $1
    and plays.player_no = $2
    and plays.play_no < $3
    and plays.won
    order by plays.play_no desc`,
  '$5::timestamptz',
)}
order by prize."playNo" desc
limit $4`)

const byCode = statement<ListedPrize>(`
${prizesAmong(
  `
    select *
    from plays
    where plays.merchant_id = $1
    and lower(plays.code) = lower($2::text collate "C")
    and plays.code is not null`,
  '$3::timestamptz',
)}
${newestFirst}`)

const byKeys = statement<ListedPrize>(
  prizesAmong(
    `
    select plays.*
    from unnest($1::int[], $2::bigint[], $3::int[]) as wanted (shard, player_no, play_no)
    join plays using (shard, player_no, play_no)`,
    '$4::timestamptz',
  ),
)

const playsSince = `
from plays
where plays.merchant_id = $1
and plays.created_at >= $2
and (plays.created_at, plays.player_no, plays.play_no) > ($2, $3, $4)
and plays.created_at < $5
order by plays.created_at, plays.player_no, plays.play_no`

const since = statement<ListedPrize>(`
${prizesAmong(`select plays.* ${playsSince} limit $6`, '$7::timestamptz')}
order by prize."createdAt", prize."playerNo", prize."playNo"`)

const lastSince = statement<PlayPlace>(`
select plays.created_at as "createdAt", plays.player_no as "playerNo", plays.play_no as "playNo"
${playsSince}
offset $6
limit 1`)
