/**
 * Keeps the typed text, and passes a value up only when the text is valid. A value that comes back from the parent
 * replaces the text only if it differs, for example after undo. So a save in the middle of typing changes nothing on
 * the screen.
 */
import { useState } from 'react'
import { useReportUnfinished } from './unfinished.tsx'

export type Reading<T> = { value: T } | { problem: string }

export function useTypedText<T extends string | number | undefined>(field: {
  value: T
  show: (value: T) => string
  read: (text: string) => Reading<T>
  onChange: (value: T) => void
}) {
  const { value, show, read, onChange } = field
  const [text, setText] = useState(() => show(value))
  const [known, setKnown] = useState(value)
  if (value !== known) {
    setKnown(value)
    const typed = read(text)
    if (!('value' in typed && typed.value === value)) setText(show(value))
  }
  // An unedited text is accepted, even if it breaks a newer rule.
  const reading: Reading<T> = text === show(value) ? { value } : read(text)
  const problem = 'problem' in reading ? reading.problem : null
  useReportUnfinished(problem !== null)
  return {
    text,
    problem,
    type: (next: string) => {
      setText(next)
      const typed = next === show(value) ? { value } : read(next)
      if ('value' in typed && typed.value !== value) onChange(typed.value)
    },
    /** Replaces the text by its normalised form. */
    leave: () => {
      if ('value' in reading) setText(show(reading.value))
    },
  }
}
