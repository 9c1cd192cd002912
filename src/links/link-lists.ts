import { type Queryable, statement } from '../db/database.ts'
import { shardOf, shardValues } from '../players/shard.ts'
import type { LinkVerdict } from './create-links.ts'

type ListKey = { merchantId: number; listId: string }

/** A list of players who get a link each. `finishedAt`: when the last link was made or refused. */
export type LinkList = ListKey & {
  /** The id of the campaign, or `*` for the lobby. */
  campaign: string
  language: string | null
  createdAt: Date
  expiresAt: Date
  finishedAt: Date | null
  createdBy: string
  players: number
  made: number
  refused: number
}

/** A player of a list. There is a link once `playerNo` is known. */
export type ListedPlayer = {
  place: number
  playerId: string
  linkId: string
  playerNo: number | null
  refusal: string | null
}

/** Inserts a list, unless there is one with its id. Returns whether it did. */
export async function insertLinkList(
  tx: Queryable,
  list: Omit<LinkList, 'finishedAt' | 'made' | 'refused'>,
): Promise<boolean> {
  const { merchantId, listId, campaign, language, createdAt, expiresAt, createdBy, players } = list
  const values = [merchantId, listId, campaign, language, createdAt, expiresAt, createdBy, players]
  return (await tx.query(insertList, values)).length > 0
}

/** Inserts the players of a list, in their order. */
export async function insertListedPlayers(
  tx: Queryable,
  { merchantId, listId }: ListKey,
  players: readonly { playerId: string; linkId: string }[],
): Promise<void> {
  const placed = players.map((player, place) => ({ ...player, place }))
  const byShard = Map.groupBy(placed, ({ playerId }) => shardOf({ merchantId, playerId }))
  for (const [shard, own] of byShard)
    await tx.query(insertPlayers, [
      shard,
      merchantId,
      listId,
      own.map(({ place }) => place),
      own.map(({ playerId }) => playerId),
      own.map(({ linkId }) => linkId),
    ])
}

/** The lists of a merchant whose links have not ended, newest first; or the one with this id. */
export async function readLinkLists(
  db: Queryable,
  { merchantId, listId = null }: { merchantId: number; listId?: string | null },
  now: Date,
): Promise<LinkList[]> {
  const lists = await db.query(readLists, [merchantId, now, listId])
  const open = lists.filter(({ finishedAt }) => finishedAt === null).map((list) => list.listId)
  if (open.length === 0) return lists
  const counted = await db.query(countPlayers, [merchantId, open])
  return lists.map((list) => ({ ...list, ...counted.find((one) => one.listId === list.listId) }))
}

/** Players of a list after a place, in their order. */
export async function readListedPlayers(
  db: Queryable,
  { merchantId, listId }: ListKey,
  page: { after: number; limit: number },
): Promise<ListedPlayer[]> {
  return db.query(readPlayers, [merchantId, listId, page.after, page.limit])
}

/** A list that is being made, with its merchant's state: any of them, so that lists take turns. */
export async function readUnfinishedList(
  db: Queryable,
): Promise<
  (Omit<LinkList, 'made' | 'refused'> & { isSuspended: boolean; clockAheadMs: number | null }) | undefined
> {
  const [list] = await db.query(readUnfinished)
  return list
}

/** A shard in which players of the list wait for their link. */
export async function findUnmadeShard(
  db: Queryable,
  { merchantId, listId }: ListKey,
): Promise<number | undefined> {
  const [found] = await db.query(findUnmade, [merchantId, listId])
  return found?.shard
}

/** Locks players of a list and shard who wait for their link, except those that another process has locked. */
export async function lockUnmade(
  tx: Queryable,
  { merchantId, listId, shard, limit }: ListKey & { shard: number; limit: number },
): Promise<ListedPlayer[]> {
  return tx.query(lockPlayers, [shard, merchantId, listId, limit])
}

export async function recordVerdicts(
  tx: Queryable,
  { merchantId, listId, shard }: ListKey & { shard: number },
  players: readonly ListedPlayer[],
  verdicts: readonly LinkVerdict[],
): Promise<void> {
  await tx.query(updatePlayers, [
    shard,
    merchantId,
    listId,
    players.map(({ playerId }) => playerId),
    verdicts.map((verdict) => (verdict.outcome === 'created' ? verdict.playerNo : null)),
    verdicts.map((verdict) => (verdict.outcome === 'created' ? null : verdict.code)),
  ])
}

export async function finishLinkList(
  db: Queryable,
  { merchantId, listId }: ListKey,
  now: Date,
): Promise<void> {
  const [counts = { made: 0, refused: 0 }] = await db.query(countPlayers, [merchantId, [listId]])
  await db.query(finish, [merchantId, listId, now, counts.made, counts.refused])
}

/** The list is gone at once; `removeEndedLists` removes its rows. Returns whether there was one. */
export async function markListDeleted(
  tx: Queryable,
  { merchantId, listId }: ListKey,
  now: Date,
): Promise<boolean> {
  return (await tx.query(markDeleted, [merchantId, listId, now])).length > 0
}

/** By the real time: a list of a test merchant is kept longer than by its clock, never shorter. */
export async function removeEndedLists(db: Queryable, realTime: Date): Promise<void> {
  for (const { merchantId, listId } of await db.query(readEnded, [realTime])) {
    for (const shard of shardValues) await db.query(deletePlayers, [shard, merchantId, listId])
    await db.query(deleteList, [merchantId, listId])
  }
}

/** Removes an erased player from all lists, under its old id. */
export async function removeFromLists(
  tx: Queryable,
  { shard, merchantId, playerId }: { shard: number; merchantId: number; playerId: string },
): Promise<void> {
  await tx.query(deletePlayer, [shard, merchantId, playerId])
}

const columns = `
  link_lists.merchant_id as "merchantId",
  link_lists.list_id as "listId",
  campaign,
  language,
  link_lists.created_at as "createdAt",
  expires_at as "expiresAt",
  finished_at as "finishedAt",
  created_by as "createdBy",
  players`

const insertList = statement<{ listId: string }>(`
insert into link_lists (merchant_id, list_id, campaign, language, created_at, expires_at, created_by, players)
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (merchant_id, list_id) do nothing
returning list_id as "listId"`)

const insertPlayers = statement(
  `
insert into link_list_players (shard, merchant_id, list_id, place, player_id, link_id)
select $1::int, $2::int, $3::uuid, place, player_id, link_id
from unnest($4::int[], $5::text[], $6::uuid[]) as given (place, player_id, link_id)`,
  [4, 6, 1],
)

const readLists = statement<LinkList>(`
select ${columns}, coalesce(made, 0) as made, coalesce(refused, 0) as refused
from link_lists
where merchant_id = $1
and expires_at > $2
and deleted_at is null
and ($3::uuid is null or list_id = $3)
order by created_at desc, list_id`)

const countPlayers = statement<{ listId: string; made: number; refused: number }>(`
select list_id as "listId", count(player_no)::int as made, count(refusal)::int as refused
from link_list_players
where merchant_id = $1
and list_id = any($2::uuid[])
group by list_id`)

const playerColumns = `
  place,
  player_id as "playerId",
  link_id as "linkId",
  player_no as "playerNo",
  refusal`

const readPlayers = statement<ListedPlayer>(`
select ${playerColumns}
from link_list_players
where merchant_id = $1
and list_id = $2
and place > $3
order by place
limit $4`)

const readUnfinished = statement<
  Omit<LinkList, 'made' | 'refused'> & { isSuspended: boolean; clockAheadMs: number | null }
>(`
select ${columns}, suspended_at is not null as "isSuspended", clock_ahead_ms as "clockAheadMs"
from link_lists
join merchants using (merchant_id)
where finished_at is null
and deleted_at is null
order by random()
limit 1`)

const findUnmade = statement<{ shard: number }>(`
select shard
from link_list_players
where merchant_id = $1
and list_id = $2
and player_no is null
and refusal is null
limit 1`)

const lockPlayers = statement<ListedPlayer>(`
select ${playerColumns}
from link_list_players
where shard = $1
and merchant_id = $2
and list_id = $3
and player_no is null
and refusal is null
limit $4
for update skip locked`)

const updatePlayers = statement(`
update link_list_players
set player_no = given.player_no, refusal = given.refusal
from unnest($4::text[], $5::bigint[], $6::text[]) as given (player_id, player_no, refusal)
where link_list_players.shard = $1
and merchant_id = $2
and list_id = $3
and link_list_players.player_id = given.player_id`)

const finish = statement(`
update link_lists
set finished_at = $3, made = $4, refused = $5
where merchant_id = $1
and list_id = $2
and finished_at is null`)

const markDeleted = statement<{ listId: string }>(`
update link_lists
set deleted_at = $3
where merchant_id = $1
and list_id = $2
and deleted_at is null
and expires_at > $3
returning list_id as "listId"`)

const readEnded = statement<ListKey>(`
select merchant_id as "merchantId", list_id as "listId"
from link_lists
where deleted_at is not null
or expires_at < $1`)

const deletePlayers = statement(`
delete from link_list_players
where shard = $1
and merchant_id = $2
and list_id = $3`)

const deleteList = statement(`
delete from link_lists
where merchant_id = $1
and list_id = $2`)

const deletePlayer = statement(`
delete from link_list_players
where shard = $1
and merchant_id = $2
and player_id = $3`)
