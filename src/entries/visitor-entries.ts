import { slugOf } from '../campaign-ref.ts'
import { type Queryable, statement } from '../db/database.ts'
import { consentColumnCount, consentColumns, insertingConsents, type NewConsents } from './consents.ts'
import type { EntryPlace } from './entry-place.ts'
import type { Sealed } from './seal.ts'

type VisitorEntry = EntryPlace & {
  entryId: string
  enteredAt: Date
  verifiedAt: Date | null
  formVersion: number
  language: string
}

/** `afterWinAt`: when the form after a win was answered. */
export type FoundEntry = Pick<VisitorEntry, 'entryId' | 'verifiedAt'> & { afterWinAt: Date | null }

export async function findVisitorEntry(tx: Queryable, place: EntryPlace): Promise<FoundEntry | undefined> {
  const [found] = await tx.query(find, [place.shard, place.playerNo, place.campaignId])
  return found
}

/** Whether somebody has proved the address of a visitor, in any campaign. */
export async function hasProvedAddress(
  db: Queryable,
  { shard, playerNo }: Pick<EntryPlace, 'shard' | 'playerNo'>,
): Promise<boolean> {
  return (await db.query(findProved, [shard, playerNo])).length > 0
}

/** The entries of a visitor in all campaigns. */
export async function findEntryIds(
  tx: Queryable,
  { shard, playerNo }: Pick<EntryPlace, 'shard' | 'playerNo'>,
): Promise<{ entryId: string; campaignId: number; campaign: string }[]> {
  return tx.query(findIds, [shard, playerNo])
}

/** First entries of campaigns, with their answers and with what the visitors agreed to, in one statement. */
export async function insertVisitorEntries(
  tx: Queryable,
  entries: readonly (VisitorEntry & { answers: Sealed; consents: NewConsents })[],
): Promise<void> {
  if (entries.length === 0) return
  await tx.query(insert, [
    entries.map(({ shard }) => shard),
    entries.map(({ playerNo }) => playerNo),
    entries.map(({ merchantId }) => merchantId),
    entries.map(({ campaignId }) => campaignId),
    entries.map(({ entryId }) => entryId),
    entries.map(({ enteredAt }) => enteredAt),
    entries.map(({ verifiedAt }) => verifiedAt),
    entries.map(({ formVersion }) => formVersion),
    entries.map(({ language }) => language),
    entries.map(({ answers }) => answers.keyId),
    entries.map(({ answers }) => answers.wrappedKey),
    entries.map(({ answers }) => answers.sealed),
    ...consentColumns(entries),
  ])
}

export async function setVerified(tx: Queryable, place: EntryPlace, now: Date): Promise<void> {
  await tx.query(verify, [place.shard, place.playerNo, place.campaignId, now])
}

/** The answers of an entry, locked; undefined once they are deleted. */
export async function lockAnswers(tx: Queryable, place: EntryPlace): Promise<Sealed | undefined> {
  const [found] = await tx.query(lockSealed, [place.shard, place.playerNo, place.campaignId])
  return found
}

/** The answers of one entry, or a contact, sealed. */
export async function readAnswers(
  db: Queryable,
  place: Omit<EntryPlace, 'merchantId'>,
): Promise<Sealed | undefined> {
  const [found] = await db.query(readSealed, [place.shard, place.playerNo, place.campaignId])
  return found
}

export async function deleteAnswers(db: Queryable, place: Omit<EntryPlace, 'merchantId'>): Promise<void> {
  await db.query(deleteSealedOne, [place.shard, place.playerNo, place.campaignId])
}

/** Replaces the answers of an entry. They are kept for some time after this, also if the campaign has ended. */
export async function changeAnswers(
  tx: Queryable,
  place: EntryPlace,
  { answers, now }: { answers: Sealed; now: Date },
): Promise<void> {
  const { shard, playerNo, merchantId, campaignId } = place
  const { keyId, wrappedKey, sealed } = answers
  await tx.query(upsertSealed, [shard, playerNo, merchantId, campaignId, keyId, wrappedKey, sealed, now])
}

export async function setAnsweredAfterWin(tx: Queryable, place: EntryPlace, now: Date): Promise<void> {
  await tx.query(answeredAfterWin, [place.shard, place.playerNo, place.campaignId, now])
}

/** The answers of a visitor. That there was an entry stays, for the sums. */
export async function deleteAnswersOf(
  tx: Queryable,
  player: Pick<EntryPlace, 'shard' | 'playerNo'>,
): Promise<void> {
  await tx.query(deleteSealed, [player.shard, player.playerNo])
}

/** Visitors of a campaign whose answers were not changed later. */
export async function listAnswersOfCampaign(
  db: Queryable,
  { merchantId, campaignId }: Pick<EntryPlace, 'merchantId' | 'campaignId'>,
  { changedBefore, limit }: { changedBefore: Date; limit: number },
): Promise<Pick<EntryPlace, 'shard' | 'playerNo'>[]> {
  return db.query(listSealed, [merchantId, campaignId, changedBefore, limit])
}

/** The answers of some of them, on one shard. What they agreed to stays. */
export async function deleteAnswersOfCampaign(
  db: Queryable,
  { shard, campaignId, playerNos }: { shard: number; campaignId: number; playerNos: readonly number[] },
  { changedBefore }: { changedBefore: Date },
): Promise<void> {
  await db.query(deleteSealedOfCampaign, [shard, campaignId, playerNos, changedBefore])
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

const find = statement<FoundEntry>(`
select entry_id as "entryId", verified_at as "verifiedAt", after_win_at as "afterWinAt"
from visitor_entries
where shard = $1
and player_no = $2
and campaign_id = $3`)

const findProved = statement(`
select
from visitor_entries
where shard = $1
and player_no = $2
and verified_at is not null
limit 1`)

const findIds = statement<{ entryId: string; campaignId: number; campaign: string }>(`
select
  entry_id as "entryId",
  campaign_id as "campaignId",
  ${slugOf('visitor_entries.campaign_id')} as campaign
from visitor_entries
where shard = $1
and player_no = $2
order by entered_at`)

const insert = statement(
  `
with given as (
  select *
  from unnest(
    $1::int[], $2::bigint[], $3::int[], $4::int[], $5::uuid[], $6::timestamptz[], $7::timestamptz[], $8::int[],
    $9::text[], $10::text[], $11::bytea[], $12::bytea[]
  ) as given (
    shard, player_no, merchant_id, campaign_id, entry_id, entered_at, verified_at, form_version, language, key_id,
    wrapped_key, sealed
  )
),
entered as (
  insert into visitor_entries (
    shard, player_no, merchant_id, campaign_id, entry_id, entered_at, verified_at, form_version, language
  )
  select shard, player_no, merchant_id, campaign_id, entry_id, entered_at, verified_at, form_version, language
  from given
),
answered as (
  insert into entry_answers (shard, player_no, merchant_id, campaign_id, key_id, wrapped_key, sealed)
  select shard, player_no, merchant_id, campaign_id, key_id, wrapped_key, sealed
  from given
)${insertingConsents(13)}`,
  [1, 12],
  [13, 12 + consentColumnCount],
)

const verify = statement(`
update visitor_entries
set verified_at = coalesce(verified_at, $4)
where shard = $1
and player_no = $2
and campaign_id = $3`)

const lockSealed = statement<Sealed>(`
select key_id as "keyId", wrapped_key as "wrappedKey", sealed
from entry_answers
where shard = $1
and player_no = $2
and campaign_id = $3
for update`)

const upsertSealed = statement(`
insert into entry_answers (shard, player_no, merchant_id, campaign_id, key_id, wrapped_key, sealed, changed_at)
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (player_no, campaign_id, shard) do update
set
  key_id = excluded.key_id,
  wrapped_key = excluded.wrapped_key,
  sealed = excluded.sealed,
  changed_at = excluded.changed_at`)

const answeredAfterWin = statement(`
update visitor_entries
set after_win_at = coalesce(after_win_at, $4)
where shard = $1
and player_no = $2
and campaign_id = $3`)

const deleteSealed = statement(`
delete from entry_answers
where shard = $1
and player_no = $2`)

const listSealed = statement<Pick<EntryPlace, 'shard' | 'playerNo'>>(`
select shard, player_no as "playerNo"
from entry_answers
where merchant_id = $1
and campaign_id = $2
and (changed_at is null or changed_at <= $3)
limit $4`)

const readSealed = statement<Sealed>(`
select key_id as "keyId", wrapped_key as "wrappedKey", sealed
from entry_answers
where shard = $1
and player_no = $2
and campaign_id = $3`)

const deleteSealedOne = statement(`
delete from entry_answers
where shard = $1
and player_no = $2
and campaign_id = $3`)

const deleteSealedOfCampaign = statement(`
delete from entry_answers
where shard = $1
and campaign_id = $2
and player_no = any($3::bigint[])
and (changed_at is null or changed_at <= $4)`)

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
