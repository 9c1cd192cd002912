/** Parts of the console that come when they are needed. */
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { Failure } from './states.tsx'

/**
 * A component that is loaded when it is shown first, with `waiting` in its place until then. What is there already is
 * shown at once; React's own way keeps the placeholder for 300 ms even then. What can't be loaded, because the server is
 * away or has been upgraded since, says so.
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
