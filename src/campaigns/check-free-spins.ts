import { isDeepStrictEqual } from 'node:util'
import type { Queryable } from '../db/database.ts'
import { type FreeSpinRule, minutesOf, mostSpins, ruleOf } from '../free-spin-rule/free-spin-rule.ts'
import { freeSpinsMinutesMax, freeSpinsMinutesMin } from '../free-spin-rule/free-spin-limits.ts'
import { isExpiryInRange } from '../players/spin-lots.ts'
import { type FieldError, Refusal } from '../refusals.ts'
import type { Campaign } from './campaign.ts'
import { readGrantLimits } from './campaigns.ts'

type WithRule = { freeSpins: FreeSpinRule | null }

/** The rule as it is stored, or null. A changed one counts from now on, and is checked first. */
export async function activeFreeSpins(
  tx: Queryable,
  { merchantId, freeSpins: rule }: WithRule & { merchantId: number },
  before: Pick<Campaign, 'freeSpins'> | undefined,
  now: Date,
): Promise<Campaign['freeSpins']> {
  if (rule === null) return null
  const active = before?.freeSpins ?? null
  if (active !== null && isSame(active, rule)) return active
  await checkFreeSpins(tx, { merchantId, rule }, now)
  return { ...rule, since: now.toISOString() }
}

/** Refuses a rule with mistakes, and one that would give too much. */
export async function checkFreeSpins(
  db: Queryable,
  { merchantId, rule }: { merchantId: number; rule: FreeSpinRule },
  now: Date,
): Promise<void> {
  const errors = mistakesIn(rule, now)
  if (errors.length > 0) {
    const detail = errors.map((error) => `${error.pointer} ${error.detail}`).join('; ')
    throw new Refusal('validation_failed', { detail, errors })
  }
  refuseExcess(rule, await readGrantLimits(db, merchantId))
}

/** Rules of the settings that a schema can't express. */
function mistakesIn(rule: FreeSpinRule, now: Date): FieldError[] {
  const minutes = minutesOf(rule.every)
  const hasLength = rule.every !== 'day' && rule.every !== 'week'
  const isTooShortOrLong =
    hasLength && (minutes === undefined || minutes < freeSpinsMinutesMin || minutes > freeSpinsMinutesMax)
  const lengths = rule.streaks.map(({ length }) => length)
  const isRising = lengths.every((length, index) => index === 0 || length > (lengths[index - 1] ?? 0))
  return [
    ...(isTooShortOrLong ? [mistake('every', 'must be day, week, or a duration from PT15M to PT168H')] : []),
    ...(hasLength && rule.at !== '00:00' ? [mistake('at', 'is for days and weeks only')] : []),
    ...(hasLength && rule.zone === 'player' ? [mistake('zone', 'is for days and weeks only')] : []),
    ...(isRising ? [] : [mistake('streaks', 'must have rising lengths')]),
    ...(rule.endsAt === null || isExpiryInRange(new Date(rule.endsAt), now)
      ? []
      : [mistake('endsAt', 'must be in the future, and at most ten years away')]),
  ]
}

/** A rule must not give more than the merchant lets its own systems give. */
function refuseExcess(
  rule: FreeSpinRule,
  { grantMax, dailyGrantMax }: { grantMax: number; dailyGrantMax: number | null },
): void {
  const { atOnce, inDay } = mostSpins(rule)
  const [most, limit] = atOnce > grantMax ? [atOnce, grantMax] : [inDay, dailyGrantMax ?? Infinity]
  if (most <= limit) return
  const detail = `The rule could give ${most} spins ${most === atOnce ? 'at once' : 'in a day'}, and the limit is ${limit}.`
  throw new Refusal('free_spins_over_limit', { detail })
}

function mistake(field: keyof FreeSpinRule, detail: string): FieldError {
  return { pointer: `/freeSpins/${field}`, detail }
}

function isSame(active: NonNullable<Campaign['freeSpins']>, rule: FreeSpinRule): boolean {
  return isDeepStrictEqual(ruleOf(active), 'since' in rule ? ruleOf(rule as typeof active) : rule)
}
