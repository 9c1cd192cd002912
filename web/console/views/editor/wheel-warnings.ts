/** What does not prevent publication, but would surprise the merchant or the players. */
import { outdatedTranslations } from '../../../../src/wheel-document/translated-from.ts'
import type {
  PaceSchedule,
  WheelDocument,
  WheelSegment,
} from '../../../../src/wheel-document/wheel-document.ts'
import { formatInZone, t } from '../../texts.ts'
import { examplePrizes } from '../templates/templates.ts'
import { languageNames } from './texts/language-name.ts'

export function wheelWarnings(wheel: WheelDocument, now: number): string[] {
  return [...otherWarnings(wheel, now), ...oldTranslations(wheel)]
}

/** All but those about translations. */
export function otherWarnings(wheel: WheelDocument, now: number): string[] {
  return [...nothingToWin(wheel, now), ...exampleCodes(wheel)]
}

/** The wheel is open while no prize can be won: its pace or the budget begins later, or everything has ended. */
function nothingToWin(wheel: WheelDocument, now: number): string[] {
  const { opensAt, closesAt, timeZone } = wheel
  const opens = Math.max(now, momentOf(opensAt) ?? now)
  const closes = momentOf(closesAt) ?? Infinity
  const prizes = wheel.segments.filter(({ prize, weight }) => prize.kind !== 'none' && weight > 0)
  if (closes <= now) return [t('warning.closed', { time: timeOf(closes, timeZone) })]
  if (prizes.length === 0) return []
  const times = prizes.map((prize) => timesOf(wheel, prize)).filter(({ end }) => end > opens)
  const first = Math.min(...times.map(({ start }) => start))
  if (first >= closes || times.length === 0) return [t('warning.nothingToWin')]
  return first > opens ? [t('warning.nothingYet', { time: timeOf(first, timeZone) })] : []
}

/** When a prize can first be won, and when no longer, by its own dates, its pace, and the budget that pays for it. */
export function timesOf(
  { budget }: WheelDocument,
  { winnableFrom, winnableUntil, pace, cost = 0 }: WheelSegment,
): { start: number; end: number } {
  const schedules: PaceSchedule[] = [pace, cost > 0 ? budget : undefined].filter((one) => one !== undefined)
  const starts = schedules.map(({ periods }) => Math.min(...periods.map(({ from }) => Date.parse(from))))
  const ends = schedules.map(({ periods }) => Math.max(...periods.map(({ until }) => Date.parse(until))))
  return {
    start: Math.max(momentOf(winnableFrom) ?? 0, ...starts),
    end: Math.min(momentOf(winnableUntil) ?? Infinity, ...ends),
  }
}

function exampleCodes({ segments }: WheelDocument): string[] {
  return segments.flatMap(({ label, prize }) => {
    const example = [prize.code, prize.url].find((one) => one !== undefined && examplePrizes.has(one))
    return example === undefined ? [] : [t('warning.example', { label, example })]
  })
}

/** A warning for each segment, and one for the wheel's own texts. */
export function oldTranslations(wheel: WheelDocument): string[] {
  const bySegment = Map.groupBy(outdatedTranslations(wheel), ({ segment }) => segment)
  return [...bySegment].map(([segment, outdated]) => {
    const languages = languageNames(outdated.map(({ language }) => language))
    const label = wheel.segments.find(({ id }) => id === segment)?.label
    if (label === undefined) return t('warning.wheelTranslations', { languages })
    return t('warning.translations', { label, languages })
  })
}

function momentOf(text: string | undefined): number | undefined {
  const ms = Date.parse(text ?? '')
  return Number.isNaN(ms) ? undefined : ms
}

export function timeOf(ms: number, timeZone: string): string {
  return formatInZone(new Date(ms).toISOString(), timeZone)
}
