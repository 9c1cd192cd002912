import { listCampaigns } from '../campaigns/campaigns.ts'
import type { Queryable } from '../db/database.ts'
import { liveCampaignsMax } from '../limits.ts'
import { type FieldError, Refusal } from '../refusals.ts'
import { readPools } from '../stock/code-pools.ts'
import { readStocks } from '../stock/prize-stocks.ts'
import { compareWheels, type WheelChange } from '../wheel-document/compare-wheels.ts'
import type { WheelDocument } from '../wheel-document/wheel-document.ts'
import type { Wheel } from '../wheel-document/wheel-types.ts'
import { versionBefore } from '../wheels/wheel-versions.ts'
import { checkDraft, findWheel, readGiven, readWheel } from '../wheels/wheels.ts'

/** The wheel of a promotion: the document that the live wheel gets, and what that means. */
export type PromotedWheel = {
  slug: string
  document: WheelDocument
  /** The live wheel; undefined if it is new. */
  live: Wheel | undefined
  changes: WheelChange[]
  /** The limited prizes. `isKept`: the stock is that of the live wheel. */
  stock: { segment: string; stock: number; given: number; isKept: boolean }[]
  /** The pools of the live merchant that it uses; null for one that does not exist. */
  pools: { pool: string; codesLeft: number | null }[]
  /** Why the document can't be published. */
  problems: FieldError[]
  replacesDraft: boolean
  isDraftOfTestNewer: boolean
  endedRuns: string[]
  /** The live campaigns that play it. */
  campaigns: string[]
}

/** Compares with the version that players play if it is to be published, and otherwise with the draft. */
export async function readPromotedWheel(
  db: Queryable,
  { live, test, slug, publishes, now }: WheelOrder,
): Promise<PromotedWheel> {
  const tested = await findWheel(db, test.merchantId, slug)
  const version = await versionBefore(db, tested)
  if (version === undefined) throw new Refusal('wheel_not_tested')
  const wheel = await readWheel(db, { merchantId: live.merchantId, slug })
  const played = wheel && (await versionBefore(db, wheel))?.document
  const earlier = played ?? wheel?.draft
  const document = promotedDocument(version.document, earlier)
  const { wheelId, publishedVersion } = wheel ?? { wheelId: 0, publishedVersion: null }
  const made = { wheelId, merchantId: live.merchantId, draft: document, publishedVersion }
  const base = publishes ? played : wheel?.draft
  return {
    slug,
    document,
    live: wheel,
    changes: differences(base, document).map((one) => ({ ...one, path: `/wheel${one.path}` })),
    stock: await stockOf(db, made, earlier),
    pools: await poolsOf(db, made),
    problems: await checkDraft(db, made, now),
    replacesDraft:
      wheel !== undefined && isDifferent(played, wheel.draft) && isDifferent(wheel.draft, document),
    isDraftOfTestNewer: isDifferent(version.document, tested.draft),
    endedRuns: publishes ? (await readGiven(db, made, now)).endedRuns : [],
    campaigns: await campaignsWith(db, live.merchantId, slug),
  }
}

type WheelOrder = {
  live: { merchantId: number }
  test: { merchantId: number }
  slug: string
  publishes: boolean
  now: Date
}

/**
 * The document of the test merchant. Stock is no rule, but what the merchant has: a prize that the live wheel has
 * already keeps its live stock. A limit that is new, or gone, is as in the test.
 */
function promotedDocument(tested: WheelDocument, live: WheelDocument | undefined): WheelDocument {
  const liveStock = new Map(live?.segments.map(({ id, stock }) => [id, stock]))
  const segments = tested.segments.map((segment) => {
    const stock = liveStock.get(segment.id)
    return segment.stock === undefined || stock === undefined ? segment : { ...segment, stock }
  })
  return { ...tested, segments }
}

/** Of a new wheel, every field is a difference. */
function differences(before: WheelDocument | undefined, after: WheelDocument): WheelChange[] {
  return compareWheels(before ?? ({ segments: [] as WheelDocument['segments'] } as WheelDocument), after)
}

function isDifferent(before: WheelDocument | undefined, after: WheelDocument): boolean {
  return differences(before, after).length > 0
}

type Made = { wheelId: number; merchantId: number; draft: WheelDocument }

async function stockOf(db: Queryable, made: Made, earlier: WheelDocument | undefined) {
  const counted = await readStocks(db, made)
  return made.draft.segments.flatMap(({ id, stock }) => {
    if (stock === undefined) return []
    const given = counted.find(({ prizeId }) => prizeId === id)?.given ?? 0
    const isKept = earlier?.segments.some((one) => one.id === id && one.stock !== undefined) ?? false
    return [{ segment: id, stock, given, isKept }]
  })
}

async function poolsOf(db: Queryable, made: Made) {
  const known = await readPools(db, made.merchantId)
  const names = new Set(made.draft.segments.flatMap(({ prize }) => prize.pool ?? []))
  return [...names].map((pool) => {
    const found = known.find((one) => one.pool === pool)
    return { pool, codesLeft: found === undefined ? null : found.uploaded - found.taken }
  })
}

async function campaignsWith(db: Queryable, merchantId: number, wheel: string): Promise<string[]> {
  const all = await listCampaigns(db, merchantId, { after: '', limit: liveCampaignsMax, isArchived: false })
  return all.filter((campaign) => campaign.wheel === wheel).map(({ slug }) => slug)
}
