/** Asks before a view with unsaved changes is left: by a link, the back button, a reload or closing the tab. */
import { useEffect } from 'react'
import { t } from '../texts.ts'

/** Where changes are that are not saved, one for each form. Some stay while only the tab of their view is changed. */
const unsaved = new Set<{ at: string; staysInView: boolean }>()

export function useWarnBeforeLeaving(hasChanges: boolean, { staysInView = false } = {}): void {
  useEffect(() => {
    if (!hasChanges) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    const form = { at: here(), staysInView }
    unsaved.add(form)
    addEventListener('beforeunload', warn)
    return () => {
      unsaved.delete(form)
      removeEventListener('beforeunload', warn)
    }
  }, [hasChanges, staysInView])
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
    const [form] = unsaved
    if (form === undefined || mayGoTo(here())) return
    event.stopImmediatePropagation()
    history.pushState(null, '', form.at)
  })
}

/** For a change of the tab, whose forms are then gone. */
export function mayLeaveTab(): boolean {
  return [...unsaved].every(({ staysInView }) => staysInView) || confirm(t('unsaved.ask'))
}

function mayGoTo(address: string): boolean {
  const pathOf = (text: string) => text.split('?')[0]
  const stays = ({ at, staysInView }: { at: string; staysInView: boolean }) =>
    at === address || (staysInView && pathOf(at) === pathOf(address))
  return [...unsaved].every(stays) || confirm(t('unsaved.ask'))
}

/** The path and the tab. */
function here(): string {
  return location.pathname + location.search
}
