/** Translations that were not touched when their text was changed since the last publication. */
import type { WheelDocument, WheelSegment } from '../../../../src/wheels/wheel-document.ts'

type Field = 'label' | 'title' | 'instructions'

/** The text that a translation was made for, if it has changed since. */
export function outdatedSource(
  published: WheelDocument | undefined,
  segment: WheelSegment,
  { tag, field }: { tag: string; field: Field },
): string | undefined {
  const before = published?.segments.find(({ id }) => id === segment.id)
  const translation = segment.translations?.[tag]?.[field]
  const isUntouched = translation !== undefined && translation === before?.translations?.[tag]?.[field]
  return isUntouched && before?.[field] !== segment[field] ? before?.[field] : undefined
}

/** The languages in which the label of a segment is perhaps out of date. */
export function outdatedTags(published: WheelDocument | undefined, segment: WheelSegment): string[] {
  return Object.keys(segment.translations ?? {}).filter(
    (tag) => outdatedSource(published, segment, { tag, field: 'label' }) !== undefined,
  )
}
