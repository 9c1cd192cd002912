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
  const language = query.get('lang')
  history.replaceState(
    kept,
    '',
    location.pathname + (language === null ? '' : `?lang=${encodeURIComponent(language)}`),
  )
  return kept.token
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
