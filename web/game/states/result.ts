/** The card that shows the result of a play. */
import type { Play, Session } from '../api.ts'
import { t } from '../texts/i18n.ts'
import { idleStateOf } from './idle.ts'
import { wasShown } from '../link.ts'
import { localised, ownText } from '../texts/own-texts.ts'
import type { Card } from '../page/panel.ts'
import { labelOf, prizeDetails, prizeName } from '../page/prize.ts'
import { readWheel, type Wheel } from '../wheel/published.ts'
import { spinsLeft } from './spins-left.ts'
import type { Evidence } from '../proof/verify.ts'
import { verifyButton } from '../proof/verify-button.ts'

const freshMs = 120_000

/** A play made just now whose result was never shown, such as when the page was reloaded while the wheel turned. */
export function missedPlay({ lastPlay, answeredAt }: Session): Play | null {
  if (lastPlay === null || wasShown(lastPlay.playId)) return null
  return answeredAt.getTime() - Date.parse(lastPlay.playedAt) < freshMs ? lastPlay : null
}

/** `isEarlier`: the play was made before this page was opened. */
export function resultCard(
  session: Session,
  { play, isEarlier }: { play: Play; isEarlier: boolean },
  evidence: Evidence,
): Card {
  const wheel = readWheel(session.wheel.published)
  const label = labelOf(play).text
  const isNamed = play.won && prizeName(play).text === label
  const stopped = isNamed ? '' : t('result.field', { label })
  const text = [isEarlier ? t('prize.earlier') : '', stopped, explainFallback(play, evidence)]
  return {
    title: ownText(wheel, play.won ? 'won' : 'noLuck'),
    ...(play.won
      ? { prize: prizeName(play), details: prizeDetails(play, session.settledWins), ...badge(play, evidence) }
      : {}),
    text: text.filter((one) => one !== '').join(' '),
    ...nextStep(session),
    isFocused: true,
    footer: [verifyButton(play, evidence)],
  }
}

/** Offers another spin only if there can be one. */
export function nextStep(session: Session): Pick<Card, 'action' | 'note'> {
  const state = idleStateOf(session)
  if (state === 'ready') return { action: t('won.action'), note: spinsLeft(session) }
  if (state === 'noSpins') return { action: t('spins.check'), note: t('spins.last') }
  if (state === 'over') return { action: '', note: t('over.title') }
  // "Check again" and "Nothing to win" below a win would put the win in doubt.
  return { action: t('next.check'), note: t(state === 'soldOut' ? 'next.soldOut' : `${state}.title`) }
}

function badge({ segment, proof }: Play, evidence: Evidence): Pick<Card, 'badge'> {
  const rested = versionPlayed(proof, evidence)?.segments[segment]
  return rested === undefined ? {} : { badge: rested }
}

/** If the wheel stopped at the fallback, tells the player which segment was drawn and why it was replaced. */
function explainFallback({ fallbackReason, proof }: Play, evidence: Evidence): string {
  const drawn = versionPlayed(proof, evidence)?.segments[proof.drawn]
  if (fallbackReason === null || drawn === undefined) return ''
  return t(`fallback.${fallbackReason}`, { label: drawn.label })
}

/** Undefined if the play used an older version than the page has loaded. */
function versionPlayed({ versionHash }: Play['proof'], { published }: Evidence): Wheel | undefined {
  const text = published.get(versionHash)
  return text === undefined ? undefined : localised(readWheel(text))
}
