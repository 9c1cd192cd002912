import { useRef } from 'react'

type Handlers = Record<string, (...args: never[]) => unknown>

/**
 * The same functions at each render; they call the newest ones. A memoised component that gets them is drawn anew only
 * when it looks different.
 */
export function useSteady<Given extends Handlers>(handlers: Given): Given {
  const newest = useRef<Handlers>(handlers)
  newest.current = handlers
  const steady = useRef<Handlers>({})
  for (const name of Object.keys(handlers))
    steady.current[name] ??= (...args) => newest.current[name]?.(...args)
  return steady.current as Given
}
