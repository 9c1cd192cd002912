// A plain model of daily free spins, to compare the real ones with.
const halfHourMs = 1_800_000

/** Lots as a list, by dates as the calendar of a time zone shows them. */
export class DayModel {
  readonly #dates = new Map<number, string>()
  readonly #format: Intl.DateTimeFormat
  readonly #bank: number
  readonly #extra: ReadonlyMap<number, number>
  #lots: { date: string; left: number }[] = []
  #last: string | undefined
  /** The dates since the last visit. */
  readonly #seen = new Set<string>()
  streak = 0

  /** `extra` are the extra spins by the length of the streak. */
  constructor(timeZone: string, bank: number, extra: ReadonlyMap<number, number> = new Map()) {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
    this.#format = new Intl.DateTimeFormat('en-CA', { timeZone, ...parts })
    this.#bank = bank
    this.#extra = extra
  }

  get spins(): number {
    return this.#lots.reduce((sum, { left }) => sum + left, 0)
  }

  /** Time goes by. */
  pass(from: number, to: number): void {
    for (let ms = from; ms < to; ms += halfHourMs) this.#seen.add(this.#dateOf(ms))
    const today = this.#dateOf(to)
    this.#lots = this.#lots.filter(({ date }) => today < plus(date, this.#bank))
  }

  /** The spins that a visit gives, by their dates. */
  visit(now: number): { date: string; spins: number }[] {
    const today = this.#dateOf(now)
    const last = this.#last
    if (last === today) return []
    const missed = last === undefined ? [] : [...this.#seen].filter((date) => date > last && date < today)
    this.streak = missed.length > 0 ? 1 : this.streak + 1
    const saved = missed.filter((date) => today < plus(date, this.#bank)).toSorted()
    const todays = { date: today, spins: 1 + (this.#extra.get(this.streak) ?? 0) }
    const given = [...saved.map((date) => ({ date, spins: 1 })), todays]
    this.#lots.push(...given.map(({ date, spins }) => ({ date, left: spins })))
    this.#last = today
    this.#seen.clear()
    return given
  }

  /** Takes one spin after the other, the oldest first. Returns how many there were. */
  use(count: number): number {
    const first = this.#lots.find(({ left }) => left > 0)
    if (count === 0 || first === undefined) return 0
    first.left--
    return 1 + this.use(count - 1)
  }

  #dateOf(ms: number): string {
    const known = this.#dates.get(ms) ?? this.#format.format(ms)
    this.#dates.set(ms, known)
    return known
  }
}

/** The date of a period's number. */
export function dateOfNumber(number: number): string {
  return plus('1970-01-01', number)
}

function plus(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)
}
