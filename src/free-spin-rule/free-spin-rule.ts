/** A rule in a campaign: free spins in each period. */
export type FreeSpinRule = {
  amount: number
  /** `day`, `week`, or a duration such as `PT4H`. */
  every: string
  /** When days and weeks begin, on the clock of the time zone. */
  at: string
  /** The first day of weeks, 1 for Monday. */
  weekday: number
  /** Whose days and weeks count: in the wheel's time zone, or in the player's. */
  zone: 'wheel' | 'player'
  /** For how many periods a free spin is kept, and so how many can be saved up. */
  bank: number
  /** What collects free spins: opening the game, or only playing. */
  on: 'visit' | 'play'
  /** Extra spins for periods in a row. */
  streaks: { length: number; spins: number }[]
  /** There are none from then on; null for no end. */
  endsAt: string | null
}

/** The rule as a campaign has it. Periods before `since` give nothing. */
export type ActiveFreeSpinRule = FreeSpinRule & { since: string }

/** The settings alone. */
export function ruleOf(active: ActiveFreeSpinRule): FreeSpinRule {
  const { since: _, ...rule } = active
  return rule
}

export const freeSpinDefaults = {
  amount: 1,
  at: '00:00',
  weekday: 1,
  zone: 'wheel',
  bank: 1,
  on: 'visit',
  streaks: [],
  endsAt: null,
} as const

/** The minutes of a duration; undefined for days and weeks, whose length depends on the calendar. */
export function minutesOf(every: string): number | undefined {
  const found = /^PT(?:(\d{1,4})H)?(?:(\d{1,4})M)?$/.exec(every)
  return found === null ? undefined : Number(found[1] ?? 0) * 60 + Number(found[2] ?? 0)
}

/** Periods of the same kind have comparable numbers. */
export function periodKind({ every }: Pick<FreeSpinRule, 'every'>): string {
  const minutes = minutesOf(every)
  return minutes === undefined ? every : `${minutes}m`
}

/** The spins of a streak's period: the usual ones, and the extra ones for its length. */
export function spinsFor({ amount, streaks }: FreeSpinRule, streak: number): number {
  return amount + (streaks.find(({ length }) => length === streak)?.spins ?? 0)
}

/** The most spins that a player can collect at once, and in a day. In a day, a streak may reach several lengths. */
export function mostSpins({ amount, every, bank, streaks }: FreeSpinRule): { atOnce: number; inDay: number } {
  const periods = Math.ceil((24 * 60) / (minutesOf(every) ?? 24 * 60))
  const mostExtra = (count: number) =>
    Math.max(0, ...streaks.map(({ length: from }) => extraBetween(streaks, from, from + count)))
  return { atOnce: amount + mostExtra(1), inDay: amount * (bank - 1 + periods) + mostExtra(periods) }
}

function extraBetween(streaks: FreeSpinRule['streaks'], from: number, to: number): number {
  const reached = streaks.filter(({ length }) => length >= from && length < to)
  return reached.reduce((sum, { spins }) => sum + spins, 0)
}
