import { createHmac, randomBytes } from 'node:crypto'
import { type Queryable, statement } from '../db/database.ts'
import { bytesArray } from '../db/parameters.ts'
import type { FreeSpinState } from './free-spin-rows.ts'
import type { PlayerKey } from './ledger.ts'

/** What an erased player has collected last in a campaign. */
export type ErasedCollection = Pick<FreeSpinState, 'kind' | 'period' | 'periodEndsAt' | 'collectedAt'> & {
  playerNo: number
}

/** Keeps the id of a player that is being erased, as a keyed hash. */
export async function keepErasedId(tx: Queryable, player: PlayerKey & { playerNo: number }): Promise<void> {
  await tx.query(createKey, [randomBytes(32)])
  const [key] = await tx.query(readKey)
  if (key === undefined) throw new Error('there is no key for the ids of erased players')
  await tx.query(insert, [[player.shard], bytesArray([idHash(player, key.secret)]), [player.playerNo]])
}

/**
 * What erased players of the same ids have collected last, in the order of the players. An installation that has erased
 * nobody has no key, and looks no further.
 */
export async function readErasedCollections(
  db: Queryable,
  players: readonly (PlayerKey & { campaignId: number })[],
): Promise<(ErasedCollection | undefined)[]> {
  const [key] = players.length === 0 ? [] : await db.query(readKey)
  if (key === undefined) return players.map(() => undefined)
  const found = await db.query(readCollections, [
    players.map((player) => player.shard),
    bytesArray(players.map((player) => idHash(player, key.secret))),
    players.map((player) => player.campaignId),
  ])
  const collections = new Map(found.map(({ place, ...collection }) => [place, collection]))
  return players.map((_, index) => collections.get(index + 1))
}

function idHash({ merchantId, playerId }: PlayerKey, secret: Buffer): string {
  return createHmac('sha256', secret).update(`${merchantId}\n${playerId}`).digest('hex')
}

const createKey = statement(`
insert into erasure_key (secret)
values ($1)
on conflict do nothing`)

const readKey = statement<{ secret: Buffer }>(`
select secret
from erasure_key`)

const insert = statement(
  `
insert into erased_ids (shard, id_hash, player_no)
select *
from unnest($1::int[], $2::bytea[], $3::bigint[])
on conflict do nothing`,
  [1, 3],
)

// An id can be erased several times; the latest collection counts.
const readCollections = statement<ErasedCollection & { place: number }>(
  `
select wanted.place, found.*
from unnest($1::int[], $2::bytea[], $3::int[]) with ordinality as wanted (shard, id_hash, campaign_id, place)
cross join lateral (
  select
    player_free_spins.player_no as "playerNo",
    kind,
    period,
    period_ends_at as "periodEndsAt",
    collected_at as "collectedAt"
  from erased_ids
  join player_free_spins
    on player_free_spins.shard = wanted.shard
    and player_free_spins.player_no = erased_ids.player_no
    and player_free_spins.campaign_id = wanted.campaign_id
  where erased_ids.shard = wanted.shard
  and erased_ids.id_hash = wanted.id_hash
  order by collected_at desc
  limit 1
) as found`,
  [1, 3],
)
