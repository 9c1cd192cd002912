/** A prize and how to use it, as shown on the result card and in the list of wins. */
import type { PrizeValues, WonField } from '../../../src/prize-kinds/prize-kinds.ts'
import { prizeNumber } from '../../../src/prize-kinds/prize-number.ts'
import type { Play, SettledWin } from '../api.ts'
import { copyText } from './clipboard.ts'
import { button, html } from './dom.ts'
import { formatTime, t } from '../texts/i18n.ts'
import { type Words, wordsIn, write } from '../texts/own-texts.ts'

export function prizeName(play: Play): Words {
  const { title, translations = {} } = play.prize
  return wordsIn(translations, 'title', title) ?? labelOf(play)
}

/** The label of the segment, in the player's language. */
export function labelOf({ prize, label }: Play): Words {
  return wordsIn(prize.translations ?? {}, 'label', label) as Words
}

/** How to use it, or what became of it. */
export function prizeDetails(play: Play, settledWins: readonly SettledWin[]): HTMLElement[] {
  const { prize, playNumber } = play
  const settled = settledWins.find((win) => win.playNumber === playNumber)
  if (settled !== undefined) return [note(t(`wins.${settled.state}`))]
  const { kind, claimBefore, withheld, heldUntil, translations = {} } = prize
  const until = claimBefore === null ? [] : [note(t('prize.until', { time: formatTime(claimBefore) }))]
  if (heldUntil !== undefined) return [note(t('prize.held', { time: formatTime(heldUntil) }))]
  if (withheld === 'refused') return [note(t('wins.refused'))]
  if (withheld !== undefined) return [note(t('prize.toClaim')), claimButton(play), ...until]
  const instructions = wordsIn(translations, 'instructions', prize.instructions)
  return [
    ...(Object.keys(shown) as WonField[]).flatMap((field) => shownValue(field, prize[field])),
    ...(instructions === null ? [] : [note(instructions)]),
    ...(kind === 'handover' && instructions === null ? [note(t('prize.handover'))] : []),
    ...(kind === 'handover' ? [numberLine(play)] : []),
    ...until,
  ]
}

/** How the player sees each value, in this order. */
const shown: { [F in WonField]: (value: PrizeValues[F]) => HTMLElement[] } = {
  code: (code) => [coupon(code)],
  url: openLink,
  spins: (count) => [note(t('prize.spins', { count }))],
  points: (count) => [note(t('prize.points', { count }))],
}

/** The page that shows the prize listens for `claim`. */
function claimButton(play: Play): HTMLElement {
  return button('secondary', t('prize.claim'), (pressed) => {
    pressed.dispatchEvent(new CustomEvent<Play>('claim', { bubbles: true, detail: play }))
  })
}

function shownValue<F extends WonField>(field: F, value: PrizeValues[F] | null): HTMLElement[] {
  return value === null ? [] : shown[field](value)
}

/** A code to copy. `label` names it. */
export function coupon(code: string, label = t('prize.code')): HTMLElement {
  const text = html('output', { class: 'code', dir: 'ltr', 'aria-label': label }, code)
  const copy = button('secondary', t('prize.copy'), async (pressed) => {
    pressed.textContent = t((await copyText(text)) ? 'prize.copied' : 'prize.marked')
  })
  return html('div', { class: 'coupon' }, text, copy)
}

/** What the player shows at the till. */
function numberLine({ playId, playedAt }: Play): HTMLElement {
  const number = html('span', { class: 'code', dir: 'ltr' }, prizeNumber({ playId, wonAt: playedAt }))
  return html('p', { class: 'note' }, `${t('prize.number')} `, number)
}

export function openLink(url: string): HTMLElement[] {
  if (!isWebAddress(url)) return []
  const attributes = { class: 'secondary', href: url, target: '_blank', rel: 'noopener noreferrer' }
  return [html('a', attributes, t('prize.open'))]
}

export function note(words: string | Words): HTMLElement {
  return write(html('p', { class: 'note' }), words)
}

/** The merchant chose the address; `javascript:` and similar schemes would run code. */
function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url)
}
