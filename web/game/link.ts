/**
 * The token of the game link. It is removed from the address bar at once and kept in the state of this history entry.
 * There it survives a reload, needs no cookie or storage, and can't be read by other pages.
 */
import type { SentSeed } from './api.ts'

type Kept = { token: string | null; shownPlayId: string | null; sent: SentSeed[] }

declare global {
  interface Window {
    /** The token in the address, as index.html has read it. */
    linkToken?: string | undefined
  }
}

const nothing: Kept = { token: null, shownPlayId: null, sent: [] }

export function takeToken(): string | null {
  const query = new URLSearchParams(location.search)
  const fresh = window.linkToken
  const kept: Kept = fresh === undefined ? keptHere() : { ...nothing, token: fresh }
  // The old frame pass was for another game.
  if (fresh !== undefined) query.delete('frame')
  replaceAddress(kept, query)
  return kept.token
}

/**
 * Puts the frame pass into the URL. When only the frame is reloaded, it tells the server which shop may embed the game.
 * It is not the token and not a secret.
 */
export function keepFramePass(pass: string): void {
  const query = new URLSearchParams(location.search)
  query.set('frame', pass)
  replaceAddress(keptHere(), query)
}

/** Whether the wallet was opened from the game, so that it leads back there. */
export function cameFromGame(): boolean {
  return location.hash === fromGame
}

export const fromGame = '#game'

/** Keeps only what we know; anything else is not needed and may contain private data. */
function replaceAddress(kept: Kept, query: URLSearchParams): void {
  const left = new URLSearchParams([...query].filter(([name]) => name === 'lang' || name === 'frame'))
  const search = `?${left}`.replace(/^\?$/, '')
  history.replaceState(kept, '', location.pathname + search + (cameFromGame() ? fromGame : ''))
}

/** Records that the player has seen the result of this play, so that a reload does not show it again. */
export function noteShown(playId: string): void {
  history.replaceState({ ...keptHere(), shownPlayId: playId } satisfies Kept, '')
}

export function wasShown(playId: string): boolean {
  return keptHere().shownPlayId === playId
}

/** Keeps the token of an entry, as that of a link. */
export function keepToken(token: string): void {
  history.replaceState({ ...nothing, token } satisfies Kept, '')
}

/** The seeds that were sent with this link, oldest first. */
export function keptSent(): readonly SentSeed[] {
  return keptHere().sent
}

export function keepSent(sent: SentSeed[]): void {
  history.replaceState({ ...keptHere(), sent } satisfies Kept, '')
}

function keptHere(): Kept {
  return { ...nothing, ...(history.state as Partial<Kept> | null) }
}
