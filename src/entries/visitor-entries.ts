import { shardValues } from '../players/shard.ts'
import { type Queryable, statement } from '../db/database.ts'
import type { Sealed } from './seal.ts'

/** Where a visitor's entry of a campaign is. */
export type EntryPlace = { shard: number; playerNo: number; merchantId: number; campaignId: number }

type VisitorEntry = EntryPlace & {
  entryId: string
  enteredAt: Date
  verifiedAt: Date | null
  formVersion: number
  language: string
}

export async function findVisitorEntry(
  tx: Queryable,
  place: EntryPlace,
): Promise<Pick<VisitorEntry, 'entryId' | 'verifiedAt'> | undefined> {
  const [found] = await tx.query(find, [place.shard, place.playerNo, place.campaignId])
  return found
}

export async function insertVisitorEntry(tx: Queryable, entry: VisitorEntry): Promise<void> {
  await tx.query(insert, [
    entry.shard,
    entry.playerNo,
    entry.merchantId,
    entry.campaignId,
    entry.entryId,
    entry.enteredAt,
    entry.verifiedAt,
    entry.formVersion,
    entry.language,
  ])
}

export async function setVerified(tx: Queryable, place: EntryPlace, now: Date): Promise<void> {
  await tx.query(verify, [place.shard, place.playerNo, place.campaignId, now])
}

export async function insertAnswers(tx: Queryable, place: EntryPlace, answers: Sealed): Promise<void> {
  await tx.query(insertSealed, [
    place.shard,
    place.playerNo,
    place.merchantId,
    place.campaignId,
    answers.keyId,
    answers.wrappedKey,
    answers.sealed,
  ])
}

/** Which texts a visitor agreed to, and whether a code has proved the address. */
type NewConsents = {
  formVersion: number
  language: string
  given: readonly { field: string; purpose: string; textHash: string }[]
  isConfirmed: boolean
  now: Date
}

export async function insertConsents(
  tx: Queryable,
  place: EntryPlace,
  { formVersion, language, given, isConfirmed, now }: NewConsents,
): Promise<void> {
  const { shard, playerNo, merchantId, campaignId } = place
  const same = [shard, playerNo, merchantId, campaignId, formVersion, language, now, isConfirmed ? now : null]
  for (const { field, purpose, textHash } of given)
    await tx.query(insertGiven, [...same, field, purpose, textHash])
}

/** The answers and consents of a visitor. That there was an entry stays, for the sums. */
export async function deleteAnswersOf(
  tx: Queryable,
  player: Pick<EntryPlace, 'shard' | 'playerNo'>,
): Promise<void> {
  await tx.query(deleteSealed, [player.shard, player.playerNo])
  await tx.query(deleteConsents, [player.shard, player.playerNo])
}

/** The answers of all visitors of a campaign. What they agreed to stays. */
export async function deleteAnswersOfCampaign(
  db: Queryable,
  place: Pick<EntryPlace, 'merchantId' | 'campaignId'>,
): Promise<void> {
  for (const shard of shardValues)
    await db.query(deleteSealedOfCampaign, [shard, place.merchantId, place.campaignId])
}

/** The key of the answers of an entry, encrypted with one of ours. */
type WrappedKey = Omit<EntryPlace, 'shard'> & { keyId: string; wrappedKey: Buffer }

/** Locks answers of a shard whose keys are not encrypted with this one of ours, after a place in their order. */
export async function lockAnswersOfOtherKeys(
  tx: Queryable,
  wanted: { shard: number; keyId: string; after: Pick<EntryPlace, 'playerNo' | 'campaignId'>; limit: number },
): Promise<WrappedKey[]> {
  const { shard, keyId, after, limit } = wanted
  return tx.query(lockOfOtherKeys, [shard, keyId, after.playerNo, after.campaignId, limit])
}

export async function updateWrappedKeys(
  tx: Queryable,
  { shard, keyId }: { shard: number; keyId: string },
  rows: readonly Omit<WrappedKey, 'keyId'>[],
): Promise<void> {
  await tx.query(updateKeys, [
    shard,
    rows.map(({ playerNo }) => playerNo),
    rows.map(({ campaignId }) => campaignId),
    rows.map(({ wrappedKey }) => wrappedKey),
    keyId,
  ])
}

const find = statement<Pick<VisitorEntry, 'entryId' | 'verifiedAt'>>(`
select entry_id as "entryId", verified_at as "verifiedAt"
from visitor_entries
where shard = $1
and player_no = $2
and campaign_id = $3`)

const insert = statement(`
insert into visitor_entries (
  shard, player_no, merchant_id, campaign_id, entry_id, entered_at, verified_at, form_version, language
)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`)

const verify = statement(`
update visitor_entries
set verified_at = coalesce(verified_at, $4)
where shard = $1
and player_no = $2
and campaign_id = $3`)

const insertSealed = statement(`
insert into entry_answers (shard, player_no, merchant_id, campaign_id, key_id, wrapped_key, sealed)
values ($1, $2, $3, $4, $5, $6, $7)`)

// A consent that was given before stays as it was, except that a code may confirm it now.
const insertGiven = statement(`
insert into entry_consents (
  shard, player_no, merchant_id, campaign_id, form_version, language, given_at, confirmed_at, field, purpose, text_sha256
)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
on conflict (player_no, campaign_id, field, shard) do update
set confirmed_at = coalesce(entry_consents.confirmed_at, excluded.confirmed_at)`)

const deleteSealed = statement(`
delete from entry_answers
where shard = $1
and player_no = $2`)

const deleteConsents = statement(`
delete from entry_consents
where shard = $1
and player_no = $2`)

const deleteSealedOfCampaign = statement(`
delete from entry_answers
where shard = $1
and merchant_id = $2
and campaign_id = $3`)

const lockOfOtherKeys = statement<WrappedKey>(`
select
  player_no as "playerNo",
  campaign_id as "campaignId",
  merchant_id as "merchantId",
  key_id as "keyId",
  wrapped_key as "wrappedKey"
from entry_answers
where shard = $1
and key_id <> $2
and (player_no, campaign_id) > ($3::bigint, $4::int)
order by player_no, campaign_id
limit $5
for update`)

const updateKeys = statement(`
update entry_answers
set wrapped_key = given.wrapped_key, key_id = $5
from unnest($2::bigint[], $3::int[], $4::bytea[]) as given (player_no, campaign_id, wrapped_key)
where entry_answers.shard = $1
and entry_answers.player_no = given.player_no
and entry_answers.campaign_id = given.campaign_id`)
