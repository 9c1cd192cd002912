import type { Pace } from '../fairness/pace.ts'
import { prizeKinds } from '../prize-kinds/prize-kinds.ts'
import type { WheelDocument, WheelSegment } from './wheel-document.ts'

/** The runs of a version: of its paced prizes by their ids, and of its budget. */
export type Paces = { prizes: ReadonlyMap<string, Pace>; budget: Pace | undefined }

/** The public part of a wheel. Its exact text is published, hashed, and part of every proof. */
export function publishedText(wheel: WheelDocument, paces?: Paces): string {
  const { look = {}, texts = {} } = wheel
  return JSON.stringify({
    name: wheel.name,
    fallback: wheel.segments.findIndex((segment) => segment.id === wheel.fallback),
    segments: wheel.segments.map((segment) => ({
      label: segment.label,
      color: segment.color,
      weight: segment.weight,
      icon: segment.icon ?? null,
      image: segment.image ?? null,
      prize: prizeKinds[segment.prize.kind].publicKind,
      spins: segment.prize.spins ?? null,
      limited: canRunOut(segment) || isBudgeted(wheel, segment),
      prizeTitle: segment.title ?? null,
      // As below, left out if there are none.
      pace: paces?.prizes.get(segment.id),
      cost: isBudgeted(wheel, segment) ? centsOf(segment.cost ?? 0) : undefined,
      translations: segment.translations && publicTranslations(segment.translations),
    })),
    look: {
      merchantName: look.merchantName ?? null,
      logo: look.logo ?? null,
      ...publishedColours(look),
      pointer: look.pointer ?? 'top',
      direction: look.direction ?? 'clockwise',
      // JSON leaves these out if they are undefined: a look without them has the same text and hash as ever.
      theme: look.theme,
      picture: look.picture,
      widths: look.widths,
      font: look.font,
      sound: look.sound,
      tickSound: look.tickSound,
      winSound: look.winSound,
      address: look.address,
    },
    texts,
    language: wheel.language,
    budget: paces?.budget,
  })
}

/** Whether the budget pays for this prize. */
export function isBudgeted({ budget }: Pick<WheelDocument, 'budget'>, segment: WheelSegment): boolean {
  return budget !== undefined && (segment.cost ?? 0) > 0
}

/** Rounded, because a decimal fraction is no exact number; check-paces.ts refuses parts of cents. */
export function centsOf(amount: number): number {
  return Math.round(amount * 100)
}

/** Instructions are for winners only. */
function publicTranslations(translations: NonNullable<WheelSegment['translations']>): object {
  return Object.fromEntries(
    Object.entries(translations).map(([tag, { label, title }]) => [tag, { label, prizeTitle: title }]),
  )
}

/** With a theme, only the colours that differ from it. */
function publishedColours(look: NonNullable<WheelDocument['look']>): object {
  const { background, surface, accent, text } = look
  if (look.theme !== undefined) return { background, surface, accent, text }
  return {
    background: background ?? '#0f172a',
    surface: surface ?? '#1e293b',
    accent: accent ?? '#f59e0b',
    text: text ?? '#f8fafc',
  }
}

/** Whether the prize can become unavailable. */
function canRunOut(segment: WheelSegment): boolean {
  const limits = [
    segment.stock,
    segment.stockPerDay,
    segment.limitPerPlayer,
    segment.winnableFrom,
    segment.winnableUntil,
    segment.pace,
  ]
  return segment.prize.kind === 'pool' || limits.some((limit) => limit !== undefined)
}
