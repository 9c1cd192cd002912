/** Parts of the console that are loaded on demand. */
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { Failure } from './states.tsx'

/**
 * A component that is loaded when first shown, with `waiting` as its placeholder. A loaded component is shown at once;
 * React's `lazy` keeps the placeholder for 300 ms even then. If loading fails, because the server is unreachable or has
 * been upgraded since, an error is shown.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: () => ReactNode,
) {
  let ready: ComponentType<Props> | undefined
  const loadOnce = async () => (ready ??= await load())
  const Lazy = (props: Props) => {
    const [Loaded, setLoaded] = useState<ComponentType<Props> | undefined>(() => ready)
    const [error, setError] = useState<unknown>()
    useEffect(() => {
      loadOnce().then((found) => setLoaded(() => found), setError)
    }, [])
    if (Loaded !== undefined) return <Loaded {...props} />
    return error === undefined ? waiting() : <Failure error={error} onRetry={() => location.reload()} />
  }
  return Object.assign(Lazy, { load: loadOnce })
}
