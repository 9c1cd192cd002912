/** Tells the page that embeds this one what happens. Only origins that the merchant listed ever get a message. */
type Message =
  | { type: 'opened'; spinCount: number }
  | { type: 'played'; playId: string; segment: number; won: boolean }
  | { type: 'won'; playId: string; kind: string }
  | { type: 'height'; height: number }

let origins: string[] = []

/** From here on the parent is told, also of the height that it should give us. */
export function allowParents(parentOrigins: string[]): void {
  const isFirst = origins.length === 0
  // Where the browser tells who the parent is, the others need no message that it would only complain about.
  const parent = location.ancestorOrigins?.[0]
  origins = parentOrigins.filter((origin) => parent === undefined || origin === parent)
  if (isFirst && origins.length > 0) reportHeight()
}

export function tellParent(message: Message): void {
  if (!isFramed) return
  for (const origin of origins) window.parent.postMessage({ source: 'wheelhouse', ...message }, origin)
}

export const isFramed = window.parent !== window

/** The body's height, not the window's: in a frame of the right height nothing may depend on the frame's height. */
function reportHeight(): void {
  new ResizeObserver(() => {
    tellParent({ type: 'height', height: Math.ceil(document.body.getBoundingClientRect().height) })
  }).observe(document.body)
}
