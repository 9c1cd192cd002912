/** Asks before a view with unsaved changes is left: by a link, the back button, a reload or closing the tab. */
import { useEffect } from 'react'
import { t } from '../texts.ts'

/** The address of the view with unsaved changes, and how many of its forms have some. */
let unsavedAt: string | null = null
let unsavedForms = 0

export function useWarnBeforeLeaving(hasChanges: boolean): void {
  useEffect(() => {
    if (!hasChanges) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    unsavedAt = here()
    unsavedForms++
    addEventListener('beforeunload', warn)
    return () => {
      unsavedForms--
      if (unsavedForms === 0) unsavedAt = null
      removeEventListener('beforeunload', warn)
    }
  }, [hasChanges])
}

/** For the router: goes to another view only if nothing is unsaved, or the person agrees. */
export function unlessUnsaved<Options>(
  navigate: (to: string, options?: Options) => void,
  to: string,
  options?: Options,
): void {
  if (mayGoTo(to)) navigate(to, options)
}

/** Must be called before the router starts to listen: window listeners are called in order of registration. */
export function guardBackButton(): void {
  addEventListener('popstate', (event) => {
    // The browser has already gone back, and the router has not noticed yet.
    if (unsavedAt === null || mayGoTo(here())) return
    event.stopImmediatePropagation()
    history.pushState(null, '', unsavedAt)
  })
}

/** For a change of the tab, whose forms are then gone. */
export function mayLeaveTab(): boolean {
  return unsavedAt === null || confirm(t('unsaved.ask'))
}

function mayGoTo(address: string): boolean {
  return unsavedAt === null || address === unsavedAt || confirm(t('unsaved.ask'))
}

/** The path and the tab. */
function here(): string {
  return location.pathname + location.search
}
