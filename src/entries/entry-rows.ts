import { slugOf } from '../campaign-ref.ts'
import { allInOrder, type Queryable, statement } from '../db/database.ts'
import type { EntryField, EntrySettings, EntryTerms } from './form.ts'

/** The entry of a campaign, with the version of form and terms that is in force. */
export type CampaignEntry = EntrySettings & {
  merchantId: number
  campaignId: number
  version: number
  termsHash: string
  /** When the campaign closes by the terms; null for an entry that was never opened. */
  closesAt: Date | null
  revision: number
  changedAt: Date
  /** How many have entered, and how many of them proved their address. */
  entered: number
  verified: number
}

export type CampaignKey = { merchantId: number; campaignId: number }

export async function readEntry(db: Queryable, key: CampaignKey): Promise<CampaignEntry | undefined> {
  const [found] = await db.query(read, [key.merchantId, key.campaignId])
  if (found === undefined) return undefined
  const { settings, ...rest } = found
  return { ...settings, ...rest }
}

/** The same, with an earlier version of form and terms. */
export async function readEntryWithForm(
  db: Queryable,
  key: CampaignKey,
  version: number,
): Promise<CampaignEntry | undefined> {
  const [entry, [form]] = [
    await readEntry(db, key),
    await db.query(readForm, [key.merchantId, key.campaignId, version]),
  ]
  return entry && form && { ...entry, ...form }
}

/** A version of form and terms, and why it replaced the one before. */
type FormVersion = Pick<CampaignEntry, 'version' | 'fields' | 'terms' | 'termsHash' | 'closesAt'> & {
  reason: string | null
  actor: string
  createdAt: Date
}

/** The versions of a campaign's form and terms before one of them, newest first. */
export async function listForms(
  db: Queryable,
  key: CampaignKey,
  { before, limit }: { before: number; limit: number },
): Promise<FormVersion[]> {
  return db.query(list, [key.merchantId, key.campaignId, before, limit])
}

/** Every field that the form of a campaign has ever had, in the order in which they came. */
export async function readFieldsEver(
  db: Queryable,
  key: CampaignKey,
): Promise<Pick<EntryField, 'id' | 'kind'>[]> {
  return db.query(readFields, [key.merchantId, key.campaignId])
}

/** The campaigns of a merchant that visitors can enter, or could. */
export async function listEntryCampaigns(db: Queryable, merchantId: number): Promise<string[]> {
  return (await db.query(listCampaigns, [merchantId])).map(({ slug }) => slug)
}

/** Changes to one campaign's entry happen one after another. */
export async function lockEntry(tx: Queryable, key: CampaignKey): Promise<void> {
  await tx.query(lock, [key.merchantId, key.campaignId])
}

/** A version of form and terms. */
type NewForm = CampaignKey & {
  fields: readonly EntryField[]
  terms: EntryTerms
  termsHash: string
  closesAt: Date | null
  reason: string | null
  actor: string
  now: Date
}

/** Inserts the next version, and returns its number. */
export async function insertForm(tx: Queryable, form: NewForm): Promise<number> {
  const [made] = await tx.query(insertVersion, [
    form.merchantId,
    form.campaignId,
    JSON.stringify(form.fields),
    JSON.stringify(form.terms),
    form.termsHash,
    form.reason,
    form.actor,
    form.now,
    form.closesAt,
  ])
  return made?.version ?? 0
}

/** Keeps texts for ever, by their hash. */
export async function keepTexts(tx: Queryable, texts: ReadonlyMap<string, string>): Promise<void> {
  if (texts.size > 0) await tx.query(insertTexts, [[...texts.keys()], [...texts.values()]])
}

export async function saveEntry(
  tx: Queryable,
  { merchantId, campaignId }: CampaignKey,
  { settings, version, now }: { settings: object; version: number; now: Date },
): Promise<void> {
  await tx.query(upsert, [merchantId, campaignId, JSON.stringify(settings), version, now])
  await tx.query(insertCounts, [merchantId, campaignId])
}

export async function deleteEntry(tx: Queryable, key: CampaignKey): Promise<void> {
  await tx.query(remove, [key.merchantId, key.campaignId])
}

/** How many enter a campaign, and how many prove their address. */
export type NewCounts = CampaignKey & { entered: number; verified: number; entriesMax: number | null }

/**
 * Counts entries of several campaigns, each once. Returns those for which there is no room. One statement for each, in
 * one order: an update of several rows would lock them in any.
 */
export async function countEntries<Counts extends NewCounts>(
  tx: Queryable,
  counts: readonly Counts[],
): Promise<Counts[]> {
  const sorted = counts.toSorted(
    (one, other) => one.merchantId - other.merchantId || one.campaignId - other.campaignId,
  )
  const counted = await allInOrder(
    sorted.map(({ merchantId, campaignId, entered, verified, entriesMax }) =>
      tx.query(count, [merchantId, campaignId, entered, verified, entriesMax]),
    ),
  )
  return sorted.filter((_, index) => counted[index]?.length === 0)
}

/** How many have entered a campaign. */
export async function readEntered(tx: Queryable, { merchantId, campaignId }: CampaignKey): Promise<number> {
  const [found] = await tx.query(readCount, [merchantId, campaignId])
  return found?.entered ?? 0
}

/** What happened at an entry on a day (UTC), and how often. */
export type Happening = CampaignKey & { day: string; happened: string; count: number }

export async function countHappenings(db: Queryable, counted: readonly Happening[]): Promise<void> {
  await db.query(countDays, [
    counted.map(({ merchantId }) => merchantId),
    counted.map(({ campaignId }) => campaignId),
    counted.map(({ day }) => day),
    counted.map(({ happened }) => happened),
    counted.map(({ count: times }) => times),
  ])
}

const read = statement<
  Omit<CampaignEntry, keyof EntrySettings> & {
    fields: EntryField[]
    terms: EntryTerms
    settings: Omit<EntrySettings, 'fields' | 'terms'>
  }
>(`
select
  entry_settings.merchant_id as "merchantId",
  entry_settings.campaign_id as "campaignId",
  entry_settings.version,
  entry_settings.revision,
  entry_settings.changed_at as "changedAt",
  entry_settings.settings,
  entry_forms.fields,
  entry_forms.terms,
  entry_forms.terms_sha256 as "termsHash",
  entry_forms.closes_at as "closesAt",
  coalesce(entry_counts.entered, 0) as entered,
  coalesce(entry_counts.verified, 0) as verified
from entry_settings
join entry_forms using (merchant_id, campaign_id, version)
left join entry_counts using (merchant_id, campaign_id)
where entry_settings.merchant_id = $1
and entry_settings.campaign_id = $2`)

const readForm = statement<Pick<CampaignEntry, 'version' | 'fields' | 'terms' | 'termsHash' | 'closesAt'>>(`
select version, fields, terms, terms_sha256 as "termsHash", closes_at as "closesAt"
from entry_forms
where merchant_id = $1
and campaign_id = $2
and version = $3`)

const list = statement<FormVersion>(`
select
  version,
  fields,
  terms,
  terms_sha256 as "termsHash",
  closes_at as "closesAt",
  reason,
  actor,
  created_at as "createdAt"
from entry_forms
where merchant_id = $1
and campaign_id = $2
and version < $3
order by version desc
limit $4`)

const readFields = statement<Pick<EntryField, 'id' | 'kind'>>(`
select field ->> 'id' as id, (array_agg(field ->> 'kind' order by version desc))[1] as kind
from entry_forms
cross join lateral jsonb_array_elements(fields) with ordinality as listed (field, place)
where merchant_id = $1
and campaign_id = $2
group by 1
order by min(version), min(place)`)

const listCampaigns = statement<{ slug: string }>(`
select ${slugOf('entry_settings.campaign_id')} as slug
from entry_settings
where merchant_id = $1
order by campaign_id`)

const lock = statement(`
insert into entry_counts (merchant_id, campaign_id)
values ($1, $2)
on conflict (merchant_id, campaign_id) do update
set entered = entry_counts.entered`)

const insertVersion = statement<{ version: number }>(`
insert into entry_forms (
  merchant_id, campaign_id, version, fields, terms, terms_sha256, reason, actor, created_at, closes_at
)
select $1, $2, coalesce(max(version), 0) + 1, $3::jsonb, $4::jsonb, $5, $6, $7, $8::timestamptz, $9::timestamptz
from entry_forms
where merchant_id = $1
and campaign_id = $2
returning version`)

const insertTexts = statement(`
insert into entry_texts (sha256, content)
select *
from unnest($1::text[], $2::text[])
on conflict (sha256) do nothing`)

const upsert = statement(`
insert into entry_settings (merchant_id, campaign_id, settings, version, revision, changed_at)
values ($1, $2, $3::jsonb, $4, 1, $5)
on conflict (merchant_id, campaign_id) do update
set
  settings = excluded.settings,
  version = excluded.version,
  revision = entry_settings.revision + 1,
  changed_at = excluded.changed_at`)

const insertCounts = statement(`
insert into entry_counts (merchant_id, campaign_id)
values ($1, $2)
on conflict do nothing`)

const remove = statement(`
delete from entry_settings
where merchant_id = $1
and campaign_id = $2`)

const count = statement<{ entered: number }>(`
update entry_counts
set
  entered = entered + $3::int,
  verified = verified + $4::int
where merchant_id = $1
and campaign_id = $2
and ($3::int = 0 or $5::int is null or entered + $3::int <= $5::int)
returning entered`)

const readCount = statement<{ entered: number }>(`
select entered
from entry_counts
where merchant_id = $1
and campaign_id = $2`)

const countDays = statement(`
insert into entry_days (merchant_id, campaign_id, day, happened, count)
select *
from unnest($1::int[], $2::int[], $3::date[], $4::text[], $5::int[])
  as counted (merchant_id, campaign_id, day, happened, count)
order by merchant_id, campaign_id, day, happened
on conflict (merchant_id, campaign_id, day, happened) do update
set count = entry_days.count + excluded.count`)
