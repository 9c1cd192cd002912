import { createHash } from 'node:crypto'
import { type Database, type Queryable, statement, type Transaction } from '../db/database.ts'
import { lockMerchant } from '../db/merchant-lock.ts'
import { insertEvents } from '../events/event-pages.ts'
import type { Cause } from '../audit-log/audit-log.ts'
import { readPools } from '../stock/code-pools.ts'
import { forgetFailed, scheduledJson } from '../scheduled/scheduled-changes.ts'
import { readStocks, setStocks } from '../stock/prize-stocks.ts'
import { merchantQuotas, quotaReached } from '../merchant-quotas.ts'
import { type FieldError, Refusal } from '../refusals.ts'
import { checkPaces } from '../pacing/check-paces.ts'
import { checkWheel, notPublishable } from '../wheel-document/check-wheel.ts'
import type { CheckedWheel, Dependents } from './dependents.ts'
import { editorsOf, recordPublication, recordSave, recordWheel } from './record-wheel.ts'
import { insertPause } from './interruptions.ts'
import { insertSegments } from './version-segments.ts'
import { publishedText } from '../wheel-document/published-text.ts'
import { type CountRun, pacesByPrize, readRunsOfDraft, startRuns } from '../pacing/start-runs.ts'
import { followTranslations } from '../wheel-document/translated-from.ts'
import { defaultWheel, type WheelDocument } from '../wheel-document/wheel-document.ts'
import type { Wheel, WheelVersion } from '../wheel-document/wheel-types.ts'
import { insertVersion, versionBefore } from './wheel-versions.ts'

/** Publishes the default wheel as `main`, unless there is one already, and returns the wheel's number. */
export async function publishFirstWheel(
  tx: Queryable,
  { merchantId, timeZone, now }: { merchantId: number; timeZone: string; now: Date },
): Promise<number> {
  const existing = await readWheel(tx, { merchantId, slug: 'main' })
  const draft = { ...defaultWheel, timeZone }
  const wheel = existing ?? (await upsertDraft(tx, { merchantId, slug: 'main', draft, now }, []))
  if (wheel.publishedVersion === null) await publish(tx, wheel, now)
  return wheel.wheelId
}

/** All wheels, or those of a page, by id. `only` is the number of the one wheel that the caller may see, if so. */
export async function listWheels(
  db: Queryable,
  merchantId: number,
  page: { after: string; limit: number | null; only: number | null } = { after: '', limit: null, only: null },
): Promise<Wheel[]> {
  return db.query(list, [merchantId, page.after, page.limit, page.only])
}

export async function readWheel(
  db: Queryable,
  key: { merchantId: number; slug: string },
): Promise<Wheel | undefined> {
  const [wheel] = await db.query(find, [key.merchantId, key.slug])
  return wheel
}

export async function findWheel(db: Queryable, merchantId: number, slug: string): Promise<Wheel> {
  const wheel = await readWheel(db, { merchantId, slug })
  if (wheel === undefined) throw new Refusal('wheel_not_found')
  return wheel
}

type DraftOrder = { merchantId: number; slug: string; draft: WheelDocument; now: Date }

/**
 * Saves a draft, and creates the wheel if it is new. `revision` is the draft that the editor started from: if it has
 * changed since, the save is refused, so that no other change is lost. Without it, the last save wins.
 */
export async function saveDraft(
  db: Database,
  order: DraftOrder & { revision: number | undefined },
  cause?: Cause,
): Promise<Wheel> {
  return db.transaction(async (tx) => {
    const [earlier] = await tx.query(lock, [order.merchantId, order.slug])
    const editors = editorsOf(earlier, cause)
    const isNew = earlier === undefined && order.revision === undefined
    if (isNew) await refuseTooMany(tx, order)
    const save = order.revision === undefined ? upsertDraft : replaceDraft
    const draft = followTranslations(earlier?.draft, order.draft)
    const saved = await save(tx, { ...order, draft }, editors)
    await recordSave(tx, { earlier, saved }, cause)
    return saved
  })
}

/** Creates a wheel with this draft. Refused if there is one with its id. */
export async function insertDraft(tx: Queryable, order: DraftOrder, cause: Cause): Promise<void> {
  const [earlier] = await tx.query(lock, [order.merchantId, order.slug])
  if (earlier !== undefined) throw new Refusal('wheel_exists')
  await refuseTooMany(tx, order)
  const saved = await upsertDraft(tx, order, editorsOf(undefined, cause))
  await recordSave(tx, { earlier, saved }, cause)
}

async function replaceDraft(
  tx: Queryable,
  { merchantId, slug, draft, revision, now }: DraftOrder & { revision?: number | undefined },
  editors: string[],
): Promise<Wheel> {
  const saved = await tx.query(updateDraft, [merchantId, slug, draft, revision, editors, now])
  if (saved.length === 0) throw new Refusal('draft_changed')
  return findWheel(tx, merchantId, slug)
}

/** Saves a draft as part of a change that has its own entry in the audit log. */
export async function writeDraft(
  tx: Queryable,
  order: DraftOrder,
  { earlier, cause }: { earlier: Wheel | undefined; cause: Cause },
): Promise<Wheel> {
  if (earlier === undefined) await refuseTooMany(tx, order)
  return upsertDraft(tx, order, editorsOf(earlier, cause))
}

/** Refuses a new wheel if the merchant has as many others as it can have. */
async function refuseTooMany(tx: Queryable, { merchantId, slug }: DraftOrder): Promise<void> {
  await lockMerchant(tx, merchantId)
  const [others] = await tx.query(countOthers, [merchantId, slug])
  if ((others?.count ?? 0) >= merchantQuotas.wheels)
    throw new Refusal('merchant_limit_reached', { detail: quotaReached('wheels') })
}

async function upsertDraft(db: Queryable, order: DraftOrder, editors: string[]): Promise<Wheel> {
  const { merchantId, slug, draft, now } = order
  await db.query(upsert, [merchantId, slug, draft, now, editors])
  return findWheel(db, merchantId, slug)
}

/** Copies a wheel, its draft and what is published of it, to another merchant. Returns the number of the copy. */
export async function copyWheel(
  tx: Queryable,
  wheel: Wheel,
  { merchantId, now }: { merchantId: number; now: Date },
): Promise<number> {
  const { slug, draft } = wheel
  const published = await versionBefore(tx, wheel)
  const order = { merchantId, slug, now }
  const copy = await upsertDraft(tx, { ...order, draft: published?.document ?? draft }, [])
  if (published !== undefined) {
    await publish(tx, copy, now)
    await upsertDraft(tx, { ...order, draft }, [])
  }
  return copy.wheelId
}

/** The problems that prevent a draft from being published. */
export async function checkDraft(db: Queryable, wheel: CheckedWheel, now: Date): Promise<FieldError[]> {
  const found = await readPools(db, wheel.merchantId)
  const pools = new Map(found.map(({ pool, uploaded, taken }) => [pool, { codesLeft: uploaded - taken }]))
  const earlier = pacesByPrize(await versionBefore(db, wheel))
  const { given } = await readGiven(db, wheel, now)
  return [...checkWheel(wheel.draft, { pools, given }), ...checkPaces(wheel.draft, now, earlier)]
}

/** How many of each limited prize were given out; of a paced prize or the budget, in the run that goes on. */
export async function readGiven(
  db: Queryable,
  wheel: CheckedWheel,
  now: Date,
  countRun?: CountRun,
): Promise<{ given: Map<string, number>; endedRuns: string[] }> {
  const stocks = await readStocks(db, wheel)
  const runs = await readRunsOfDraft(db, wheel, { before: await versionBefore(db, wheel), now, countRun })
  const given = new Map([...stocks.map((stock) => [stock.prizeId, stock.given] as const), ...runs.given])
  return { given, endedRuns: runs.ended }
}

/** Publishes the draft: it is played from now on. A draft with problems is refused, with the reasons. */
export async function publishWheel(
  db: Database,
  order: { merchantId: number; slug: string; now: Date; revision?: number | undefined },
  cause?: Cause,
  dependents?: Dependents,
): Promise<WheelVersion> {
  return db.transaction(async (tx) => {
    const wheel = await lockWheel(tx, order)
    const { merchantId, slug: subject, revision, now } = order
    if (revision !== undefined && revision !== wheel.draftRevision) throw new Refusal('draft_changed')
    await forgetFailed(tx, { merchantId, kind: 'publication', subject })
    const published = await publishLocked(tx, wheel, { now, cause, dependents })
    if ('errors' in published) throw notPublishable(published.errors)
    return published
  })
}

/** Publishes the draft of a locked wheel, or returns its problems. */
export async function publishLocked(
  tx: Transaction,
  wheel: Wheel,
  { now, cause, dependents }: { now: Date; cause?: Cause | undefined; dependents?: Dependents | undefined },
): Promise<WheelVersion | { errors: FieldError[] }> {
  const errors = [...(await checkDraft(tx, wheel, now)), ...((await dependents?.check(tx, wheel, now)) ?? [])]
  if (errors.length > 0) return { errors }
  const earlier = await versionBefore(tx, wheel)
  const version = await publish(tx, wheel, now, earlier)
  await recordPublication(tx, wheel, { earlier, version }, cause)
  if (cause !== undefined) await dependents?.follow(tx, wheel, cause)
  return version
}

/** The wheel, locked until the transaction ends. */
export async function lockWheel(
  tx: Queryable,
  { merchantId, slug }: { merchantId: number; slug: string },
): Promise<Wheel> {
  const [wheel] = await tx.query(lock, [merchantId, slug])
  if (wheel === undefined) throw new Refusal('wheel_not_found')
  return wheel
}

async function publish(tx: Queryable, wheel: Wheel, now: Date, before?: WheelVersion): Promise<WheelVersion> {
  const document = wheel.draft
  const version = (wheel.publishedVersion ?? 0) + 1
  const published = publishedText(document, await startRuns(tx, wheel, { before, version, now }))
  const sha256 = createHash('sha256').update(published).digest('hex')
  await setStocks(tx, wheel, document.segments)
  await insertVersion(tx, { wheelId: wheel.wheelId, version, document, published, sha256, publishedAt: now })
  await insertSegments(tx, { wheelId: wheel.wheelId, version }, document.segments)
  await tx.query(updatePublishedVersion, [wheel.wheelId, version, wheel.draftRevision])
  const { merchantId, slug } = wheel
  await insertEvents(tx, [{ merchantId, type: 'wheel.published', at: now, data: { wheel: slug, version } }])
  return { wheelId: wheel.wheelId, version, document, published, sha256, publishedAt: now }
}

/** Pauses a wheel, or ends its pause. Repeating it changes nothing and writes no event. */
export async function setPause(
  db: Database,
  order: { merchantId: number; slug: string; isPaused: boolean; now: Date },
  cause?: Cause,
): Promise<Wheel> {
  const { merchantId, slug, isPaused, now } = order
  return db.transaction(async (tx) => {
    const wheel = await lockWheel(tx, order)
    if ((wheel.pausedAt !== null) === isPaused) return wheel
    await tx.query(updatePause, [merchantId, slug, isPaused ? now : null])
    const changed = await findWheel(tx, merchantId, slug)
    const type = isPaused ? 'wheel.paused' : 'wheel.resumed'
    if (wheel.pausedAt !== null) await insertPause(tx, wheel, { startsAt: wheel.pausedAt, endsAt: now })
    await insertEvents(tx, [{ merchantId, type, at: now, data: { wheel: slug } }])
    await recordWheel(tx, wheel, { action: isPaused ? 'wheel.pause' : 'wheel.resume' }, cause)
    return changed
  })
}

export async function listMerchantsWithoutWheel(db: Queryable): Promise<number[]> {
  return (await db.query(withoutWheel)).map((row) => row.merchantId)
}

const wheelColumns = `
  wheels.wheel_id as "wheelId",
  wheels.merchant_id as "merchantId",
  wheels.slug,
  wheels.draft,
  wheels.draft_revision as "draftRevision",
  wheels.draft_editors as "draftEditors",
  wheels.draft_saved_at as "draftSavedAt",
  wheels.published_version as "publishedVersion",
  wheels.paused_at as "pausedAt",
  (
    select document - '{segments,look,texts}'::text[]
    from wheel_versions
    where wheel_versions.wheel_id = wheels.wheel_id
    and wheel_versions.version = wheels.published_version
  ) as schedule,
  exists (
    select
    from merchants
    where merchants.merchant_id = wheels.merchant_id
    and merchants.wheel_id = wheels.wheel_id
    union all
    select
    from campaigns
    where campaigns.merchant_id = wheels.merchant_id
    and campaigns.wheel_id = wheels.wheel_id
    and campaigns.archived_at is null
  ) as "isOpenedByLinks",
  ${scheduledJson('publication', { merchantId: 'wheels.merchant_id', subject: 'wheels.slug' })} as scheduled,
  wheels.created_at as "createdAt"`

const list = statement<Wheel>(`
select ${wheelColumns}
from wheels
where merchant_id = $1
and slug > $2
and ($4::int is null or wheel_id = $4)
order by slug
limit $3`)

const find = statement<Wheel>(`
select ${wheelColumns}
from wheels
where merchant_id = $1
and slug = $2`)

const lock = statement<Wheel>(`
select ${wheelColumns}
from wheels
where merchant_id = $1
and slug = $2
for update`)

const countOthers = statement<{ count: number }>(`
select count(*)::int as count
from wheels
where merchant_id = $1
and slug <> $2`)

const upsert = statement(`
insert into wheels (merchant_id, slug, draft, created_at, draft_editors, draft_saved_at)
values ($1, $2, $3, $4, $5, $4)
on conflict (merchant_id, slug) do update
set
  draft = excluded.draft,
  draft_revision = wheels.draft_revision + 1,
  draft_editors = excluded.draft_editors,
  draft_saved_at = excluded.draft_saved_at`)

const updateDraft = statement<{ revision: number }>(`
update wheels
set
  draft = $3,
  draft_revision = draft_revision + 1,
  draft_editors = $5,
  draft_saved_at = $6
where merchant_id = $1
and slug = $2
and draft_revision = $4
returning draft_revision as revision`)

// A scheduled version may be older than the draft, which then keeps its editors.
const updatePublishedVersion = statement(`
update wheels
set
  published_version = $2,
  draft_editors = case when draft_revision = $3 then '{}' else draft_editors end
where wheel_id = $1`)

const updatePause = statement(`
update wheels
set paused_at = $3
where merchant_id = $1
and slug = $2`)

const withoutWheel = statement<{ merchantId: number }>(`
select merchant_id as "merchantId"
from merchants
where wheel_id is null`)
