/**
 * Keeps the typed text, and passes a value up only when the text is valid. A text that becomes invalid takes back the
 * values of its valid beginnings: the value from before the typing counts again. A value that comes back from the
 * parent replaces the text only if it differs, for example after undo. So a save in the middle of typing changes
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
  const [before, setBefore] = useState(value)
  if (value !== known) {
    setKnown(value)
    const typed = read(text)
    if (!('value' in typed && typed.value === value)) {
      setText(show(value))
      setBefore(value)
    }
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
      const wanted = 'value' in typed ? typed.value : before
      // Known beforehand, so that the invalid text stays.
      if ('problem' in typed) setKnown(before)
      if (wanted !== value) onChange(wanted)
    },
    /** Ends the typing. Replaces a valid text by the normalised form of the value. */
    leave: () => {
      setBefore(value)
      if (problem === null) setText(show(value))
    },
  }
}
