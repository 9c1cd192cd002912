import assert from 'node:assert/strict'
import { type Queryable, statement } from '../db/database.ts'
import { Mistake } from '../mistake.ts'
import { testPrefix } from '../test-clock.ts'
import { Refusal } from '../refusals.ts'
import { insertMain } from './main-campaign.ts'

export type Merchant = MerchantSettings & {
  merchantId: number
  slug: string
  name: string
  linksValidFrom: Date | null
  suspendedAt: Date | null
  createdAt: Date
  /** The live merchant that this is the test merchant of; null for a live one. */
  testOf: number | null
  /** The name of a test merchant, if it has one. A live merchant has one test merchant without a name. */
  testName: string | null
  /** How far its clock is ahead of the real time; null for a live merchant. */
  clockAheadMs: number | null
}

/** The settings that a merchant may change itself. */
export type MerchantSettings = {
  strictPlayers: boolean
  grantMax: number
  dailyGrantMax: number | null
  /** Spins that a person with the role support may give on one day. */
  supportDailyGrantMax: number
  linkLifetimeSeconds: number
  /** Granted and won spins expire this many days later; null for never. */
  spinLifetimeDays: number | null
  /** How long before their expiry an event announces it; null for never. */
  spinExpiryNoticeHours: number | null
  /** How long after it a redemption can be taken back; 0 for never. */
  redemptionReversalHours: number
  /** The origins that may show the game in a frame. */
  embedOrigins: string[]
  /** Reports and staff limits use the days of this time zone. The console shows times in it. */
  timeZone: string
  /** Of the costs of prizes and of budgets; null while none is chosen. */
  currency: string | null
}

export type NewMerchant = {
  slug: string
  name: string
  timeZone?: string | undefined
  currency?: string | null | undefined
  now: Date
}

/** Inserts a merchant and its campaign `main`. */
export async function insertMerchant(
  tx: Queryable,
  { slug, name, timeZone = 'UTC', currency = null, now }: NewMerchant,
): Promise<Merchant> {
  const [inserted] = await tx.query(insert, [slug, name, now, timeZone, currency])
  const detail = `There is already a merchant with the id "${slug}".`
  if (inserted === undefined) throw new Refusal('merchant_exists', { detail })
  await insertMain(tx, inserted)
  return inserted
}

/** Names a test merchant: the live merchant, and null or the name. */
export type TestMerchantName = { testOf: number; testName: string | null }

/** The test merchants of a live merchant that are in use, the one without a name first. */
export async function listTestMerchants(db: Queryable, testOf: number): Promise<Merchant[]> {
  return db.query(listTests, [testOf])
}

/** Refused if there is none. */
export async function requireTestMerchant(
  db: Queryable,
  { testOf, testName }: TestMerchantName,
): Promise<Merchant> {
  const found = (await listTestMerchants(db, testOf)).find((one) => one.testName === testName)
  if (found !== undefined) return found
  const named = testName === null ? '' : ` with the name "${testName}"`
  throw new Refusal('merchant_not_found', { detail: `There is no test merchant${named} yet.` })
}

/** Undefined if there is already a merchant with its id. */
export async function insertTestMerchant(
  tx: Queryable,
  { testOf, testName }: TestMerchantName,
  now: Date,
): Promise<Merchant | undefined> {
  const [found] = await tx.query(findById, [testOf])
  assert(found !== undefined)
  const [inserted] = await tx.query(insertTest, [
    testSlug(found.slug, testName),
    `${found.name.slice(0, 170)} (${testName === null ? 'test' : `test ${testName}`})`,
    now,
    testOf,
    found.strictPlayers,
    found.grantMax,
    found.dailyGrantMax,
    found.supportDailyGrantMax,
    found.linkLifetimeSeconds,
    found.spinLifetimeDays,
    found.spinExpiryNoticeHours,
    found.redemptionReversalHours,
    found.embedOrigins,
    found.timeZone,
    testName,
    found.currency,
  ])
  if (inserted !== undefined) await insertMain(tx, inserted)
  return inserted
}

export function testSlug(live: string, testName: string | null): string {
  return `${testPrefix}${live}${testName === null ? '' : `_${testName}`}`
}

/** Puts a test merchant out of use. Its rows stay, its links end, and its id is free for the next one. */
export async function replaceTestMerchant(tx: Queryable, merchantId: number, realTime: Date): Promise<void> {
  await tx.query(replaceTest, [merchantId, realTime])
}

/** Moves the clock of a test merchant, which is locked. It never goes back. */
export async function moveClock(tx: Queryable, merchantId: number, clockAheadMs: number): Promise<void> {
  await tx.query(updateClock, [merchantId, clockAheadMs])
}

export async function listMerchants(db: Queryable): Promise<Merchant[]> {
  return db.query(list, [])
}

/** With a summary for the operator. */
export type ListedMerchant = Merchant & { staffCount: number; tokenCount: number }

/** Merchants after the id `after`, in the order of their ids. */
export async function listMerchantPage(
  db: Queryable,
  page: { after: string; limit: number; search: string | null; now: Date },
): Promise<ListedMerchant[]> {
  return db.query(listPage, [page.after, page.limit, page.search?.toLowerCase() ?? null, page.now])
}

export async function readMerchant(db: Queryable, slug: string): Promise<Merchant | undefined> {
  const [merchant] = await db.query(find, [slug])
  return merchant
}

export async function readMerchantByNumber(db: Queryable, merchantId: number): Promise<Merchant | undefined> {
  const [merchant] = await db.query(findById, [merchantId])
  return merchant
}

export async function findMerchant(db: Queryable, slug: string): Promise<Merchant> {
  const merchant = await readMerchant(db, slug)
  if (merchant === undefined)
    throw new Mistake(`There is no merchant with the id "${slug}". \`wheelhouse merchant list\` shows all.`)
  return merchant
}

/** Fails if the merchant may not act now. */
export function refuseSuspended(merchant: Pick<Merchant, 'suspendedAt'>): void {
  if (merchant.suspendedAt !== null) throw new Refusal('merchant_suspended')
}

export async function setSuspension(
  db: Queryable,
  slug: string,
  suspendedAt: Date | null,
): Promise<Merchant> {
  const merchant = await findMerchant(db, slug)
  await db.query(updateSuspension, [merchant.merchantId, suspendedAt])
  return findMerchant(db, slug)
}

export async function setSettings(
  db: Queryable,
  slug: string,
  settings: MerchantSettings,
): Promise<Merchant> {
  const { merchantId } = await findMerchant(db, slug)
  const {
    strictPlayers,
    grantMax,
    dailyGrantMax,
    supportDailyGrantMax,
    linkLifetimeSeconds,
    spinLifetimeDays,
    spinExpiryNoticeHours,
    redemptionReversalHours,
    embedOrigins,
    timeZone,
    currency,
  } = settings
  await db.query(updateSettings, [
    merchantId,
    strictPlayers,
    grantMax,
    dailyGrantMax,
    linkLifetimeSeconds,
    embedOrigins,
    spinLifetimeDays,
    timeZone,
    supportDailyGrantMax,
    redemptionReversalHours,
    spinExpiryNoticeHours,
    currency,
  ])
  return findMerchant(db, slug)
}

export async function revokeLinksOfMerchant(db: Queryable, merchantId: number, before: Date): Promise<void> {
  await db.query(updateLinksValidFrom, [merchantId, before])
}

/** The wheel that the merchant's game links open. */
export async function setWheelOfMerchant(db: Queryable, merchantId: number, wheelId: number): Promise<void> {
  await db.query(updateWheel, [merchantId, wheelId])
}

/** The columns of a merchant, under the names of the type. */
export const merchantColumns = `
  merchants.merchant_id as "merchantId",
  merchants.slug,
  merchants.name,
  merchants.strict_players as "strictPlayers",
  merchants.grant_max as "grantMax",
  merchants.daily_grant_max as "dailyGrantMax",
  merchants.support_daily_grant_max as "supportDailyGrantMax",
  merchants.link_lifetime_seconds as "linkLifetimeSeconds",
  merchants.spin_lifetime_days as "spinLifetimeDays",
  merchants.spin_expiry_notice_hours as "spinExpiryNoticeHours",
  merchants.redemption_reversal_hours as "redemptionReversalHours",
  merchants.embed_origins as "embedOrigins",
  merchants.time_zone as "timeZone",
  merchants.currency,
  merchants.links_valid_from as "linksValidFrom",
  merchants.suspended_at as "suspendedAt",
  merchants.created_at as "createdAt",
  merchants.test_of as "testOf",
  merchants.test_name as "testName",
  merchants.clock_ahead_ms as "clockAheadMs"`

const insert = statement<Merchant>(`
insert into merchants (slug, name, created_at, time_zone, currency)
values ($1, $2, $3, $4, $5)
on conflict (slug) do nothing
returning ${merchantColumns}`)

const insertTest = statement<Merchant>(`
insert into merchants (
  slug, name, created_at, test_of, clock_ahead_ms, strict_players, grant_max, daily_grant_max, support_daily_grant_max,
  link_lifetime_seconds, spin_lifetime_days, spin_expiry_notice_hours, redemption_reversal_hours, embed_origins, time_zone,
  test_name, currency
)
values ($1, $2, $3, $4, 0, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
on conflict (slug) do nothing
returning ${merchantColumns}`)

const findById = statement<Merchant>(`
select ${merchantColumns}
from merchants
where merchant_id = $1`)

const replaceTest = statement(`
update merchants
set
  slug = slug || '.' || merchant_id,
  replaced_at = $2,
  suspended_at = coalesce(suspended_at, $2)
where merchant_id = $1
and test_of is not null`)

const listTests = statement<Merchant>(`
select ${merchantColumns}
from merchants
where test_of = $1
and replaced_at is null
order by test_name nulls first`)

const list = statement<Merchant>(`
select ${merchantColumns}
from merchants
order by slug`)

const listPage = statement<ListedMerchant>(`
select
  ${merchantColumns},
  (
    select count(*)::int
    from staff_roles
    where staff_roles.merchant_id = merchants.merchant_id
  ) as "staffCount",
  (
    select count(*)::int
    from service_tokens
    where service_tokens.merchant_id = merchants.merchant_id
    and (revoked_at is null or revoked_at > $4)
    and (expires_at is null or expires_at > $4)
  ) as "tokenCount"
from merchants
where slug > $1
and replaced_at is null
and ($3::text is null or position($3 in slug) > 0 or position($3 in lower(name)) > 0)
order by slug
limit $2`)

const find = statement<Merchant>(`
select ${merchantColumns}
from merchants
where slug = $1`)

const updateSuspension = statement(`
update merchants
set suspended_at = $2
where merchant_id = $1
or (test_of = $1 and replaced_at is null)`)

const updateSettings = statement(`
update merchants
set
  strict_players = $2,
  grant_max = $3,
  daily_grant_max = $4,
  link_lifetime_seconds = $5,
  embed_origins = $6,
  spin_lifetime_days = $7,
  time_zone = $8,
  support_daily_grant_max = $9,
  redemption_reversal_hours = $10,
  spin_expiry_notice_hours = $11,
  currency = $12
where merchant_id = $1`)

const updateWheel = statement(`
update merchants
set wheel_id = $2
where merchant_id = $1`)

const updateLinksValidFrom = statement(`
update merchants
set links_valid_from = greatest(links_valid_from, $2)
where merchant_id = $1`)

const updateClock = statement(`
update merchants
set clock_ahead_ms = $2
where merchant_id = $1
and clock_ahead_ms <= $2`)
