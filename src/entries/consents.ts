import { slugOf } from '../campaign-ref.ts'
import { allInOrder, type Queryable, statement } from '../db/database.ts'
import { shardValues } from '../players/shard.ts'
import type { CampaignKey } from './entry-rows.ts'
import type { EntryPlace } from './visitor-entries.ts'

/** Which texts a visitor agreed to, and whether a code has proved the address. */
type NewConsents = {
  formVersion: number
  language: string
  given: readonly { field: string; purpose: string; textHash: string }[]
  isConfirmed: boolean
  now: Date
}

/** What a visitor agreed to with a first entry of a campaign. */
export async function insertConsents(
  tx: Queryable,
  { shard, playerNo, merchantId, campaignId }: EntryPlace,
  { formVersion, language, given, isConfirmed, now }: NewConsents,
): Promise<void> {
  const same = [shard, playerNo, merchantId, campaignId, formVersion, language, now, isConfirmed ? now : null]
  // One statement for each of the few: a statement that selects its rows would not be sent to their shard alone.
  await allInOrder(
    given.map(({ field, purpose, textHash }) => tx.query(insert, [...same, field, purpose, textHash])),
  )
}

/**
 * The same with a later one. A consent that counts already stays as it was, except that a code may confirm it now. One
 * that was withdrawn is given anew. The visitor's player is locked.
 */
export async function renewConsents(tx: Queryable, place: EntryPlace, consents: NewConsents): Promise<void> {
  const { given, isConfirmed, now } = consents
  const fields = given.map(({ field }) => field)
  const columns = [place.shard, place.playerNo, place.campaignId, fields, isConfirmed ? now : null]
  const kept = new Set((await tx.query(confirm, columns)).map(({ field }) => field))
  await insertConsents(tx, place, { ...consents, given: given.filter(({ field }) => !kept.has(field)) })
}

type Visitor = Pick<EntryPlace, 'shard' | 'playerNo'>
type Withdrawn = { campaignId: number; field: string; purpose: 'marketing' | 'other' }

/** Withdraws consents of a visitor, of one campaign or of all, to one text or all. An earlier withdrawal stays. */
export async function withdrawGiven(
  tx: Queryable,
  { shard, playerNo }: Visitor,
  { campaignId, field, now }: { campaignId: number | undefined; field: string | undefined; now: Date },
): Promise<Withdrawn[]> {
  return tx.query(withdraw, [shard, playerNo, now, campaignId ?? null, field ?? null])
}

/** A consent of a visitor, for its merchant. */
export type VisitorConsent = Omit<Withdrawn, 'campaignId'> & {
  campaign: string
  givenAt: Date
  confirmedAt: Date | null
  withdrawnAt: Date | null
}

export async function listConsents(db: Queryable, { shard, playerNo }: Visitor): Promise<VisitorConsent[]> {
  return db.query(list, [shard, playerNo])
}

export async function deleteConsentsOf(tx: Queryable, { shard, playerNo }: Visitor): Promise<void> {
  await tx.query(deleteOfVisitor, [shard, playerNo])
}

/** The proofs of consents to a campaign that were withdrawn long enough ago. */
export async function deleteConsentsWithdrawn(
  db: Queryable,
  { merchantId, campaignId }: CampaignKey,
  before: Date,
): Promise<void> {
  const values = [merchantId, campaignId, before]
  if ((await db.query(hasWithdrawn, values)).length === 0) return
  for (const shard of shardValues) await db.query(deleteWithdrawn, [shard, ...values])
}

const insert = statement(`
insert into entry_consents (
  shard, player_no, merchant_id, campaign_id, form_version, language, given_at, confirmed_at, field, purpose, text_sha256
)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`)

const confirm = statement<{ field: string }>(`
update entry_consents
set confirmed_at = coalesce(confirmed_at, $5)
where shard = $1
and player_no = $2
and campaign_id = $3
and field = any($4::text[])
and withdrawn_at is null
returning field`)

const withdraw = statement<Withdrawn>(`
update entry_consents
set withdrawn_at = $3
where shard = $1
and player_no = $2
and ($4::int is null or campaign_id = $4)
and ($5::text is null or field = $5)
and withdrawn_at is null
returning campaign_id as "campaignId", field, purpose`)

const list = statement<VisitorConsent>(`
select
  ${slugOf('entry_consents.campaign_id')} as campaign,
  field,
  purpose,
  given_at as "givenAt",
  confirmed_at as "confirmedAt",
  withdrawn_at as "withdrawnAt"
from entry_consents
where shard = $1
and player_no = $2
order by campaign_id, field, given_at`)

const deleteOfVisitor = statement(`
delete from entry_consents
where shard = $1
and player_no = $2`)

const hasWithdrawn = statement(`
select
from entry_consents
where merchant_id = $1
and campaign_id = $2
and withdrawn_at <= $3
limit 1`)

const deleteWithdrawn = statement(`
delete from entry_consents
where shard = $1
and merchant_id = $2
and campaign_id = $3
and withdrawn_at <= $4`)
