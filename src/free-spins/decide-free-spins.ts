import {
  type ActiveFreeSpinRule,
  type FreeSpinRule,
  periodKind,
  spinsFor,
} from '../free-spin-rule/free-spin-rule.ts'
import { freeSpinExcuseMs, streakExcusesMax, zoneChangeDays } from '../free-spin-rule/free-spin-limits.ts'
import type { FreeSpinState } from '../players/free-spin-rows.ts'
import type { Interruption } from '../wheels/interruptions.ts'
import { within } from '../wheel-document/schedule.ts'
import type { Schedule } from '../wheel-document/wheel-types.ts'
import { firstOpen, type Period, periodAt, periodOf } from './periods.ts'

/** A player's situation. */
export type FreeSpinCase = {
  rule: ActiveFreeSpinRule
  /** Of the wheel, within the campaign's dates. */
  schedule: Schedule
  /** Undefined if the player has never collected. */
  state: FreeSpinState | undefined
  /** What an erased player of the same id has collected last; only for a player who has never collected. */
  erased?: Pick<FreeSpinState, 'kind' | 'period' | 'periodEndsAt' | 'collectedAt'> | undefined
  /** The last period of the rule's kind, if the last one collected is of another kind. */
  lastOfKind?: number | undefined
  /** The player's time zone, as far as it is known. */
  timeZone?: string | undefined
  interruptions: readonly Interruption[]
  now: Date
}

type KnownPeriods = Pick<FreeSpinCase, 'rule' | 'state' | 'erased' | 'lastOfKind'>

/** Free spins to collect now, one item for each period, the time zone of the periods, and the state afterwards. */
export type Collection = {
  /** `streak` is null for periods that were saved up. */
  due: { period: number; amount: number; expiresAt: Date; streak: number | null }[]
  timeZone: string
  state: FreeSpinState
}

/**
 * The rules of free spins. A period gives its spins once: its number must be greater than the last one, and it must not
 * begin before the last one has ended, whatever the time zones. Undefined: there is nothing to collect.
 */
export function decideFreeSpins(given: FreeSpinCase): Collection | undefined {
  const { rule, state, now } = given
  const schedule = scheduleOf(given)
  const zone = zoneOf(given)
  const current = periodAt(rule, zone, now)
  if (firstOpen(schedule, { from: now })?.getTime() !== now.getTime()) return undefined
  if (!isNew(given, current)) return undefined
  const streak = 1 + (state === undefined || isBroken({ ...given, schedule }, current) ? 0 : state.streak)
  const earlier = savedUp({ ...given, schedule }, zone, current)
  const due = [...earlier, current].map((period) => ({
    period: period.number,
    ...spinsOf(rule, {
      timeZone: zone,
      period: period.number,
      streak: period === current ? streak : null,
    }),
  }))
  const bestStreak = Math.max(streak, state?.bestStreak ?? 0)
  const next = { kind: periodKind(rule), period: current.number, periodEndsAt: current.endsAt }
  return {
    due,
    timeZone: zone,
    state: { ...next, collectedAt: now, streak, bestStreak, ...zoneAfter(given, zone) },
  }
}

/** How many spins a period gives, and when they expire. Those for a streak come with the period that completes it. */
export function spinsOf(
  rule: FreeSpinRule,
  { timeZone, period, streak }: { timeZone: string; period: number; streak: number | null },
) {
  return {
    amount: streak === null ? rule.amount : spinsFor(rule, streak),
    expiresAt: periodOf(rule, timeZone, period + rule.bank).startsAt,
    streak,
  }
}

/** When the player can collect next after now, if the state stays as it is. Undefined if that never comes. */
export function nextCollection(given: FreeSpinCase): Date | undefined {
  const { rule, state, now } = given
  const schedule = scheduleOf(given)
  const zone = zoneOf(given)
  const taken = state ?? given.erased
  const takenTo = taken?.kind === periodKind(rule) ? taken.periodEndsAt : now
  let from = now
  // Each step leaves out a period that is collected, or the time until the next opening.
  for (let step = 0; step < 100; step++) {
    const open = firstOpen(schedule, { from })
    if (open === undefined) return undefined
    const period = periodAt(rule, zone, open)
    if (isNew(given, period) && open > now) return open
    from = period.endsAt > takenTo ? period.endsAt : takenTo
  }
  return undefined
}

/** The streak as it is now. It is over once a period has passed in which the player could have collected. */
export function currentStreak(given: FreeSpinCase): number {
  const { rule, state, now } = given
  if (state === undefined) return 0
  const current = periodAt(rule, zoneOf(given), now)
  return isBroken({ ...given, schedule: scheduleOf(given) }, current) ? 0 : state.streak
}

/** Whether the player may have missed a period, so that interruptions matter. */
export function hasGap({
  rule,
  schedule,
  state,
  timeZone,
  now,
}: Omit<FreeSpinCase, 'interruptions'>): boolean {
  if (state === undefined) return false
  const zone = zoneOf({ rule, schedule, state, timeZone })
  return state.periodEndsAt < periodAt(rule, zone, now).startsAt
}

function scheduleOf({ rule, schedule }: Pick<FreeSpinCase, 'rule' | 'schedule'>): Schedule {
  const closesAt = rule.endsAt === null ? null : new Date(rule.endsAt)
  return within(schedule, { opensAt: null, closesAt })
}

/** The time zone of the current period. A new one of the player counts from the next period on. */
function zoneOf({ rule, schedule, state, timeZone }: Omit<FreeSpinCase, 'interruptions' | 'now'>): string {
  if (rule.zone === 'wheel') return schedule.timeZone
  return state?.timeZone ?? timeZone ?? schedule.timeZone
}

function zoneAfter(
  { rule, state, timeZone, now }: FreeSpinCase,
  zone: string,
): Pick<FreeSpinState, 'timeZone' | 'zoneChangedAt'> {
  const zoneChangedAt = state?.zoneChangedAt ?? null
  const isSame = timeZone === undefined || timeZone === zone || rule.zone === 'wheel'
  const isTooSoon =
    zoneChangedAt !== null && now.getTime() - zoneChangedAt.getTime() < zoneChangeDays * 86_400_000
  return isSame || isTooSoon ? { timeZone: zone, zoneChangedAt } : { timeZone, zoneChangedAt: now }
}

/** Whether a period comes after all that were given. The time zone and the rule may have changed since. */
function isNew({ rule, state, erased, lastOfKind = -1 }: KnownPeriods, period: Period): boolean {
  const taken = state ?? erased
  if (taken === undefined) return true
  if (taken.kind !== periodKind(rule))
    return period.startsAt > taken.collectedAt && period.number > lastOfKind
  return period.number > taken.period && period.startsAt >= taken.periodEndsAt
}

/** Periods before the current one whose spins the player still gets: as many as fit in the bank. */
function savedUp(given: FreeSpinCase, zone: string, current: Period): Period[] {
  const { rule, schedule, state } = given
  if (state === undefined || state.kind !== periodKind(rule)) return []
  const numbers = Array.from({ length: rule.bank - 1 }, (_, index) => current.number - rule.bank + 1 + index)
  return numbers
    .map((number) => periodOf(rule, zone, number))
    .filter((period) => isNew(given, period) && period.startsAt >= new Date(rule.since))
    .filter(({ startsAt, endsAt }) => firstOpen(schedule, { from: startsAt, to: endsAt }) !== undefined)
}

/**
 * Whether the player has missed a period since the last one collected. Periods in which the campaign was closed don't
 * count, nor do those with an interruption.
 */
function isBroken(given: FreeSpinCase, current: Period): boolean {
  const { rule, schedule, state, interruptions } = given
  if (state === undefined || state.kind !== periodKind(rule)) return false
  const zone = zoneOf(given)
  let from = state.periodEndsAt
  for (let step = 0; step < streakExcusesMax; step++) {
    const open = firstOpen(schedule, { from, to: current.startsAt })
    if (open === undefined) return false
    const period = periodAt(rule, zone, open)
    if (period.number >= current.number) return false
    if (isNew(given, period) && !isExcused(period, interruptions)) return true
    from = period.endsAt
  }
  return false
}

/** Time that is in several interruptions counts once. */
function isExcused(period: Period, interruptions: readonly Interruption[]): boolean {
  let lostMs = 0
  let countedTo = period.startsAt.getTime()
  for (const one of interruptions.toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime())) {
    const from = Math.max(one.startsAt.getTime(), countedTo)
    const to = Math.min(one.endsAt.getTime(), period.endsAt.getTime())
    lostMs += Math.max(0, to - from)
    countedTo = Math.max(countedTo, to)
  }
  const lengthMs = period.endsAt.getTime() - period.startsAt.getTime()
  return lostMs >= Math.min(freeSpinExcuseMs, lengthMs / 4)
}
