/**
 * The sections around the wheel: the games of the link above it, the way to the wallet and the chances below. The
 * fourth is in check-all.ts.
 */
import { isRefused, loadWalletToken, type Play, type Session, type Unavailable } from '../api.ts'
import { fromGame } from '../link.ts'
import { type Chance, chancesNow } from '../wheel/availability.ts'
import type * as CheckAll from '../proof/check-all.ts'
import { button, byId, fillSection, html } from './dom.ts'
import { formatShare, formatTime, t } from '../texts/i18n.ts'
import { write } from '../texts/own-texts.ts'
import type { Segment, Wheel } from '../wheel/published.ts'
import type { Evidence } from '../proof/verify.ts'

/** The cards of a link that opens several campaigns. Other links don't load them. */
export function showGames(
  token: string | null,
  session: Session,
  onChoose: (campaign: string) => void,
): void {
  if (token === null || session.campaign?.hasLobby !== true) return
  // Made before the cards arrive, so that the wheel does not move when they do.
  const lobby = document.getElementById('lobby') ?? html('nav', { id: 'lobby' })
  if (!lobby.isConnected) document.querySelector('main')?.before(lobby)
  void import('./lobby.ts').then(({ showLobby }) => showLobby(lobby, { token, session, onChoose }))
}

/** Every play that this page has seen, by its number. */
const plays = new Map<number, Play>()

/** The way to the prizes, and everything that can be verified. */
export function showPlays(token: string | null, session: Session, evidence: Evidence): void {
  const { wins, lastPlay } = session
  for (const play of [...wins, ...(lastPlay === null ? [] : [lastPlay])]) plays.set(play.playNumber, play)
  const newestFirst = [...plays.values()].toSorted((one, other) => other.playNumber - one.playNumber)
  showWins(session, token)
  showFairness(session, newestFirst, evidence)
}

/** Not needed to play, so it is loaded last. Without a connection, the section is left out. */
function showFairness(...shown: Parameters<typeof CheckAll.showFairness>): void {
  import('../proof/check-all.ts').then(
    (loaded) => loaded.showFairness(...shown),
    () => undefined,
  )
}

/** Opens the wallet, which has the whole list. Spins were added to the balance. */
function showWins({ wins }: Session, token: string | null): void {
  const count = wins.filter(({ prize }) => prize.kind !== 'spins').length
  const isShown = count > 0 && token !== null
  byId('wins').hidden = !isShown
  if (!isShown) return
  const open = button('secondary', t('wins.title', { count }), async () => {
    const answer = await loadWalletToken(token)
    const root = document.documentElement.dataset.root ?? '../'
    if (!isRefused(answer))
      location.assign(`${root}wallet/?token=${answer.token}${askedLanguage()}${fromGame}`)
  })
  byId('wins').replaceChildren(open)
}

/** The wallet speaks the same language. */
function askedLanguage(): string {
  const asked = new URLSearchParams(location.search).get('lang')
  return asked === null ? '' : `&lang=${encodeURIComponent(asked)}`
}

export function showOdds(wheel: Wheel, unavailable: readonly Unavailable[]): void {
  const chances = chancesNow(wheel, unavailable)
  const rows = wheel.segments.map((segment, index) => oddsRow(segment, chances[index] as Chance))
  const head = ['odds.field', 'odds.chance'] as const
  const headings = html('tr', {}, ...head.map((key) => html('th', { scope: 'col' }, t(key))))
  const areEqual = chances.every(({ now }) => now === chances[0]?.now)
  const label = wheel.segments[wheel.fallback]?.label ?? ''
  const isGated = chances.some(({ bound }) => bound !== 'exact')
  fillSection(
    'odds',
    t('odds.title'),
    html(
      'p',
      {},
      t(areEqual ? 'odds.equal' : wheel.look.widths === 'weight' ? 'odds.weights' : 'odds.differ'),
    ),
    html('table', {}, html('thead', {}, headings), html('tbody', {}, ...rows)),
    ...(unavailable.length === 0 ? [] : [html('p', {}, t('odds.replaced', { label }))]),
    ...(isGated ? [html('p', {}, t('odds.gated', { label }))] : []),
  )
}

function oddsRow(segment: Segment, chance: Chance): HTMLElement {
  const { drawn, now, units, why } = chance
  const swatch = html('span', { class: 'swatch' })
  swatch.style.background = segment.colour
  const remark =
    why !== null
      ? whyText(why)
      : segment.isGated
        ? t('odds.paced')
        : segment.limited
          ? t('odds.limited')
          : null
  const published = now === drawn ? [] : [small(t('odds.drawn', { share: formatShare(drawn, units) }))]
  const label = write(html('span'), { text: segment.label, lang: segment.lang })
  return html(
    'tr',
    { class: why === null ? '' : 'unavailable' },
    html('th', { scope: 'row' }, swatch, label, ...(remark === null ? [] : [small(remark)])),
    html('td', {}, chanceText(chance), ...published),
  )
}

/** A chance in words, for the table and for the wheel's description. */
export function chanceText({ now, units, bound }: Chance): string {
  const share = formatShare(now, units)
  return bound === 'exact' ? share : t(`odds.${bound}`, { share })
}

/** Why a segment can't be won now, for the table and for the wheel's description. */
export function whyText({ reason, until }: Unavailable): string {
  const time = until === null ? '' : formatTime(until)
  if (reason === 'out_of_stock_today')
    return t(until === null ? 'odds.out_of_stock' : `odds.${reason}`, { time })
  if (reason === 'not_winnable_now' || reason === 'budget')
    return t(until === null ? `odds.${reason}` : 'odds.not_yet', { time })
  return t(`odds.${reason}`)
}

function small(text: string): HTMLElement {
  return html('small', {}, text)
}
