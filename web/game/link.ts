/**
 * The token of the game link. It leaves the address bar at once and is kept with this entry of the browser's history: a
 * reload still has it, while no cookie and no storage is needed and nobody else can read it.
 */
type Kept = { token: string | null; shownPlayId: string | null }

const nothing: Kept = { token: null, shownPlayId: null }

export function takeToken(): string | null {
  const query = new URLSearchParams(location.search)
  const fresh = query.get('token')
  const kept: Kept = fresh === null ? keptHere() : { ...nothing, token: fresh }
  // It was for another game.
  if (fresh !== null) query.delete('frame')
  replaceAddress(kept, query)
  return kept.token
}

/**
 * Puts into the address what the server must know when just the frame is reloaded: which shop may show it. Not the
 * token, and no secret.
 */
export function keepFramePass(pass: string): void {
  const query = new URLSearchParams(location.search)
  query.set('frame', pass)
  replaceAddress(keptHere(), query)
}

/** Of the query only what we know: nothing else is needed, and nobody knows what it gives away. */
function replaceAddress(kept: Kept, query: URLSearchParams): void {
  const left = new URLSearchParams([...query].filter(([name]) => name === 'lang' || name === 'frame'))
  history.replaceState(kept, '', location.pathname + `?${left}`.replace(/^\?$/, ''))
}

/** Notes that the player has seen how this play ended, so that a reload does not tell it again. */
export function noteShown(playId: string): void {
  history.replaceState({ ...keptHere(), shownPlayId: playId } satisfies Kept, '')
}

export function wasShown(playId: string): boolean {
  return keptHere().shownPlayId === playId
}

function keptHere(): Kept {
  return (history.state as Kept | null) ?? nothing
}
