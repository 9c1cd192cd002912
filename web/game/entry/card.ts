/** The card beside the wheel in the states of an entry. */
import { byId } from '../page/dom.ts'
import { type Card, showPanel } from '../page/panel.ts'
import { countDownTo } from '../states/countdown.ts'
import type { State } from '../states/states.ts'
import { showHeading } from '../look/look.ts'
import { ownText } from '../texts/own-texts.ts'
import type { Wheel } from '../wheel/published.ts'
import { hasEntryText, say } from './entry-texts.ts'

/** States with the same name as one of the game have its texts, unless the entry has its own. */
export function showCard(state: State, card: Card = {}): void {
  const hadFocus = byId('panel').contains(document.activeElement)
  showPanel(state, { ...ownTexts(state), ...card })
  countDownTo(undefined, () => undefined)
  if (hadFocus && !byId('panel').contains(document.activeElement)) byId('panel-title').focus()
}

/** The heading of the page. Its own subtitle speaks of the button that turns the wheel; a merchant's may stay. */
export function showEntryHeading(wheel: Wheel | undefined, how: { isInviting: boolean }): void {
  showHeading(wheel, how)
  if (wheel === undefined || ownText(wheel, 'subtitle') === null) byId('subtitle').textContent = ''
}

/** Another heading above the same form, which keeps the focus. */
export function retitle(state: State, title: string): void {
  document.body.dataset.state = state
  byId('panel-title').textContent = title
}

function ownTexts(state: State): { title?: string; text?: string; action?: string } {
  const parts = (['title', 'text', 'action'] as const).flatMap((part) => {
    const key = `${state}.${part}`
    return hasEntryText(key) ? [[part, say(key)]] : []
  })
  return Object.fromEntries(parts)
}
