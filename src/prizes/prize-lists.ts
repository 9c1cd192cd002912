import { type Queryable, statement } from '../db/database.ts'
import { rowsScannedMax } from '../limits.ts'
import type { PlayPosition, Stretch } from '../plays/play-lists.ts'
import type { HoldCause } from '../prize-kinds/hold-rule.ts'
import type { SettledValues } from '../prize-kinds/prize-kinds.ts'
import type { readPrizeNumber } from '../prize-kinds/prize-number.ts'
import type { PlayKey, PrizeState } from './prize-settlements.ts'
import { heldSql, settledSql } from './prizes-by-state.ts'
import { keyOfPlay, newestFirst, prizesAmong, wanted, wantedAmong } from './prizes-sql.ts'

/** A prize that was won, with its state. */
export type ListedPrize = PlayKey &
  PlayPosition &
  SettledValues & {
    merchantId: number
    playId: string
    playerId: string
    wheel: string
    wheelId: number
    wheelVersion: number
    campaign: string
    campaignId: number
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
    /** By when staff should check it, while it is held. */
    heldUntil: Date | null
    /** Why it was held, if it was. */
    heldBecause: HoldCause | null
  }

type PrizeFilter = {
  campaignId: number | null
  wheelId: number | null
  prizeId: string | null
  from: Date | null
}
type Page = { before: PlayPosition; limit: number; filter: PrizeFilter; now: Date }

/**
 * A merchant's prizes won before a position, newest first: all, or only open ones. It reads at most `rowsScannedMax`
 * plays. If few of them match, it returns few or none, and the position to continue from.
 */
export async function listPrizes(
  db: Queryable,
  merchantId: number,
  page: Page & { state: 'won' | null },
): Promise<Stretch<ListedPrize, PlayPosition>> {
  const place = placeOf(merchantId, page)
  const items =
    db.isCluster === true
      ? await listByKeys(db, await db.query(keysOfMerchant, [...place, rowsScannedMax]), page)
      : await db.query(ofMerchant, [...place, ...wantedBy(page)])
  if (items.length === page.limit) return { items, next: items.at(-1) }
  const [last] = await db.query(lastPlayScanned, [...place, rowsScannedMax - 1])
  return { items, next: last }
}

/** The same for prizes in another state, found by their settlements or, before those, by their holds. */
export async function listSettledPrizes(
  db: Queryable,
  merchantId: number,
  page: Page & { state: Exclude<PrizeState, 'won'> },
): Promise<Stretch<ListedPrize, PlayPosition>> {
  const place = placeOf(merchantId, page)
  const { state } = page
  const { listed, keys, lastScanned } = state === 'held' ? prizesHeld : prizesSettled
  const items =
    db.isCluster === true
      ? await listByKeys(db, await db.query(keys, [...place, rowsScannedMax, state]), page)
      : await db.query(listed, [...place, ...wantedBy(page)])
  if (items.length === page.limit) return { items, next: items.at(-1) }
  const [last] = await db.query(lastScanned, [...place, rowsScannedMax - 1, state])
  return { items, next: last }
}

function placeOf(merchantId: number, { before, filter }: Page) {
  return [merchantId, before.createdAt, before.playerNo, before.playNo, filter.from ?? new Date(0)]
}

function wantedBy({ limit, filter, state, now }: Page & { state: PrizeState | null }) {
  return [rowsScannedMax, limit, filter.wheelId, filter.prizeId, state, now, filter.campaignId]
}

/** On a cluster, the plays are found first, and then each shard describes its own. */
async function listByKeys(
  db: Queryable,
  plays: readonly PlayKey[],
  { limit, filter, state, now }: Page & { state: PrizeState | null },
): Promise<ListedPrize[]> {
  const { wheelId, prizeId, campaignId } = filter
  const found = await db.query(amongKeys, [...keyColumns(plays), now, wheelId, prizeId, state, campaignId])
  return found.toSorted((one, other) => byAge(other, one)).slice(0, limit)
}

function byAge(one: PlayPosition, other: PlayPosition): number {
  return (
    one.createdAt.getTime() - other.createdAt.getTime() ||
    one.playerNo - other.playerNo ||
    one.playNo - other.playNo
  )
}

/** A player's prizes before the play numbered `before`, newest first. `campaign`: the only one, by its id. */
export async function listPrizesOfPlayer(
  db: Queryable,
  player: { shard: number; playerNo: number },
  page: { before: number; limit: number; now: Date; campaign?: string | undefined },
): Promise<ListedPrize[]> {
  const { before, limit, now, campaign = null } = page
  return db.query(ofPlayer, [player.shard, player.playerNo, before, limit, now, campaign])
}

/** The prizes with this code of a pool. Upper and lower case of the letters A to Z are the same. */
export async function findPrizesByCode(
  db: Queryable,
  key: { merchantId: number; code: string; now: Date },
): Promise<ListedPrize[]> {
  return db.query(byCode, [key.merchantId, key.code, key.now])
}

/** The prizes to hand over with this number: one, unless two ids of the same second end alike. */
export async function findPrizesByNumber(
  db: Queryable,
  key: { merchantId: number; number: NonNullable<ReturnType<typeof readPrizeNumber>>; now: Date },
): Promise<ListedPrize[]> {
  const { wonFrom, playIdEnd } = key.number
  return db.query(byNumber, [key.merchantId, wonFrom, playIdEnd, key.now])
}

export async function readPrizes(
  db: Queryable,
  plays: readonly PlayKey[],
  now: Date,
): Promise<ListedPrize[]> {
  return db.query(byKeys, [...keyColumns(plays), now])
}

function keyColumns(plays: readonly PlayKey[]): [number[], number[], number[]] {
  return [
    plays.map((play) => play.shard),
    plays.map((play) => play.playerNo),
    plays.map((play) => play.playNo),
  ]
}

/** Oldest first, for an export. */
export async function readPrizesSince(
  db: Queryable,
  merchantId: number,
  page: { after: PlayPosition; to: Date; limit: number; now: Date },
): Promise<Stretch<ListedPrize, PlayPosition>> {
  const { after, to, limit, now } = page
  const place = [merchantId, after.createdAt, after.playerNo, after.playNo, to]
  const items =
    db.isCluster === true
      ? (await readPrizes(db, await db.query(keysSince, [...place, limit]), now)).toSorted(byAge)
      : await db.query(since, [...place, limit, now])
  const [last] = await db.query(lastSince, [...place, limit - 1])
  return { items, next: last }
}

const playsBefore = `
from plays
where plays.merchant_id = $1
and plays.created_at <= $2
and (plays.created_at, plays.player_no, plays.play_no) < ($2, $3, $4)
and plays.created_at >= $5
order by plays.created_at desc, plays.player_no desc, plays.play_no desc`

const ofMerchant = statement<ListedPrize>(`
${prizesAmong(`select plays.* ${playsBefore} limit $6`, '$11::timestamptz', wanted)}
${newestFirst}
limit $7`)

const lastPlayScanned = statement<PlayPosition>(`
select plays.created_at as "createdAt", plays.player_no as "playerNo", plays.play_no as "playNo"
${playsBefore}
offset $6
limit 1`)

const inState = ({ listed, keys, lastScanned }: typeof heldSql) => ({
  listed: statement<ListedPrize>(listed),
  keys: statement<PlayKey>(keys),
  lastScanned: statement<PlayPosition>(lastScanned),
})
const prizesHeld = inState(heldSql)
const prizesSettled = inState(settledSql)

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
  '($6::text is null or prize.campaign = $6)',
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
    and plays.code is not null
    union all
    select plays.*
    from prize_holds
    join plays using (shard, player_no, play_no)
    where prize_holds.merchant_id = $1
    and lower(prize_holds.code) = lower($2::text collate "C")
    and prize_holds.code is not null
    and prize_holds.decision = 'released'`,
  '$3::timestamptz',
)}
${newestFirst}`)

const byNumber = statement<ListedPrize>(`
${prizesAmong(
  `
    select *
    from plays
    where plays.merchant_id = $1
    and plays.created_at >= $2::timestamptz
    and plays.created_at < $2::timestamptz + interval '1 second'
    and right(plays.play_id::text, 5) = $3
    and plays.won`,
  '$4::timestamptz',
  `prize.kind = 'handover'`,
)}
${newestFirst}`)

const playsByKeys = `
    select plays.*
    from unnest($1::int[], $2::bigint[], $3::int[]) as wanted (shard, player_no, play_no)
    join plays using (shard, player_no, play_no)`

const byKeys = statement<ListedPrize>(prizesAmong(playsByKeys, '$4::timestamptz'), [1, 3])

const amongKeys = statement<ListedPrize>(
  prizesAmong(playsByKeys, '$4::timestamptz', wantedAmong(['$5', '$6', '$7', '$8'])),
  [1, 3],
)

const keysOfMerchant = statement<PlayKey>(`select ${keyOfPlay} ${playsBefore} limit $6`)

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

const lastSince = statement<PlayPosition>(`
select plays.created_at as "createdAt", plays.player_no as "playerNo", plays.play_no as "playNo"
${playsSince}
offset $6
limit 1`)

const keysSince = statement<PlayKey>(`select ${keyOfPlay} ${playsSince} limit $6`)
