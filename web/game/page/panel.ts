/** The card beside the wheel: the current state, the prize, and one button for the next action. */
import type { Pointer } from '../wheel/angle.ts'
import { textOn } from '../look/colour.ts'
import { byId, picture } from './dom.ts'
import { hasText, t } from '../texts/i18n.ts'
import { type Words, write } from '../texts/own-texts.ts'
import type { Segment } from '../wheel/published.ts'
import { busyStates, type State } from '../states/states.ts'

export type Card = {
  title?: string | Words | null
  text?: string
  /** On the button; empty for no button. */
  action?: string | Words | null
  prize?: string | Words
  /** The segment that was won. */
  badge?: Segment
  details?: HTMLElement[]
  footer?: HTMLElement[]
  note?: string
  /** When the wheel opens, for a countdown. */
  opensAt?: string
  count?: number
  /** The caller moves the focus to the card. */
  isFocused?: boolean
}

/** Shows a state with the page's own texts, except those that the card overrides. */
export function showPanel(state: State, card: Card = {}): void {
  const hadFocus = document.activeElement === byId('action')
  const title = card.title ?? ownText(state, 'title', card.count)
  const text = card.text ?? ownText(state, 'text')
  document.body.dataset.state = state
  showBadge(card.badge)
  fill('panel-title', title)
  fill('prize', card.prize ?? '')
  fill('text', text)
  fill('note', card.note ?? '')
  showDetails(card.details ?? [])
  byId('footer').replaceChildren(...(card.footer ?? []))
  fill('action', card.action ?? ownText(state, 'action'))
  // Not `disabled`, which would take the focus away from a keyboard player.
  byId('action').setAttribute('aria-disabled', String(state === 'turning' || state === 'loading'))
  markCards()
  // A result gets the focus, which reads it. Announcing it too would say everything twice.
  announce(card.isFocused === true ? [] : [title, text])
  if (hadFocus && byId('action').hidden) byId('panel-title').focus()
}

export function showDetails(details: HTMLElement[]): void {
  byId('details').replaceChildren(...details)
}

/** While the wheel turns, no other game of the lobby can be opened. */
export function markCards(): void {
  const isBusy = busyStates.has(document.body.dataset.state as State)
  for (const card of document.querySelectorAll('#lobby button'))
    card.setAttribute('aria-disabled', String(isBusy))
}

/** Announces a text only when it changes, so a page that keeps retrying does not repeat itself to screen readers. */
function announce(parts: (string | Words)[]): void {
  const text = parts.map(textOf).filter(Boolean).join(' ')
  if (byId('announcer').textContent !== text) byId('announcer').textContent = text
}

/** Changes what a shown result offers next. The rest stays as it is, with the focus and what the player has opened. */
export function showNextStep({ action, note }: Pick<Card, 'action' | 'note'>): void {
  const hadFocus = document.activeElement === byId('action')
  fill('action', action ?? '')
  fill('note', note ?? '')
  if (hadFocus && byId('action').hidden) byId('panel-title').focus()
}

/** Scrolls to the result as far as the pointer and its segment stay in view. */
export function focusResult(): void {
  byId('panel-title').focus({ preventScroll: true })
  // Offsets, since the card is still moving to its place.
  const [panel, stage] = [byId('panel'), byId('stage')]
  const isBeside =
    panel.offsetLeft >= stage.offsetLeft + stage.offsetWidth ||
    panel.offsetLeft + panel.offsetWidth <= stage.offsetLeft
  const visibleFrom = pointerTops[byId('arm').dataset.pointer as Pointer]
  const highest = isBeside ? panel.offsetTop - 56 : stage.offsetTop + visibleFrom * stage.offsetHeight
  const lowest = panel.offsetTop + panel.offsetHeight + 8 - innerHeight
  scrollTo({ top: Math.min(Math.max(scrollY, lowest), highest) })
}

/** Where the pointer and a part of its segment begin, as a share of the wheel's height. */
const pointerTops: Record<Pointer, number> = { top: -0.06, left: 0.28, right: 0.28, bottom: 0.5 }

function ownText(state: State, part: 'title' | 'text' | 'action', count = 0): string {
  const key = `${state}.${part}`
  return hasText(key) ? t(key, { count }) : ''
}

function showBadge(segment: Segment | undefined): void {
  const badge = byId('badge')
  badge.hidden = segment === undefined
  if (segment === undefined) return
  const { image, icon, colour } = segment
  badge.style.backgroundColor = colour
  badge.style.color = textOn(colour)
  const symbol = icon ?? '★'
  badge.replaceChildren(image === null ? symbol : picture(image, symbol))
}

function fill(id: string, words: string | Words): void {
  write(byId(id), words).hidden = textOf(words) === ''
}

function textOf(words: string | Words): string {
  return typeof words === 'string' ? words : words.text
}
