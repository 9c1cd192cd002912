/**
 * Which translations are outdated. A document notes the text that a translation was made from, unless that is still its
 * text today. So the note survives publication and other people's edits, and programs need not know of it.
 */
import type { WheelDocument, WheelSegment } from './wheel-document.ts'

/** `text` is empty if the text is not known. Without a segment, the field is one of the wheel's texts. */
type TranslatedFrom = NonNullable<WheelDocument['translatedFrom']>[number]
export type TranslatedPlace = Omit<TranslatedFrom, 'text'>
type Translated = { place: TranslatedPlace; key: string; translation: string; source: string }

/**
 * The document with notes about the translations that an edit has left behind: those whose text has changed, while they
 * have not. A note that is new in `after`, or has another text than before, is a statement and stands; to confirm a
 * translation, state today's text. A note that was only passed on ends when its translation changes.
 */
export function followTranslations(before: WheelDocument | undefined, after: WheelDocument): WheelDocument {
  const known = new Map(before && madeFrom(inLanguageOf(after, before)))
  const marked = notesOf(before)
  const stated = notesOf(after)
  const notes = translationsOf(after).flatMap(({ place, key, translation, source }) => {
    const statement = stated.get(key)
    const earlier = known.get(key)
    const isStated = statement !== undefined && statement !== marked.get(key)
    const kept = earlier?.translation === translation ? earlier.from : undefined
    const text = isStated ? statement : (kept ?? source)
    return text === source ? [] : [{ ...place, text }]
  })
  return withNotes(after, notes)
}

/** The document to send in place of `before`: states what its translations were made from, where that has changed. */
export function stateTranslations(before: WheelDocument | null, after: WheelDocument): WheelDocument {
  const stored = new Map(before === null ? [] : madeFrom(before))
  const sources = new Map(before === null ? [] : translationsOf(before).map((one) => [one.key, one.source]))
  const fresh = madeFrom(after)
  const notes = translationsOf(after).flatMap(({ place, key, translation, source }) => {
    const text = fresh.get(key)?.from ?? source
    const one = stored.get(key)
    const isAsStored =
      one?.translation === translation && (one.from ?? '') === text && sources.get(key) === source
    return isAsStored && text === source ? [] : [{ ...place, text }]
  })
  return withNotes(after, notes)
}

/** The translations that were made from another text than today's, in the languages of other players. */
export function outdatedTranslations({ translatedFrom = [], language }: WheelDocument): TranslatedFrom[] {
  return translatedFrom.filter((one) => one.language !== language)
}

export function isSamePlace(one: TranslatedPlace, other: TranslatedPlace): boolean {
  return keyOf(one) === keyOf(other)
}

/** With statements that these translations fit the text of today. */
export function confirmTranslations(wheel: WheelDocument, places: readonly TranslatedPlace[]): WheelDocument {
  const confirmed = new Set(places.map(keyOf))
  const sources = new Map(translationsOf(wheel).map(({ key, source }) => [key, source]))
  const notes = (wheel.translatedFrom ?? []).map((one) =>
    confirmed.has(keyOf(one)) ? { ...one, text: sources.get(keyOf(one)) ?? '' } : one,
  )
  return withNotes(wheel, notes)
}

/** Without these translations: their players see the text in the language of the labels. */
export function removeTranslations(
  wheel: WheelDocument,
  isRemoved: (place: TranslatedPlace) => boolean,
): WheelDocument {
  const rest = <Texts extends object>(texts: Record<string, Texts> | undefined, segment?: string) =>
    withoutEmpty(
      Object.entries(texts ?? {}).map(([language, some]) => {
        const kept = Object.entries(some).filter(
          ([field]) => !isRemoved(placeOf({ language, segment, field: field as TranslatedPlace['field'] })),
        )
        return [language, withoutEmpty(kept)]
      }),
    )
  const texts = rest(wheel.texts) as WheelDocument['texts']
  const { texts: _, ...others } = wheel
  const next = {
    ...others,
    ...(texts && { texts }),
    segments: wheel.segments.map((segment) => {
      const { translations: before, ...own } = segment
      const translations = rest(before, segment.id) as WheelSegment['translations']
      return translations === undefined ? own : { ...own, translations }
    }),
  }
  return withNotes(
    next,
    (wheel.translatedFrom ?? []).filter((one) => !isRemoved(one)),
  )
}

/** Notes that the translations of a segment were made for something else. */
export function doubtTranslations(wheel: WheelDocument, segment: string): WheelDocument {
  const others = (wheel.translatedFrom ?? []).filter((one) => one.segment !== segment)
  const places = translationsOf(wheel).map(({ place }) => place)
  const doubted = places.filter((place) => place.segment === segment).map((place) => ({ ...place, text: '' }))
  return withNotes(wheel, [...others, ...doubted])
}

/** What each translation was made from; undefined if there was no text yet. */
function madeFrom(wheel: WheelDocument): Map<string, { translation: string; from: string | undefined }> {
  const notes = notesOf(wheel)
  return new Map(
    translationsOf(wheel).map(({ key, translation, source }) => {
      const today = source === '' ? undefined : source
      return [key, { translation, from: notes.get(key) ?? today }]
    }),
  )
}

/** A change of the language itself is no change of the texts. */
function inLanguageOf({ language }: WheelDocument, wheel: WheelDocument): WheelDocument {
  const { language: _, ...rest } = wheel
  return language === undefined ? rest : { ...rest, language }
}

function notesOf(wheel: WheelDocument | undefined): Map<string, string> {
  return new Map(wheel?.translatedFrom?.map((one) => [keyOf(one), one.text]))
}

function withNotes(wheel: WheelDocument, notes: TranslatedFrom[]): WheelDocument {
  const { translatedFrom, ...rest } = wheel
  if (notes.length > 0) return { ...rest, translatedFrom: notes }
  return translatedFrom === undefined ? wheel : rest
}

/** Every translated text, and the text in the language of the labels; empty if there is none. */
function translationsOf({ language, texts = {}, segments }: WheelDocument): Translated[] {
  const found = (
    { segment, own }: { segment?: string; own: object },
    translations: Record<string, object> = {},
  ): Translated[] =>
    Object.entries(translations).flatMap(([tag, some]) =>
      Object.entries(some)
        .filter(([, translation]) => translation !== '')
        .map(([field, translation]) => {
          const place = placeOf({ language: tag, segment, field: field as TranslatedPlace['field'] })
          const source = (own as Record<string, string | undefined>)[field] ?? ''
          return { place, key: keyOf(place), translation, source }
        }),
    )
  return [
    ...found({ own: (language === undefined ? undefined : texts[language]) ?? {} }, texts),
    ...segments.flatMap((segment) => found({ segment: segment.id, own: segment }, segment.translations)),
  ]
}

function placeOf(parts: {
  language: string
  segment: string | undefined
  field: TranslatedPlace['field']
}): TranslatedPlace {
  const { language, segment, field } = parts
  return segment === undefined ? { language, field } : { language, segment, field }
}

function keyOf({ language, segment = '', field }: TranslatedPlace): string {
  return `${language} ${segment} ${field}`
}

function withoutEmpty(entries: [string, unknown][]): object | undefined {
  const kept = entries.filter(([, one]) => one !== undefined)
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}
