/** Posts events to the page that embeds this one. Only origins that the merchant listed get messages. */
type Message =
  | { type: 'entered' }
  | { type: 'opened'; spinCount: number }
  | { type: 'played'; playId: string; segment: number; won: boolean }
  | { type: 'won'; playId: string; kind: string }
  | { type: 'height'; height: number }
  | { type: 'close' }

// The server lets only listed origins show this page in a frame. So where the browser reveals the parent's origin, it
// may have messages at once, even if the link is dead.
const parent = location.ancestorOrigins?.[0]
let origins = parent?.startsWith('http') === true ? [parent] : []
if (origins.length > 0) reportHeight()

/** Starts messages to the parent in browsers that don't reveal its origin. */
export function allowParents(parentOrigins: string[]): void {
  if (origins.length > 0) return
  origins = parentOrigins
  if (origins.length > 0) reportHeight()
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

// Keys pressed in a frame don't reach the page around it, which may show the game in a dialog.
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape' && document.querySelector('dialog[open]') === null) tellParent({ type: 'close' })
})
