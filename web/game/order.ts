/** One play from the first request to its answer, whatever the network and other tabs do in between. */
import { toHex } from '../../src/plays/fairness.ts'
import { isRefused, type PlayAnswer, type PlayBody, type Refused, sendPlay, type Session } from './api.ts'
import { isSameGame } from './published.ts'
import type { Patience } from './retry.ts'

export type Order = Omit<PlayBody, 'session'>
/** The wheel is another one than the player saw. Nothing was played. */
type Changed = { changed: Session }

const triesMax = 5

/**
 * A lost answer is asked for again with the same order, which can't play twice. Only if the server says that the order
 * was outdated, and so never played, is a new one made: by itself if the player would play the same game, such as after
 * a play in another tab. If the wheel has changed, the player has to see it first. `reopen` gets a fresh session, also
 * when the old one ran out.
 */
export async function playOut(game: {
  session: Session
  patience: Patience
  reopen: () => Promise<Session | Refused>
  onReopened: (session: Session) => void
  onOrder: (order: Order) => void
}): Promise<PlayAnswer | Refused | Changed> {
  let session = game.session
  let order = newOrder(session)
  for (let tries = 0; tries < triesMax; tries++) {
    game.onOrder(order)
    const answer = await game.patience.until(() => sendPlay({ session: session.session, ...order }))
    if (!isRefused(answer)) return answer
    const isOutdated = answer.code === 'play_outdated'
    if (!isOutdated && !answer.code.startsWith('game_token_')) return answer
    const reopened = await game.patience.until(game.reopen)
    if (isRefused(reopened)) return reopened
    if (isOutdated && !isSameGame(game.session.wheel.published, reopened.wheel.published))
      return { changed: reopened }
    game.onReopened(reopened)
    session = reopened
    if (isOutdated) order = newOrder(session)
  }
  return { code: 'down', isPassing: true, waitMs: 0 }
}

function newOrder({ next, wheel }: Session): Order {
  return {
    playId: randomUuid(),
    playerSeed: toHex(crypto.getRandomValues(new Uint8Array(32))),
    commitment: next.commitment,
    versionHash: wheel.hash,
  }
}

/** `crypto.randomUUID` is missing on plain http, where a merchant may well try the game for the first time. */
function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  return toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
