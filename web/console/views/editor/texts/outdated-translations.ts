/** Translations that were not touched when their text was changed, since the last publication or the template. */
import type { WheelDocument, WheelSegment } from '../../../../../src/wheel-document/wheel-document.ts'

const fields = ['label', 'title', 'instructions'] as const
export type TranslatedField = (typeof fields)[number]

/** The text that a translation was made for, if it has changed since. */
export function outdatedSource(
  translated: WheelDocument | undefined,
  segment: WheelSegment,
  { tag, field }: { tag: string; field: TranslatedField },
): string | undefined {
  const before = translated?.segments.find(({ id }) => id === segment.id)
  const translation = segment.translations?.[tag]?.[field]
  const isUntouched = translation !== undefined && translation === before?.translations?.[tag]?.[field]
  return isUntouched && before?.[field] !== segment[field] ? before?.[field] : undefined
}

/** The languages in which a text of a segment is perhaps out of date. */
export function outdatedTags(translated: WheelDocument | undefined, segment: WheelSegment): string[] {
  return Object.keys(segment.translations ?? {}).filter((tag) =>
    fields.some((field) => outdatedSource(translated, segment, { tag, field }) !== undefined),
  )
}
