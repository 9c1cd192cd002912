/** What a visitor is asked once there is a win: after it, and to claim the prize. Loaded when it is needed. */
import { visitorIdPrefix } from '../../../src/entries/form.ts'
import { isRefused, type Play, type Refused, type Session } from '../api.ts'
import { byId } from '../page/dom.ts'
import { focusResult, showDetails } from '../page/panel.ts'
import { prizeDetails, prizeName } from '../page/prize.ts'

type Game = {
  session: () => Session
  /** The win that the card shows. */
  shownWin: () => Play | undefined
  reopen: () => Promise<Session | Refused>
  adopt: (fresh: Session) => void
}

/** Asks after a win; also sees to the buttons that claim a prize. */
export function followUps(game: Game): (from: Session, play: Play) => void {
  document.addEventListener('claim', (event) => void claim(game, (event as CustomEvent<Play>).detail))
  return (from, play) => void askAfterWin(game, from, play)
}

/** Other players are known to the merchant, who asks them nothing. */
async function askAfterWin(game: Game, { playerId, session }: Session, { won, playId }: Play): Promise<void> {
  if (!won || playerId?.startsWith(visitorIdPrefix) !== true) return
  const { showAfterWin } = await import('../entry/after-win.ts')
  await showAfterWin(byId('details'), session, () => game.shownWin()?.playId === playId)
}

/** Then the session shows how to use the prize. */
async function claim(game: Game, play: Play): Promise<void> {
  const { openClaim } = await import('../entry/claim.ts')
  const { loadForms, sendClaim } = await import('../entry/later-api.ts')
  await openClaim({
    prize: prizeName(play).text,
    loadForms: () => loadForms(game.session().session),
    claim: async (formVersion, answers) => {
      const { session } = game.session()
      const { lang: language } = document.documentElement
      const claimed = await sendClaim({ session, playId: play.playId, formVersion, language, answers })
      return isRefused(claimed) ? claimed : game.reopen()
    },
    onClaimed: (fresh) => showClaimed(game, fresh, play),
  })
}

function showClaimed(game: Game, fresh: Session, { playId }: Play): void {
  game.adopt(fresh)
  const play = fresh.wins.find((win) => win.playId === playId)
  if (game.shownWin()?.playId !== playId || play === undefined) return
  showDetails(prizeDetails(play, fresh.settledWins))
  focusResult()
  void askAfterWin(game, fresh, play)
}
