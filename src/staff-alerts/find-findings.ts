import type { AlertCause } from './alert-causes.ts'
import { findLowBudgets } from './causes/budget.ts'
import { findEndedCampaigns, findOpenedCampaigns } from './causes/campaign-dates.ts'
import { findLowPools } from './causes/codes.ts'
import { findDrifts } from './causes/drift.ts'
import { findUncheckedPrizes } from './causes/held-prizes.ts'
import { findGoneStock, findLowStock } from './causes/stock.ts'
import { findSummaries } from './causes/summary.ts'
import { findFailingWebhooks } from './causes/webhooks.ts'
import type { FindFindings } from './finding.ts'

export const findFindings: Record<AlertCause, FindFindings> = {
  stock_low: findLowStock,
  stock_gone: findGoneStock,
  budget_low: findLowBudgets,
  codes_low: findLowPools,
  prizes_unchecked: findUncheckedPrizes,
  campaign_opened: findOpenedCampaigns,
  campaign_ended: findEndedCampaigns,
  webhook_failing: findFailingWebhooks,
  draws_drift: findDrifts,
  daily_summary: findSummaries,
}
