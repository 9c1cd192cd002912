/**
 * Keeps what a person types as text, and hands a value up only when the text is a valid one. A value that comes back
 * from above replaces the text only if it is another one: after undo, say. So a save in the middle of typing changes
 * nothing on the screen.
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
  // A text that nobody touched is fine, even if it breaks a rule of today.
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
    /** Shows how the text was understood. */
    leave: () => {
      if ('value' in reading) setText(show(reading.value))
    },
  }
}
