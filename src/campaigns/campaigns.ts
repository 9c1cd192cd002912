import {
  type CampaignJson,
  campaignJson,
  campaignNumber,
  type CampaignRef,
  isMain,
  mainCampaign,
  slugOf,
  withDates,
} from '../campaign-ref.ts'
import { type Queryable, statement } from '../db/database.ts'
import { Refusal } from '../refusals.ts'
import { scheduledJson } from '../scheduled/scheduled-changes.ts'
import { merchantTime, timeOf } from '../test-clock.ts'
import type { Campaign, CampaignSettings } from './campaign.ts'

/** A merchant's campaigns after an id, in the order of their ids. */
export async function listCampaigns(
  db: Queryable,
  merchantId: number,
  page: { after: string; limit: number; isArchived: boolean },
): Promise<Campaign[]> {
  return db.query(list, [merchantId, page.after, page.limit, page.isArchived])
}

export async function readCampaign(
  db: Queryable,
  key: { merchantId: number; slug: string },
): Promise<Campaign | undefined> {
  const [campaign] = await db.query(find, [key.merchantId, key.slug])
  return campaign
}

export async function findCampaign(db: Queryable, merchantId: number, slug: string): Promise<Campaign> {
  const campaign = await readCampaign(db, { merchantId, slug })
  if (campaign === undefined) throw new Refusal('campaign_not_found')
  return campaign
}

/** A campaign for grants, links and plays; undefined if there is none. */
export async function readCampaignRef(
  db: Queryable,
  merchantId: number,
  slug: string,
): Promise<CampaignRef | undefined> {
  if (isMain({ slug })) return mainCampaign
  const [found] = await db.query(readRef, [merchantId, slug])
  return found && withDates(found.campaign)
}

/** How many campaigns are not archived. Call it while the merchant's row is locked. */
export async function countLiveCampaigns(tx: Queryable, merchantId: number): Promise<number> {
  const [counted] = await tx.query(countLive, [merchantId])
  return counted?.count ?? 0
}

/** What the merchant's own systems may grant. */
export async function readGrantLimits(
  tx: Queryable,
  merchantId: number,
): Promise<{ grantMax: number; dailyGrantMax: number | null }> {
  const [limits] = await tx.query(readLimits, [merchantId])
  if (limits === undefined) throw new Refusal('merchant_not_found')
  return limits
}

/** Changes to a merchant's campaigns happen one after another. */
export async function lockCampaigns(tx: Queryable, merchantId: number): Promise<void> {
  await tx.query(lockMerchant, [merchantId])
}

type NewCampaign = CampaignSettings &
  Pick<Campaign, 'freeSpins'> & {
    merchantId: number
    slug: string
    wheelId: number
    /** Null for a purse of its own. */
    purseId: number | null
    now: Date
  }

/** Inserts a campaign. False if the id is taken. */
export async function insertCampaign(tx: Queryable, campaign: NewCampaign): Promise<boolean> {
  const inserted = await tx.query(insert, [
    campaign.merchantId,
    campaign.slug,
    campaign.name,
    campaign.wheelId,
    campaign.purseId,
    campaign.priority,
    campaign.opensAt,
    campaign.closesAt,
    JSON.stringify(campaign.texts),
    campaign.now,
    campaign.spinLifetimeDays,
    jsonOf(campaign.freeSpins),
  ])
  const [row] = inserted
  if (row !== undefined) await keepRule(tx, { ...campaign, ...row })
  return row !== undefined
}

/** Writes the settings and the pause. The wheel of `main` is not in its row, but in the merchant's. */
export async function updateCampaign(tx: Queryable, campaign: Campaign): Promise<void> {
  const { merchantId, slug, name, priority, opensAt, closesAt, texts, pausedAt, spinLifetimeDays } = campaign
  const wheelId = isMain(campaign) ? null : campaign.wheelId
  const settings = [name, priority, opensAt, closesAt, JSON.stringify(texts), pausedAt]
  const rest = [jsonOf(campaign.freeSpins), wheelId, spinLifetimeDays]
  await tx.query(update, [merchantId, slug, ...settings, ...rest])
  await keepRule(tx, campaign)
}

/** Keeps the rule for the audit, also when the campaign has another one. */
async function keepRule(
  tx: Queryable,
  { merchantId, campaignId, freeSpins }: Pick<Campaign, 'merchantId' | 'campaignId' | 'freeSpins'>,
): Promise<void> {
  if (freeSpins !== null)
    await tx.query(insertRule, [merchantId, campaignId, freeSpins.since, jsonOf(freeSpins)])
}

function jsonOf(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}

export async function setArchived(tx: Queryable, campaignId: number, archivedAt: Date | null): Promise<void> {
  await tx.query(updateArchived, [campaignId, archivedAt])
}

/** A campaign whose date has passed, and the time of its merchant. */
type PassedDate = TakenDate & { now: Date }
type TakenDate = Pick<Campaign, 'merchantId' | 'slug' | 'opensAt' | 'closesAt'>

/** The campaigns that have opened or closed by their dates, each date once over all processes. */
export async function takePassedDates(
  tx: Queryable,
  which: 'opening' | 'closing',
  { now, limit }: { now: Date; limit: number },
): Promise<PassedDate[]> {
  const [live, test] = which === 'opening' ? takeOpenings : takeClosings
  const taken = [...(await tx.query(live, [now, limit])), ...(await tx.query(test, [now, limit]))]
  return taken.map(({ clockAheadMs, ...date }) => ({ ...date, now: timeOf({ clockAheadMs }, now) }))
}

// The purse belongs to a campaign of the same merchant. Of the document, only the schedule is read.
const select = `
select
  ${campaignNumber} as "campaignId",
  campaigns.merchant_id as "merchantId",
  campaigns.slug,
  campaigns.name,
  campaigns.purse_id as "purseId",
  ${slugOf('campaigns.purse_id')} as purse,
  wheels.wheel_id as "wheelId",
  wheels.slug as wheel,
  shown.document ->> 'name' as "wheelName",
  wheels.published_version as "wheelVersion",
  wheels.paused_at as "wheelPausedAt",
  jsonb_strip_nulls(jsonb_build_object(
    'timeZone', shown.document -> 'timeZone',
    'opensAt', shown.document -> 'opensAt',
    'closesAt', shown.document -> 'closesAt',
    'openDays', shown.document -> 'openDays',
    'openHours', shown.document -> 'openHours'
  )) as schedule,
  campaigns.priority,
  campaigns.opens_at as "opensAt",
  campaigns.closes_at as "closesAt",
  campaigns.texts,
  campaigns.spin_lifetime_days as "spinLifetimeDays",
  campaigns.free_spins as "freeSpins",
  campaigns.revision,
  campaigns.paused_at as "pausedAt",
  campaigns.archived_at as "archivedAt",
  ${scheduledJson('campaign_wheel', { merchantId: '$1::int', subject: 'campaigns.slug' })} as scheduled,
  campaigns.created_at as "createdAt"
from campaigns
join merchants using (merchant_id)
join wheels
  on wheels.wheel_id = coalesce(campaigns.wheel_id, merchants.wheel_id)
cross join lateral (
  select coalesce(
    (
      select document
      from wheel_versions
      where wheel_versions.wheel_id = wheels.wheel_id
      and wheel_versions.version = wheels.published_version
    ),
    wheels.draft
  ) as document
) as shown`

const list = statement<Campaign>(`
${select}
where campaigns.merchant_id = $1
and campaigns.slug > $2
and (campaigns.archived_at is not null) = $4
order by campaigns.slug
limit $3`)

const find = statement<Campaign>(`
${select}
where campaigns.merchant_id = $1
and campaigns.slug = $2`)

const readRef = statement<{ campaign: CampaignJson }>(`
select ${campaignJson} as campaign
from campaigns
join wheels using (wheel_id)
where campaigns.merchant_id = $1
and campaigns.slug = $2`)

const countLive = statement<{ count: number }>(`
select count(*)::int as count
from campaigns
where merchant_id = $1
and archived_at is null`)

const readLimits = statement<{ grantMax: number; dailyGrantMax: number | null }>(`
select grant_max as "grantMax", daily_grant_max as "dailyGrantMax"
from merchants
where merchant_id = $1`)

const lockMerchant = statement(`
select merchant_id
from merchants
where merchant_id = $1
for update`)

// A purse of its own has the number of the campaign.
const insert = statement<{ campaignId: number }>(`
insert into campaigns (
  campaign_id, merchant_id, slug, name, wheel_id, purse_id, priority, opens_at, closes_at, texts, created_at,
  spin_lifetime_days, free_spins
)
overriding system value
select made.id, $1, $2, $3, $4, coalesce($5, made.id), $6, $7, $8, $9, $10, $11, $12
from (select nextval(pg_get_serial_sequence('campaigns', 'campaign_id'))::int as id) as made
on conflict (merchant_id, slug) do nothing
returning campaign_id as "campaignId"`)

// Two changes in one millisecond: the first rule was never used.
const insertRule = statement(`
insert into free_spin_rules (merchant_id, campaign_id, since, rule)
values ($1, $2, $3, $4)
on conflict (merchant_id, campaign_id, since) do update
set rule = excluded.rule`)

const update = statement(`
update campaigns
set
  name = $3,
  priority = $4,
  opens_at = $5,
  closes_at = $6,
  texts = $7,
  paused_at = $8,
  free_spins = $9,
  wheel_id = $10,
  spin_lifetime_days = $11,
  revision = revision + 1
where merchant_id = $1
and slug = $2`)

const updateArchived = statement(`
update campaigns
set archived_at = $2, revision = revision + 1
where campaign_id = $1`)

const take = (date: string, told: string, hasPassed: string) =>
  statement<TakenDate & { clockAheadMs: number | null }>(`
update campaigns
set ${told} = ${date}
from merchants
where merchants.merchant_id = campaigns.merchant_id
and campaign_id in (
  select campaign_id
  from campaigns
  where archived_at is null
  and ${date} is distinct from ${told}
  and ${hasPassed}
  order by ${date}
  limit $2
  for update skip locked
)
returning
  campaigns.merchant_id as "merchantId",
  campaigns.slug,
  opens_at as "opensAt",
  closes_at as "closesAt",
  clock_ahead_ms as "clockAheadMs"`)

/** For live merchants by index; then for test merchants, whose clocks are ahead. */
const takeBoth = (date: 'opens_at' | 'closes_at', told: 'opening_told' | 'closing_told') =>
  [
    take(date, told, `${date} <= $1`),
    take(
      date,
      told,
      `merchant_id in (
    select merchant_id
    from merchants
    where test_of is not null
    and replaced_at is null
    and ${date} <= ${merchantTime('$1')}
  )`,
    ),
  ] as const

const takeOpenings = takeBoth('opens_at', 'opening_told')
const takeClosings = takeBoth('closes_at', 'closing_told')
