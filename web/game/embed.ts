/** Posts events to the page that embeds this one. Only origins that the merchant listed get messages. */
type Message =
  | { type: 'opened'; spinCount: number }
  | { type: 'played'; playId: string; segment: number; won: boolean }
  | { type: 'won'; playId: string; kind: string }
  | { type: 'height'; height: number }

let origins: string[] = []

/** Starts messages to the parent, including the height that the frame should have. */
export function allowParents(parentOrigins: string[]): void {
  const isFirst = origins.length === 0
  // Where the browser reveals the parent's origin, skip the others, which would only cause console errors.
  const parent = location.ancestorOrigins?.[0]
  origins = parentOrigins.filter((origin) => parent === undefined || origin === parent)
  if (isFirst && origins.length > 0) reportHeight()
}

export function tellParent(message: Message): void {
  if (!isFramed) return
  for (const origin of origins) window.parent.postMessage({ source: 'wheelhouse', ...message }, origin)
}

export const isFramed = window.parent !== window

/** The body's height, not the window's: the content must not depend on the height of the frame. */
function reportHeight(): void {
  new ResizeObserver(() => {
    tellParent({ type: 'height', height: Math.ceil(document.body.getBoundingClientRect().height) })
  }).observe(document.body)
}
