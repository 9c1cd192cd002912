/** The texts of messages while they are edited. */
import { useState } from 'react'
import { flushSync } from 'react-dom'
import {
  type MessageKind,
  messageKinds,
  type MessageText,
  type MessageTexts,
  textProblems,
} from '../../../../src/messages/message-texts.ts'
import { focusUnfinished } from '../../parts/unfinished.tsx'

/** What is edited or seen: also the code that proves an address, which has no own texts. */
export type ShownKind = MessageKind | 'address_code'
export type Shown = { kind: ShownKind; language: string }

export type TextsByKind = Record<MessageKind, MessageTexts>
/** The place of a text: where something is wrong with it, or what is edited. */
export type TextPlace = { kind: MessageKind; language: string }
export type TextProblem = TextPlace & { part: keyof MessageText; detail: string; text: string }

/** With another text in one language. If both parts are empty, the language has no own text. */
export function withText(texts: MessageTexts, language: string, change: Partial<MessageText>): MessageTexts {
  const next = { subject: '', lead: '', ...texts[language], ...change }
  const others = Object.fromEntries(Object.entries(texts).filter(([one]) => one !== language))
  return next.subject === '' && next.lead === '' ? others : { ...others, [language]: next }
}

/** What the server would refuse. */
function problemsIn(texts: TextsByKind): TextProblem[] {
  return messageKinds.flatMap((kind) =>
    Object.entries(texts[kind]).flatMap(([language, text]) =>
      textProblems(kind, text).map((problem) => ({ kind, language, ...problem, text: text[problem.part] })),
    ),
  )
}

/** The text with a placeholder instead of what is selected in its field. */
export function withPlaceholder(field: HTMLInputElement | HTMLTextAreaElement, name: string): string {
  const { value, selectionStart, selectionEnd } = field
  const [from, to] = [selectionStart ?? value.length, selectionEnd ?? value.length]
  return `${value.slice(0, from)}{${name}}${value.slice(to)}`
}

/** Which text is shown, and what is wrong with any. A wrong one elsewhere is shown instead of saving. */
export function useTextPlaces(texts: TextsByKind) {
  const [shown, onShow] = useState<Shown>({ kind: 'won', language: firstLanguage(texts) })
  const [hasTried, setTried] = useState(false)
  const problems = problemsIn(texts)
  const saveOr = (save: () => void) => {
    const [first] = problems
    const isShown = problems.some(({ kind, language }) => kind === shown.kind && language === shown.language)
    // Marked and shown first, so that the focus can move there.
    flushSync(() => {
      setTried(first !== undefined)
      if (first !== undefined && !isShown) onShow({ kind: first.kind, language: first.language })
    })
    if (first === undefined) save()
    else focusUnfinished()
  }
  return { shown, onShow, problems, hasTried, saveOr }
}

function firstLanguage(texts: TextsByKind): string {
  return messageKinds.flatMap((kind) => Object.keys(texts[kind]))[0] ?? 'en'
}
