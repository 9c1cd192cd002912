/** The history for undo and redo. Changes to one field in quick succession count as one. */
import { useCallback, useReducer } from 'react'

type History<T> = { past: T[]; present: T; future: T[]; lastKey: string; lastAt: number }
type Action<T> =
  | { kind: 'change'; change: (before: T) => T; key: string; at: number }
  | { kind: 'undo' }
  | { kind: 'redo' }
  | { kind: 'replace'; next: T }

const stepsMax = 100
const sameEditMs = 900

function reduceHistory<T>(history: History<T>, action: Action<T>): History<T> {
  const { past, present, future } = history
  if (action.kind === 'replace') return { past: [], present: action.next, future: [], lastKey: '', lastAt: 0 }
  if (action.kind === 'change') {
    const isSameEdit =
      action.key === history.lastKey && action.at - history.lastAt < sameEditMs && past.length > 0
    return {
      past: isSameEdit ? past : [...past, present].slice(-stepsMax),
      present: action.change(present),
      future: [],
      lastKey: action.key,
      lastAt: action.at,
    }
  }
  if (action.kind === 'undo') {
    const before = past.at(-1)
    if (before === undefined) return history
    return { past: past.slice(0, -1), present: before, future: [present, ...future], lastKey: '', lastAt: 0 }
  }
  const [next, ...rest] = future
  if (next === undefined) return history
  return { past: [...past, present], present: next, future: rest, lastKey: '', lastAt: 0 }
}

/** `follow`: completes every change, given the value before it. It must stay the same function. */
export function useHistory<T>(first: T, follow: (before: T, after: T) => T) {
  const [history, dispatch] = useReducer(reduceHistory<T>, {
    past: [],
    present: first,
    future: [],
    lastKey: '',
    lastAt: 0,
  })
  return {
    present: history.present,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    change: useCallback(
      (next: T, key: string) =>
        dispatch({ kind: 'change', change: (before) => follow(before, next), key, at: Date.now() }),
      [follow],
    ),
    /** A value as a whole, such as an old version. */
    load: useCallback(
      (next: T) => dispatch({ kind: 'change', change: () => next, key: '', at: Date.now() }),
      [],
    ),
    undo: useCallback(() => dispatch({ kind: 'undo' }), []),
    redo: useCallback(() => dispatch({ kind: 'redo' }), []),
    replace: useCallback((next: T) => dispatch({ kind: 'replace', next }), []),
  }
}
