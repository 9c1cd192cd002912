import { createHash, createHmac } from 'node:crypto'
import { type Queryable, statement } from '../db/database.ts'
import type { CampaignKey } from './entry-rows.ts'

/** A submission under the key that its page made when the form opened. */
export type EntryRequest = { keyHash: Buffer; requestHash: Buffer }

/** What an earlier submission under the same key led to. */
export type EarlierRequest = { isSame: boolean; playerId: string | null; sessionId: string | null }

/**
 * The key itself is not stored, and the answers are hashed with it: nobody who reads the table can try addresses, and
 * nobody can repeat a submission.
 */
export function hashRequest(key: string, body: object): EntryRequest {
  return {
    keyHash: createHash('sha256').update(key).digest(),
    requestHash: createHmac('sha256', key).update(JSON.stringify(body)).digest(),
  }
}

/** Takes the key for this submission. The earlier one, if there was one. Waits for one that is on its way. */
export async function claimRequest(
  tx: Queryable,
  place: CampaignKey,
  request: EntryRequest,
  now: Date,
): Promise<EarlierRequest | undefined> {
  const key = [place.merchantId, place.campaignId, request.keyHash]
  const claimed = await tx.query(insert, [...key, request.requestHash, now])
  if (claimed.length === 1) return undefined
  return findRequest(tx, place, request)
}

export async function findRequest(
  db: Queryable,
  place: CampaignKey,
  { keyHash, requestHash }: EntryRequest,
): Promise<EarlierRequest | undefined> {
  const [found] = await db.query(find, [place.merchantId, place.campaignId, keyHash, requestHash])
  return found
}

/** What the submission led to: the visitor who entered, or the session that waits for a code. */
export async function settleRequest(
  tx: Queryable,
  place: CampaignKey,
  { keyHash }: EntryRequest,
  result: { playerId?: string; sessionId?: string },
): Promise<void> {
  const key = [place.merchantId, place.campaignId, keyHash]
  await tx.query(settle, [...key, result.playerId ?? null, result.sessionId ?? null])
}

export async function dropRequest(
  tx: Queryable,
  place: CampaignKey,
  { keyHash }: EntryRequest,
): Promise<void> {
  await tx.query(drop, [place.merchantId, place.campaignId, keyHash])
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

const insert = statement<{ isNew: true }>(`
insert into entry_requests (merchant_id, campaign_id, key_hash, request_hash, created_at)
values ($1, $2, $3, $4, $5)
on conflict (merchant_id, campaign_id, key_hash) do nothing
returning true as "isNew"`)

const find = statement<EarlierRequest>(`
select request_hash = $4 as "isSame", player_id as "playerId", session_id as "sessionId"
from entry_requests
where merchant_id = $1
and campaign_id = $2
and key_hash = $3`)

const settle = statement(`
update entry_requests
set player_id = $4, session_id = $5
where merchant_id = $1
and campaign_id = $2
and key_hash = $3`)

const drop = statement(`
delete from entry_requests
where merchant_id = $1
and campaign_id = $2
and key_hash = $3`)

const deleteOfPlayer = statement(`
delete from entry_requests
where merchant_id = $1
and player_id = $2`)

const deleteOld = statement(`
delete from entry_requests
where created_at < $1`)
