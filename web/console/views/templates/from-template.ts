import type { WheelDocument, WheelSegment } from '../../../../src/wheel-document/wheel-document.ts'
import { withTheme } from '../editor/look/with-theme.ts'
import type { Phrase, Phrases } from './phrases.ts'
import { fallbackId, type SegmentText, type TemplateName, templates } from './templates.ts'

type Wishes = { name: string; timeZone: string; language: string; phrases: Record<string, Phrases> }

/** A wheel made from a template, with labels and prizes in `language` and translated into all others. */
export function fromTemplate(template: TemplateName, wishes: Wishes): WheelDocument {
  const { name, timeZone, language, phrases } = wishes
  const { theme, segments } = templates[template]
  const own = phrases[language]
  if (own === undefined) throw new Error(`the templates have no phrases in ${language}`)
  const others = Object.entries(phrases).filter(([tag]) => tag !== language)
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
    segments: segments.map(({ text, ...rules }): WheelSegment => {
      const translations = Object.fromEntries(others.map(([tag, some]) => [tag, textsOf(text, some)]))
      // `withTheme` chooses the colour.
      return { ...rules, ...textsOf(text, own), color: '#000000', translations }
    }),
  }
  return withTheme(wheel, theme)
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
