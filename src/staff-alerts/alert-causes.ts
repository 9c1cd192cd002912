/** What staff can be told by e-mail. The console says each of them, with its threshold, in words. */
export const alertCauses = [
  'stock_low',
  'stock_gone',
  'budget_low',
  'codes_low',
  'prizes_unchecked',
  'campaign_opened',
  'campaign_ended',
  'webhook_failing',
  'draws_drift',
  'daily_summary',
] as const
export type AlertCause = (typeof alertCauses)[number]

/** Webhooks belong to no campaign. */
export const campaignAlertCauses: readonly AlertCause[] = alertCauses.filter(
  (cause) => cause !== 'webhook_failing',
)
