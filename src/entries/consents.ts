import { slugOf } from '../campaign-ref.ts'
import { type Queryable, statement } from '../db/database.ts'
import type { EntryPlace } from './entry-place.ts'
import type { CampaignKey } from './entry-rows.ts'

/** Which texts a visitor agreed to, and whether a code has proved the address. */
export type NewConsents = {
  formVersion: number
  language: string
  given: readonly { field: string; purpose: string; textHash: string }[]
  isConfirmed: boolean
  now: Date
}

/** The parameters of `insertingConsents`: what visitors agreed to. */
export function consentColumns(visitors: readonly (EntryPlace & { consents: NewConsents })[]): unknown[] {
  const rows = visitors.flatMap(({ consents: { given, ...consents }, ...place }) =>
    given.map((one) => ({ ...place, ...consents, ...one })),
  )
  return [
    rows.map(({ shard }) => shard),
    rows.map(({ playerNo }) => playerNo),
    rows.map(({ merchantId }) => merchantId),
    rows.map(({ campaignId }) => campaignId),
    rows.map(({ formVersion }) => formVersion),
    rows.map(({ language }) => language),
    rows.map(({ now }) => now),
    rows.map(({ isConfirmed, now }) => (isConfirmed ? now : null)),
    rows.map(({ field }) => field),
    rows.map(({ purpose }) => purpose),
    rows.map(({ textHash }) => textHash),
  ]
}

const columnTypes = 'int bigint int int int text timestamptz timestamptz text text text'.split(' ')

/** A part of a statement, with parameters from number `first` on. */
export function insertingConsents(first: number): string {
  return `
insert into entry_consents (
  shard, player_no, merchant_id, campaign_id, form_version, language, given_at, confirmed_at, field, purpose, text_sha256
)
select *
from unnest(${columnTypes.map((type, index) => `$${first + index}::${type}[]`).join(', ')})`
}

/** How many parameters it has. */
export const consentColumnCount = columnTypes.length

/**
 * The same with a later one. A consent that counts already stays as it was, except that a code may confirm it now. One
 * that was withdrawn is given anew. The visitor's player is locked. Returns how many were given now.
 */
export async function renewConsents(
  tx: Queryable,
  place: EntryPlace,
  consents: NewConsents,
): Promise<number> {
  const { given, isConfirmed, now } = consents
  const fields = given.map(({ field }) => field)
  const columns = [place.shard, place.playerNo, place.campaignId, fields, isConfirmed ? now : null]
  const kept = new Set((await tx.query(confirm, columns)).map(({ field }) => field))
  const fresh = { ...consents, given: given.filter(({ field }) => !kept.has(field)) }
  if (fresh.given.length > 0) await tx.query(insert, consentColumns([{ ...place, consents: fresh }]))
  return fresh.given.length
}

type Visitor = Pick<EntryPlace, 'shard' | 'playerNo'>
type Withdrawn = { campaignId: number; field: string; purpose: 'marketing' | 'other' }

/**
 * Withdraws consents of a visitor, of one campaign or of all, to one text or all, for one purpose or all. An earlier
 * withdrawal stays.
 */
export async function withdrawGiven(
  tx: Queryable,
  { shard, playerNo }: Visitor,
  which: {
    campaignId: number | undefined
    field: string | undefined
    purpose: string | undefined
    now: Date
  },
): Promise<Withdrawn[]> {
  const { campaignId, field, purpose, now } = which
  return tx.query(withdraw, [shard, playerNo, now, campaignId ?? null, field ?? null, purpose ?? null])
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

/** Visitors who withdrew consents to a campaign long enough ago. */
export async function listConsentsWithdrawn(
  db: Queryable,
  { merchantId, campaignId }: CampaignKey,
  { before, limit }: { before: Date; limit: number },
): Promise<Visitor[]> {
  return db.query(listWithdrawn, [merchantId, campaignId, before, limit])
}

/** The proofs of these consents, of some visitors on one shard. */
export async function deleteConsentsWithdrawn(
  db: Queryable,
  { shard, campaignId, playerNos }: { shard: number; campaignId: number; playerNos: readonly number[] },
  before: Date,
): Promise<void> {
  await db.query(deleteWithdrawn, [shard, campaignId, playerNos, before])
}

const insert = statement(insertingConsents(1), [1, consentColumnCount])

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
and ($6::text is null or purpose = $6)
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

const listWithdrawn = statement<Visitor>(`
select shard, player_no as "playerNo"
from entry_consents
where merchant_id = $1
and campaign_id = $2
and withdrawn_at <= $3
limit $4`)

const deleteWithdrawn = statement(`
delete from entry_consents
where shard = $1
and campaign_id = $2
and player_no = any($3::bigint[])
and withdrawn_at <= $4`)
