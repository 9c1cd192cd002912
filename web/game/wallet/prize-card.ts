/** A prize in the wallet: its state, and everything that is needed to use it. */
import { button, html, svg } from '../page/dom.ts'
import { coupon, note, openLink } from '../page/prize.ts'
import { isPast, serverNowMs, untilMs } from '../states/countdown.ts'
import { formatDuration, formatTime, t } from '../texts/i18n.ts'
import { type Words, wordsIn, write } from '../texts/own-texts.ts'
import { calendarOf } from './calendar.ts'
import { drawn } from './qr.ts'
import type { WalletPrize } from './wallet-api.ts'
import { say } from './wallet-texts.ts'

/** `onClaim`: undefined while there is no connection. */
export function prizeCard(prize: WalletPrize, onClaim: (() => Promise<void>) | undefined): HTMLElement {
  const isOver = ['redeemed', 'expired', 'cancelled', 'refused'].includes(prize.state)
  const { state, wonAt, claimBefore } = prize
  return html(
    'li',
    { class: isOver ? 'over' : '', 'data-play': prize.playId },
    write(html('h2', {}), nameOf(prize)),
    html('p', { class: 'state' }, say(`state.${state}`)),
    html('p', { class: 'note' }, say('wonAt', { time: formatTime(wonAt) })),
    ...decisionOf(prize).map((text) => note(text)),
    ...(isOver || state === 'held' ? [] : usable(prize)),
    ...(isOver || claimBefore === null ? [] : lastDay(prize, claimBefore)),
    ...(state === 'to_claim' && onClaim !== undefined ? [claimButton(onClaim)] : []),
  )
}

/** Until when it is checked, or why it was refused, and who hears an objection. */
function decisionOf({ heldUntil, refusal, contact }: WalletPrize): string[] {
  // What was kept on the device may be older than these fields.
  if (heldUntil)
    return [isPast(heldUntil) ? say('held.late') : say('held.until', { time: formatTime(heldUntil) })]
  if (!refusal) return []
  return [say(`refused.${refusal}`), contact === null ? say('contest.shop') : say('contest', { contact })]
}

export function nameOf({ translations = {}, title, label }: WalletPrize): Words {
  return wordsIn(translations, 'title', title) ?? (wordsIn(translations, 'label', label) as Words)
}

function usable(prize: WalletPrize): Element[] {
  const { code, url, points, number, kind, translations = {} } = prize
  const instructions = wordsIn(translations, 'instructions', prize.instructions)
  return [
    ...(code === null ? [] : [qrCode(code), coupon(code)]),
    ...(url === null ? [] : openLink(url)),
    ...(points === null ? [] : [note(t('prize.points', { count: points }))]),
    ...(number === null ? [] : [qrCode(number), note(t('prize.number')), coupon(number, t('prize.number'))]),
    ...(instructions === null ? [] : [note(instructions)]),
    ...(kind === 'handover' && instructions === null ? [note(t('prize.handover'))] : []),
  ]
}

/** Until when, a countdown, and the entry for the calendar. */
function lastDay(prize: WalletPrize, until: string): HTMLElement[] {
  const time = formatTime(until)
  const text = prize.state === 'to_claim' ? say('claim.until', { time }) : t('prize.until', { time })
  const calendar = button('quiet', say('calendar'), () => downloadReminder(prize, until))
  const left = html('p', { class: 'left', role: 'timer', 'data-until': until })
  return [note(text), left, calendar]
}

/** Called every second. */
export function countDown(): void {
  for (const left of document.querySelectorAll<HTMLElement>('.left')) {
    const until = left.dataset.until as string
    left.hidden = isPast(until)
    left.textContent = say('left', { time: formatDuration(Math.max(0, untilMs(until))) })
  }
}

function claimButton(onClaim: () => Promise<void>): HTMLElement {
  return button('primary', say('claim'), async (pressed) => {
    if (pressed.getAttribute('aria-disabled') === 'true') return
    pressed.setAttribute('aria-disabled', 'true')
    await onClaim().finally(() => pressed.removeAttribute('aria-disabled'))
  })
}

function qrCode(text: string): SVGElement {
  const { size, path } = drawn(text)
  return svg(
    'svg',
    { class: 'qr', viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': say('qr', { code: text }) },
    svg('rect', { width: size, height: size, fill: '#ffffff' }),
    svg('path', { d: path, fill: '#000000', 'shape-rendering': 'crispEdges' }),
  )
}

function downloadReminder(prize: WalletPrize, until: string): void {
  const { playId: prizeId } = prize
  const title = say('calendar.title', { prize: nameOf(prize).text })
  const text = wordsIn(prize.translations ?? {}, 'instructions', prize.instructions)?.text ?? ''
  const file = calendarOf({ prizeId, title, text, until, now: new Date(serverNowMs()) })
  const href = URL.createObjectURL(new Blob([file], { type: 'text/calendar' }))
  html('a', { href, download: `${prizeId}.ics` }).click()
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
