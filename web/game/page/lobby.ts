/** The games of a link that opens several campaigns: a card for each, with its spins, its state and a small wheel. */
import { isRefused, loadLobby, type LobbyCard, type Session } from '../api.ts'
import { html } from './dom.ts'
import { formatTime, t } from '../texts/i18n.ts'
import { type Words, wordsIn, write } from '../texts/own-texts.ts'
import { markCards } from './panel.ts'
import './lobby.css'

let asked = 0

/** `onChoose` gets the id of the campaign that the player presses. */
export async function showLobby(
  lobby: HTMLElement,
  { token, session, onChoose }: { token: string; session: Session; onChoose: (campaign: string) => void },
): Promise<void> {
  const number = ++asked
  const answer = await loadLobby(token, session)
  // The game itself works without the cards. An answer that a later one has overtaken is old.
  if (isRefused(answer) || number < asked) return
  const cards = answer.campaigns.map((card) => {
    const button = cardOf(card, card.campaign === session.campaign?.campaign)
    button.addEventListener('click', () => onChoose(card.campaign))
    return html('li', {}, button)
  })
  const focused = document.activeElement?.getAttribute('data-campaign')
  lobby.setAttribute('aria-label', t('lobby.title'))
  lobby.replaceChildren(html('ul', {}, ...cards))
  markCards()
  showCurrent(lobby)
  const again = cards.find((card) => card.firstElementChild?.getAttribute('data-campaign') === focused)
  if (typeof focused === 'string') again?.querySelector('button')?.focus({ preventScroll: true })
}

/** Scrolls the cards sideways, and not the page, which may show a result. */
function showCurrent(lobby: HTMLElement): void {
  const current = lobby.querySelector('[aria-current]')?.getBoundingClientRect()
  if (current === undefined) return
  const row = lobby.getBoundingClientRect()
  const left = current.left + current.width / 2 - (row.left + row.width / 2)
  lobby.firstElementChild?.scrollBy({ left, behavior: 'instant' })
}

function cardOf(card: LobbyCard, isShown: boolean): HTMLElement {
  const wheel = html('span', { class: 'small-wheel' })
  wheel.style.background = stripesOf(card.wheel.segments)
  const name = wordsIn(card.texts, 'name', card.name || t('page.name')) as Words
  const description = wordsIn(card.texts, 'description', null)
  return html(
    'button',
    { type: 'button', 'data-campaign': card.campaign, ...(isShown ? { 'aria-current': 'true' } : {}) },
    wheel,
    html(
      'span',
      {},
      write(html('strong'), name),
      ...(description === null ? [] : [write(html('span'), description)]),
      html('span', {}, stateText(card)),
    ),
  )
}

function stateText({ state, opensAt, spinCount }: LobbyCard): string {
  if (state === 'open') return t('spins.left', { count: spinCount })
  if (state === 'paused') return t('paused.title')
  return opensAt === null ? t('closed.title') : t('lobby.opens', { time: formatTime(opensAt) })
}

function stripesOf(segments: readonly { color: string }[]): string {
  const share = 360 / segments.length
  const stripes = segments.map(({ color }, index) => `${color} ${index * share}deg ${(index + 1) * share}deg`)
  return `conic-gradient(${stripes.join(', ')})`
}
