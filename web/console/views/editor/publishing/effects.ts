/** What a publication changes for players and for the budget, as pure rules. */
import type { WheelDocument, WheelSegment } from '../../../../../src/wheel-document/wheel-document.ts'
import { formatMoney, t } from '../../../texts.ts'
import { chanceOf } from '../draft/change.ts'
import { shareText, shareTexts } from '../segments/shares.ts'
import { oldTranslations, otherWarnings, timeOf, timesOf } from '../wheel-warnings.ts'

/** What is known about the wheel. Undefined while it is unknown. */
export type Facts = {
  /** When the version is published. */
  at: number
  /** How many of each prize were given out. */
  given: ReadonlyMap<string, number>
  codesLeft: ReadonlyMap<string, number>
  playsPerDay: number | undefined
}

/** `key` stays the same while it is about the same problem. */
type Warning = { key: string; text: string }
export type Effects = {
  chances: ChanceRow[]
  hasOtherChances: boolean
  /** They need a confirmation, and so do outdated translations. */
  serious: string[]
  outdated: string[]
  /** They are true for the published version too. */
  known: string[]
}
/** Null: the prize is not on that wheel. */
type ChanceRow = { id: string; label: string; before: string | null; after: string | null; isJump: boolean }

const jumpFactor = 2
/** Codes should last for so many days, unless the wheel closes before. */
const codesDays = 30
const dayMs = 86_400_000

/** `before` is the published version; undefined before the first publication. */
export function effectsOf(before: WheelDocument | undefined, after: WheelDocument, facts: Facts): Effects {
  const chances = chanceRows(before, after)
  const problems = problemsOf(after, facts)
  const earlier = new Set(before === undefined ? [] : problemsOf(before, facts).map(({ key }) => key))
  const textsOf = (some: readonly Warning[]) => some.map(({ text }) => text)
  return {
    chances,
    hasOtherChances: chances.some((row) => row.before !== row.after),
    serious: [
      ...jumps(before, after),
      ...dearerPlays(before, after),
      ...textsOf(problems.filter(({ key }) => !earlier.has(key))),
    ],
    outdated: oldTranslations(after),
    known: textsOf(problems.filter(({ key }) => earlier.has(key))),
  }
}

/** What is wrong with a version by itself. */
function problemsOf(wheel: WheelDocument, facts: Facts): Warning[] {
  const others = otherWarnings(wheel, facts.at).map((text) => ({ key: text, text }))
  const prizes = wheel.segments.filter(({ prize }) => prize.kind !== 'none')
  return [
    ...others,
    ...prizes.flatMap((prize) => notWinnable(wheel, prize, facts)),
    ...emptyPools(wheel, facts),
  ]
}

/** Why a prize can't be won. */
function notWinnable(wheel: WheelDocument, prize: WheelSegment, { at, given }: Facts): Warning[] {
  const { id, label, weight, stock, pace, cost = 0 } = prize
  const { budget, closesAt } = wheel
  const closes = closesAt === undefined ? Infinity : Date.parse(closesAt)
  const warning = (name: 'weightless' | 'gone' | 'over' | 'tooLate' | 'unpaid', values = {}) => [
    { key: `${name} ${id}`, text: t(`effect.${name}`, { label, ...values }) },
  ]
  if (weight === 0) return warning('weightless')
  if (pace === undefined && stock !== undefined && (given.get(id) ?? 0) >= stock)
    return warning('gone', { stock })
  if (budget !== undefined && cost > budget.amount) return warning('unpaid')
  const { start, end } = timesOf(wheel, prize)
  // A wheel that is closed has a warning of its own.
  if (closes <= at) return []
  if (end <= at) return warning('over', { time: timeOf(end, wheel.timeZone) })
  return start >= closes ? warning('tooLate', { time: timeOf(start, wheel.timeZone) }) : []
}

/** Pools whose codes don't last. Prizes with a stock or a pace are checked by the server. */
function emptyPools(wheel: WheelDocument, { at, codesLeft, playsPerDay }: Facts): Warning[] {
  if (playsPerDay === undefined) return []
  const closes = wheel.closesAt === undefined ? Infinity : Date.parse(wheel.closesAt)
  const days = Math.min(codesDays, (closes - at) / dayMs)
  const unlimited = wheel.segments.filter(({ stock, pace }) => stock === undefined && pace === undefined)
  const byPool = Map.groupBy(unlimited, ({ prize }) => prize.pool)
  return [...byPool].flatMap(([pool, segments]) => {
    const left = pool === undefined ? undefined : codesLeft.get(pool)
    const wins = segments.reduce(
      (sum, one) => sum + Math.min(chanceOf(wheel, one) * playsPerDay, one.stockPerDay ?? Infinity),
      0,
    )
    if (pool === undefined || left === undefined || wins * days <= left) return []
    const lasts = Math.floor(left / wins)
    const values = { pool, left, wins: Math.round(wins), count: lasts, plays: playsPerDay }
    return [{ key: `pool ${pool}`, text: t('effect.pool', values) }]
  })
}

/** Chances that are more than twice what they were, and in one line those that are less than half. */
function jumps(before: WheelDocument | undefined, after: WheelDocument): string[] {
  const rows = chanceRows(before, after).map((row) => ({ ...row, factor: factorOf(before, after, row.id) }))
  const more = rows.filter(({ factor }) => factor > jumpFactor)
  const fewer = rows.filter(({ factor }) => factor < 1 / jumpFactor)
  return [
    ...more.map(({ label, factor, ...row }) => {
      const values = { label, before: row.before ?? '', after: row.after ?? '' }
      if (!Number.isFinite(factor)) return t('effect.nowWinnable', values)
      return t('effect.moreOften', { ...values, times: Math.round(10 * factor) / 10 })
    }),
    ...(fewer.length === 0
      ? []
      : [t('effect.lessOften', { labels: fewer.map(({ label }) => label).join(', ') })]),
  ]
}

/** Above 1 if the chance is greater than before. 1 for a prize that is new or gone, or can't be won any more. */
function factorOf(before: WheelDocument | undefined, after: WheelDocument, id: string): number {
  const [one, other] = [before, after].map((wheel) => {
    const segment = wheel?.segments.find((some) => some.id === id)
    return segment === undefined || wheel === undefined ? undefined : chanceOf(wheel, segment)
  })
  return one === undefined || other === undefined || other === 0 ? 1 : other / one
}

function dearerPlays(before: WheelDocument | undefined, after: WheelDocument): string[] {
  const [earlier, now] = [before === undefined ? 0 : costPerPlay(before), costPerPlay(after)]
  if (earlier === 0 || now <= jumpFactor * earlier) return []
  return [t('effect.dearer', { before: formatMoney(earlier), after: formatMoney(now) })]
}

/** On average, before anything has run out. */
function costPerPlay(wheel: WheelDocument): number {
  return wheel.segments.reduce((sum, segment) => sum + chanceOf(wheel, segment) * (segment.cost ?? 0), 0)
}

/** The prizes of both versions, and what is left for no prize. */
function chanceRows(before: WheelDocument | undefined, after: WheelDocument): ChanceRow[] {
  const isPrize = ({ prize }: WheelSegment) => prize.kind !== 'none'
  const gone = (before?.segments ?? []).filter((one) => !after.segments.some(({ id }) => id === one.id))
  const earlier = chanceTexts(before)
  const now = chanceTexts(after)
  const rows = [...after.segments, ...gone].filter(isPrize).map(({ id, label }) => {
    const factor = factorOf(before, after, id)
    const isJump = factor > jumpFactor || factor < 1 / jumpFactor
    return { id, label, before: earlier.get(id) ?? null, after: now.get(id) ?? null, isJump }
  })
  const nothing = (wheel: WheelDocument | undefined) =>
    wheel === undefined
      ? null
      : shareText(
          wheel.segments.map(({ weight }) => weight),
          (index) => wheel.segments[index]?.prize.kind === 'none',
        )
  const none = { id: '', label: t('effect.noPrize'), before: nothing(before), after: nothing(after) }
  return [...rows, { ...none, isJump: false }]
}

function chanceTexts(wheel: WheelDocument | undefined): Map<string, string> {
  const segments = wheel?.segments ?? []
  const texts = shareTexts(segments.map(({ weight }) => weight))
  return new Map(segments.map(({ id }, index) => [id, texts[index] ?? '']))
}

/** The plays of a usual day: of the last week, since the first play. Undefined if nobody has played. */
export function usualPlays(days: readonly { plays: number }[]): number | undefined {
  const complete = days.slice(-8, -1)
  const first = complete.findIndex(({ plays }) => plays > 0)
  const played = first === -1 ? days.slice(-1) : complete.slice(first)
  const sum = played.reduce((total, { plays }) => total + plays, 0)
  return sum === 0 ? undefined : Math.max(1, Math.round(sum / played.length))
}
