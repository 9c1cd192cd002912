import type { WheelDocument } from '../../../../src/wheel-document/wheel-document.ts'
import { withTheme } from '../editor/look/with-theme.ts'
import type { Phrase, Phrases } from './phrases.ts'
import { emptySegments, fallbackId, type SegmentText, type TemplateName, templates } from './templates.ts'

type Wishes = { name: string; timeZone: string; language: string; phrases: Record<string, Phrases> }

/** A wheel made from a template, with labels and prizes in `language` and translated into all others. */
export function fromTemplate(template: TemplateName, wishes: Wishes): WheelDocument {
  const { name, timeZone, language, phrases } = wishes
  const { theme, segments } = templates[template]
  const texts = Object.entries(phrases).map(([tag, some]) => [
    tag,
    { title: some[`${template}.title`], subtitle: some[`${template}.subtitle`] },
  ])
  const wheel: WheelDocument = {
    name,
    timeZone,
    language,
    fallback: fallbackId,
    texts: Object.fromEntries(texts),
    // `withTheme` chooses the colour.
    segments: segments.map(({ text, ...rules }) => ({ ...rules, ...inAll(text, wishes), color: '#000000' })),
  }
  return withTheme(wheel, theme)
}

/** A wheel with four segments to change, with their texts in all languages. */
export function emptyWheel({ name, timeZone, ...wishes }: Wishes): WheelDocument {
  const segments = emptySegments.map(({ text, ...rules }) => ({ ...rules, ...inAll(text, wishes) }))
  return { name, timeZone, language: wishes.language, fallback: fallbackId, segments }
}

/** A text in its language, and translated into all others. */
function inAll(text: SegmentText, { language, phrases }: Pick<Wishes, 'language' | 'phrases'>) {
  const own = phrases[language]
  if (own === undefined) throw new Error(`the templates have no phrases in ${language}`)
  const others = Object.entries(phrases).filter(([tag]) => tag !== language)
  const translations = Object.fromEntries(others.map(([tag, some]) => [tag, textsOf(text, some)]))
  return { ...textsOf(text, own), translations }
}

function textsOf({ label, title, instructions, values = {} }: SegmentText, phrases: Phrases) {
  const text = (phrase: Phrase) =>
    phrases[phrase].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
  return {
    label: text(label),
    ...(title === undefined ? {} : { title: text(title) }),
    ...(instructions === undefined ? {} : { instructions: text(instructions) }),
  }
}
