/** What follows a result: sound, vibration and confetti, and messages to the page that embeds this one. */
import type { Play } from '../api.ts'
import { throwConfetti } from './confetti.ts'
import { tellParent } from '../embed.ts'
import { vibrateWin } from './haptics.ts'
import type { Wheel } from '../wheel/published.ts'
import { playResult } from './sound.ts'

export function celebrate(play: Play, { look, segments }: Wheel): void {
  const { playId, segment, won, prize } = play
  tellParent({ type: 'played', playId, segment, won })
  playResult(play)
  if (!won) return
  tellParent({ type: 'won', playId, kind: prize.kind })
  vibrateWin()
  void throwConfetti(
    look.theme.win,
    segments.map(({ colour }) => colour),
  )
}
