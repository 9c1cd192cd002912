/** The limits of free spins. All others are in limits.ts. */

export const freeSpinsAmountMax = 100
export const freeSpinsBankMax = 30
export const freeSpinsMinutesMin = 15
export const freeSpinsMinutesMax = 7 * 24 * 60
export const streakStepsMax = 20
export const streakLengthMax = 3_650
export const streakSpinsMax = 1_000
// A player's time zone may change once in this many days.
export const zoneChangeDays = 7
// A period breaks no streak if players could not play for this long, or for a quarter of the period.
export const freeSpinExcuseMs = 60 * 60 * 1_000
// Periods that are looked at one by one for an excuse.
export const streakExcusesMax = 3_000
// A time without a sign of life of any server counts as an outage.
export const outageMsMin = 5 * 60 * 1_000
export const signOfLifeMs = 30 * 1_000
export const previewDaysMax = 60
// Entries that the audit reads at once.
export const freeSpinsCheckedAtOnce = 10_000
