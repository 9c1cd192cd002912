import { createHash, createHmac } from 'node:crypto'
import { type Queryable, statement } from '../db/database.ts'
import type { CampaignKey } from './entry-rows.ts'

/** A submission under the key that its page made when the form opened. */
export type EntryRequest = CampaignKey & { keyHash: Buffer; requestHash: Buffer }

/** What an earlier submission under the same key led to. */
export type EarlierRequest = { isSame: boolean; playerId: string | null; sessionId: string | null }

/** What a submission led to: the visitor who entered, or the session that waits for a code. */
export type SettledRequest = EntryRequest & { playerId?: string; sessionId?: string }

/**
 * The key itself is not stored, and the answers are hashed with it: nobody who reads the table can try addresses, and
 * nobody can repeat a submission.
 */
export function hashRequest(
  { merchantId, campaignId }: CampaignKey,
  key: string,
  body: object,
): EntryRequest {
  return {
    merchantId,
    campaignId,
    keyHash: createHash('sha256').update(key).digest(),
    requestHash: createHmac('sha256', key).update(JSON.stringify(body)).digest(),
  }
}

/** What each submission led to before, in the order given; undefined for nothing. The earlier ones are locked. */
export async function findRequests(
  db: Queryable,
  requests: readonly EntryRequest[],
): Promise<(EarlierRequest | undefined)[]> {
  if (requests.length === 0) return []
  const found = await db.query(find, columnsOf(requests))
  const earlier = new Map(found.map(({ place, ...request }) => [place, request]))
  return requests.map((_, index) => earlier.get(index + 1))
}

/** Fails if one of the keys was used in the meantime. Waits for a submission that is on its way. */
export async function insertRequests(
  tx: Queryable,
  requests: readonly SettledRequest[],
  now: Date,
): Promise<void> {
  if (requests.length === 0) return
  await tx.query(insert, [
    ...columnsOf(requests),
    requests.map(({ playerId }) => playerId),
    requests.map(({ sessionId }) => sessionId),
    now,
  ])
}

/** Forgets submissions, so that they may be made again. */
export async function dropRequests(tx: Queryable, requests: readonly EntryRequest[]): Promise<void> {
  if (requests.length > 0) await tx.query(drop, columnsOf(requests).slice(0, 3))
}

function columnsOf(requests: readonly EntryRequest[]): unknown[] {
  return [
    requests.map(({ merchantId }) => merchantId),
    requests.map(({ campaignId }) => campaignId),
    requests.map(({ keyHash }) => keyHash),
    requests.map(({ requestHash }) => requestHash),
  ]
}

export async function deleteRequestsOf(
  tx: Queryable,
  player: { merchantId: number; playerId: string },
): Promise<void> {
  await tx.query(deleteOfPlayer, [player.merchantId, player.playerId])
}

export async function deleteOldRequests(db: Queryable, before: Date): Promise<void> {
  await db.query(deleteOld, [before])
}

// Locked, so that a repeat is answered after a commit of our own: once a standby has it, it has the first one too.
const find = statement<EarlierRequest & { place: number }>(`
select wanted.place, found.*
from (
  select *
  from unnest($1::int[], $2::int[], $3::bytea[], $4::bytea[]) with ordinality
    as given (merchant_id, campaign_id, key_hash, request_hash, place)
  order by merchant_id, campaign_id, key_hash
) as wanted
cross join lateral (
  select
    entry_requests.request_hash = wanted.request_hash as "isSame",
    player_id as "playerId",
    session_id as "sessionId"
  from entry_requests
  where entry_requests.merchant_id = wanted.merchant_id
  and entry_requests.campaign_id = wanted.campaign_id
  and entry_requests.key_hash = wanted.key_hash
  for update
) as found`)

const insert = statement(`
insert into entry_requests (
  merchant_id, campaign_id, key_hash, request_hash, player_id, session_id, created_at
)
select merchant_id, campaign_id, key_hash, request_hash, player_id, session_id, $7::timestamptz
from unnest($1::int[], $2::int[], $3::bytea[], $4::bytea[], $5::text[], $6::uuid[])
  as settled (merchant_id, campaign_id, key_hash, request_hash, player_id, session_id)
order by merchant_id, campaign_id, key_hash`)

const drop = statement(`
delete from entry_requests
using unnest($1::int[], $2::int[], $3::bytea[]) as gone (merchant_id, campaign_id, key_hash)
where entry_requests.merchant_id = gone.merchant_id
and entry_requests.campaign_id = gone.campaign_id
and entry_requests.key_hash = gone.key_hash`)

const deleteOfPlayer = statement(`
delete from entry_requests
where merchant_id = $1
and player_id = $2`)

const deleteOld = statement(`
delete from entry_requests
where created_at < $1`)
