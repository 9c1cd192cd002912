/**
 * When a prize is held until staff have checked it: if one of the conditions is true; without any, every time. The last
 * 24 hours count, this prize included.
 */
export type HoldRule = {
  newPlayerHours?: number
  winsPerDay?: number
  costPerDay?: number
  checkHours?: number
}

export const holdCauses = ['always', 'new_player', 'many_wins', 'high_cost'] as const
export type HoldCause = (typeof holdCauses)[number]

/** Why staff refuse a prize, as the player reads it. A free text could disclose how fraud is found. */
export const refusalReasons = [
  'terms_not_met',
  'entered_repeatedly',
  'details_not_confirmed',
  'technical_error',
] as const
export type RefusalReason = (typeof refusalReasons)[number]

export const checkHoursDefault = 72
/** Of the plays of a day, conditions look at the last ones. */
export const playsOfDayCountedMax = 1_000

/** What is known about a player who has won a prize. */
export type HoldFacts = { playerSince: Date; winsOfDay: number; costOfDay: number }

/** Why a prize is held; undefined if it is not. */
export function causeOfHold(rule: HoldRule, facts: HoldFacts, now: Date): HoldCause | undefined {
  const { newPlayerHours, winsPerDay, costPerDay } = rule
  const knownMs = now.getTime() - facts.playerSince.getTime()
  if (newPlayerHours !== undefined && knownMs < newPlayerHours * 3_600_000) return 'new_player'
  if (winsPerDay !== undefined && facts.winsOfDay > winsPerDay) return 'many_wins'
  if (costPerDay !== undefined && facts.costOfDay > costPerDay) return 'high_cost'
  const hasConditions = [newPlayerHours, winsPerDay, costPerDay].some((one) => one !== undefined)
  return hasConditions ? undefined : 'always'
}
