/** One play, from the first request to its answer, across network failures and plays in other tabs. */
import { isRefused, type PlayAnswer, type PlayRequest, type Refused, sendPlay, type Session } from './api.ts'
import { isSameGame } from './wheel/published.ts'
import type { Retrier } from './retry.ts'
import { noteRefusal, noteSent, requestFor } from './proof/sent-seeds.ts'

/** The wheel has changed since the player saw it. Nothing was played. */
type Changed = { changed: Session }

const triesMax = 5

/**
 * After a lost answer, the same request is sent again; the server plays it only once. A new request is made only if the
 * server says that the old one was outdated, and so never played. It is sent automatically if the game is still the
 * same, such as after a play in another tab. If the wheel has changed, the player has to see it first. `reopen` gets a
 * new session, also when the old one has expired.
 */
export async function requestPlay(game: {
  session: Session
  retrier: Retrier
  reopen: () => Promise<Session | Refused>
  onReopened: (session: Session) => void
  onRequest: (request: PlayRequest) => void
}): Promise<PlayAnswer | Refused | Changed> {
  let session = game.session
  let request = requestFor(session)
  for (let tries = 0; tries < triesMax; tries++) {
    game.onRequest(request)
    noteSent(request, session.next.playNumber)
    const answer = await game.retrier.run(() => sendPlay({ session: session.session, ...request }))
    if (!isRefused(answer)) return answer
    noteRefusal(request)
    const isOutdated = answer.code === 'play_outdated'
    if (!isOutdated && !answer.code.startsWith('game_token_')) return answer
    const reopened = await game.retrier.run(game.reopen)
    if (isRefused(reopened)) return reopened
    if (isOutdated) noteRefusal(request, reopened)
    if (isOutdated && !isSameGame(game.session.wheel.published, reopened.wheel.published))
      return { changed: reopened }
    game.onReopened(reopened)
    session = reopened
    if (isOutdated) request = requestFor(session)
  }
  return { code: 'down', isPassing: true, waitMs: 0 }
}
