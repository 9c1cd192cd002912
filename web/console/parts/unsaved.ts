/** Asks before a view with unsaved changes is left: by a link, the back button, a reload or closing the tab. */
import { useEffect } from 'react'
import { t } from '../texts.ts'

/** How many forms on the screen have unsaved changes. */
let unsavedCount = 0

export function useWarnBeforeLeaving(hasChanges: boolean): void {
  useEffect(() => {
    if (!hasChanges) return undefined
    const address = here()
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    // The browser has already gone back, and the router has not noticed yet.
    const back = (event: PopStateEvent) => {
      if (here() === address || mayLeave()) return
      event.stopImmediatePropagation()
      history.pushState(null, '', address)
    }
    unsavedCount++
    addEventListener('beforeunload', warn)
    addEventListener('popstate', back, { capture: true })
    return () => {
      unsavedCount--
      removeEventListener('beforeunload', warn)
      removeEventListener('popstate', back, { capture: true })
    }
  }, [hasChanges])
}

/** For the router: goes to another view only if nothing is unsaved, or the person agrees. */
export function unlessUnsaved<Options>(
  navigate: (to: string, options?: Options) => void,
  to: string,
  options?: Options,
): void {
  if (to === here() || mayLeave()) navigate(to, options)
}

function mayLeave(): boolean {
  return unsavedCount === 0 || confirm(t('unsaved.ask'))
}

/** The path and the tab. */
function here(): string {
  return location.pathname + location.search
}
