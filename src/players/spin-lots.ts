import { spinExpiryYearsMax } from '../limits.ts'

/** Where spins came from. `carried` are balances from before there were lots. */
export type LotSource = 'free' | 'won' | 'granted' | 'carried'

/** What is left of one grant whose spins expire. All other spins of a purse never expire. */
export type SpinLot = {
  /** The number of the entry that granted the spins. */
  lotNo: number
  purseId: number
  amount: number
  spinsLeft: number
  expiresAt: Date
  /** When it needs attention next: at its expiry, or before for the event that announces it. */
  dueAt: Date
  source: LotSource
  /** Whether it differs from its row, or has none yet. */
  isChanged?: boolean
}

/** Spins that an entry took from a lot. */
export type LotDraw = { lotNo: number; spins: number }

/** When granted spins expire: at a time that the caller named, or after a lifetime. */
export type ExpiryRule = {
  expiresAt?: Date | undefined
  lifetimeDays: number | null
  /** How long before its expiry a lot is announced; null for never. */
  noticeHours: number | null
}

type ExpirySettings = { spinLifetimeDays: number | null; spinExpiryNoticeHours: number | null }

/** The rule for spins of a merchant. A campaign may have a lifetime of its own. Undefined: they never expire. */
export function expiryRule(
  { spinLifetimeDays, spinExpiryNoticeHours: noticeHours }: ExpirySettings,
  campaign: { spinLifetimeDays: number | null } | undefined,
  expiresAt?: Date,
): ExpiryRule | undefined {
  const lifetimeDays = campaign?.spinLifetimeDays ?? spinLifetimeDays
  if (expiresAt === undefined && lifetimeDays === null) return undefined
  return { expiresAt, lifetimeDays, noticeHours }
}

/** The time at which spins granted now expire, and when their lot is due first. */
export function expiryFrom(rule: ExpiryRule, now: Date): Pick<SpinLot, 'expiresAt' | 'dueAt'> {
  const expiresAt = rule.expiresAt ?? new Date(now.getTime() + (rule.lifetimeDays ?? 0) * 24 * hourMs)
  if (rule.noticeHours === null) return { expiresAt, dueAt: expiresAt }
  const noticeAt = expiresAt.getTime() - rule.noticeHours * hourMs
  return { expiresAt, dueAt: new Date(Math.max(noticeAt, now.getTime())) }
}

/** Whether spins may be granted with this time: it must be in the future, and not too far. */
export function isExpiryInRange(expiresAt: Date, now: Date): boolean {
  const last = new Date(now)
  last.setUTCFullYear(last.getUTCFullYear() + spinExpiryYearsMax)
  return expiresAt > now && expiresAt <= last
}

/** The order in which spins are used. Spins that never expire come after all lots. */
export function compareLots(one: SpinLot, other: SpinLot): number {
  return (
    one.expiresAt.getTime() - other.expiresAt.getTime() ||
    sourceOrder[one.source] - sourceOrder[other.source] ||
    one.lotNo - other.lotNo
  )
}

/** The lots that have expired and have spins left, in their order. */
export function settleExpiry(lots: readonly SpinLot[], now: Date): SpinLot[] {
  return lots.filter((lot) => lot.spinsLeft > 0 && lot.expiresAt <= now).toSorted(compareLots)
}

/** Takes spins from the lots of a purse, in their order. What the lots lack is taken from spins that never expire. */
export function drawFromLots(
  lots: readonly SpinLot[],
  { purseId, spins }: { purseId: number; spins: number },
): LotDraw[] {
  const draws: LotDraw[] = []
  let due = spins
  for (const lot of lots.filter((one) => one.purseId === purseId).toSorted(compareLots)) {
    if (due === 0) break
    const taken = Math.min(due, lot.spinsLeft)
    if (taken > 0) draws.push(takeFromLot(lot, taken))
    due -= taken
  }
  return draws
}

export function takeFromLot(lot: SpinLot, spins: number): LotDraw {
  lot.spinsLeft -= spins
  lot.isChanged = true
  return { lotNo: lot.lotNo, spins }
}

/** The earliest expiry of lots that have spins left. */
export function earliestExpiry(lots: readonly SpinLot[]): Date | null {
  const times = lots.filter((lot) => lot.spinsLeft > 0).map((lot) => lot.expiresAt.getTime())
  return times.length === 0 ? null : new Date(Math.min(...times))
}

const hourMs = 3_600_000
const sourceOrder = { free: 0, won: 1, granted: 2, carried: 2 } as const satisfies Record<LotSource, number>
