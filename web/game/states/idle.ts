/** The state of a game that does not turn: whether a spin can be offered, and if not, why. */
import type { Session } from '../api.ts'
import { firstReturn, isSoldOut } from '../wheel/availability.ts'
import { formatTime, t } from '../texts/i18n.ts'
import type { Card } from '../page/panel.ts'
import { readWheel } from '../wheel/published.ts'
import { playable } from './spins-left.ts'
import type { State } from './states.ts'

type Idle = Extract<State, 'ready' | 'noSpins' | 'soldOut' | 'paused' | 'closed' | 'over'>

export function idleStateOf(session: Session): Idle {
  const { wheel } = session
  if (wheel.state === 'paused') return 'paused'
  // A closed wheel without a next opening never opens again.
  if (wheel.state === 'closed') return wheel.opensAt === null ? 'over' : 'closed'
  if (playable(session) === 0) return 'noSpins'
  return isSoldOut(readWheel(wheel.published), wheel.unavailable) ? 'soldOut' : 'ready'
}

/** Whether the page may ask for a press: a spin can be played, or is being played. */
export function invites(state: State, session: Session | undefined): boolean {
  if (['won', 'noLuck'].includes(state)) return session !== undefined && idleStateOf(session) === 'ready'
  return ['loading', 'ready', 'changed', 'turning', 'waiting'].includes(state)
}

/** What the card says in these states. After a press, the player learns that it cost nothing. */
export function idleCard(session: Session, state: Idle, { isAfterPress }: { isAfterPress: boolean }): Card {
  const card = factsOf(session, state)
  if (!isAfterPress || state === 'ready' || state === 'noSpins') return card
  return { ...card, text: `${card.text ?? t(`${state}.text`)} ${t('spins.unused')}` }
}

/** What is known beyond the texts that always belong to a state. */
function factsOf({ wheel, answeredAt }: Session, state: Idle): Pick<Card, 'text' | 'opensAt'> {
  const { opensAt, closesAt, unavailable } = wheel
  const returns = firstReturn(unavailable)
  if (state === 'closed' && opensAt !== null)
    return { text: t('closed.opens', { time: formatTime(opensAt) }), opensAt }
  if (state === 'over' && closesAt !== null && Date.parse(closesAt) <= answeredAt.getTime())
    return { text: t('over.since', { time: formatTime(closesAt) }) }
  if (state === 'soldOut' && returns !== null)
    return { text: t('soldOut.again', { time: formatTime(returns) }) }
  return {}
}
