import type { Database } from '../db/database.ts'
import { shownPromotion } from '../http/answers/promotions.ts'
import { findMerchant } from '../merchants/merchants.ts'
import { Mistake } from '../mistake.ts'
import { Refusal } from '../refusals.ts'
import { promote } from '../test-mode/promote.ts'
import { type PromotionOrder, readPromotion } from '../test-mode/promotion.ts'
import { promotionLines } from '../test-mode/promotion-text.ts'
import { commandCause, counting, type JsonOption, print, withDatabase } from './output.ts'

export type PromoteOptions = JsonOption & {
  wheel?: string
  campaign?: string
  publish?: boolean
  revision?: string
}

/** Without a revision, shows the promotion. With the revision that was shown, makes it. */
export async function runPromotion(slug: string, options: PromoteOptions): Promise<void> {
  const { revision } = options
  await withDatabase(async (db) => {
    const { testOf, testName } = await findMerchant(db, slug)
    if (testOf === null) throw new Refusal('test_merchant_needed')
    const live = { merchantId: testOf }
    const order = { ...orderIn(options), testName }
    if (revision === undefined) await show(db, live, order, options)
    else await make(db, live, { ...order, revision }, options)
  })
}

async function show(
  db: Database,
  live: { merchantId: number },
  order: PromotionOrder,
  options: PromoteOptions,
): Promise<void> {
  const now = new Date()
  const promotion = await readPromotion(db, live, { ...order, now })
  const { revision, changes } = promotion
  const next = changes.length === 0 ? [] : ['', `To promote it, add: --revision ${revision}`]
  const lines = [...promotionLines(promotion, now), ...next]
  print(shownPromotion(promotion, { now, seesCodes: true }), options, lines.join('\n'))
}

async function make(
  db: Database,
  live: { merchantId: number },
  order: PromotionOrder & { revision: string },
  options: PromoteOptions,
): Promise<void> {
  const { wheel, campaign, changes, version } = await promote(db, live, order, commandCause())
  const made = { wheel: wheel.slug, campaign: campaign?.slug ?? null, changes: changes.length, version }
  const published = version === null ? 'The live draft is ready.' : `Version ${version} is published.`
  print(made, options, `${counting(changes.length, 'field')} changed. ${published}`)
}

function orderIn({ wheel, campaign, publish = false }: PromoteOptions): Omit<PromotionOrder, 'testName'> {
  const slug = wheel ?? campaign
  if (slug === undefined || (wheel !== undefined && campaign !== undefined))
    throw new Mistake('Name what to promote: --wheel <id> or --campaign <id>.')
  return { kind: wheel === undefined ? 'campaign' : 'wheel', slug, publishes: publish }
}
