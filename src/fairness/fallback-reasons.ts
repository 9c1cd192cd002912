/** Why a drawn prize could not be given. The proof of a play shows whether the last two are true. */
export const fallbackReasons = [
  'out_of_stock',
  'out_of_stock_today',
  'player_limit',
  'not_winnable_now',
  'not_released',
  'budget',
] as const
export type FallbackReason = (typeof fallbackReasons)[number]
