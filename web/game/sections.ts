/** The collapsible sections below the wheel: earlier wins, the chances, and how to check fairness. */
import { weightTotal } from '../../src/plays/draw.ts'
import type { Play, Session } from './api.ts'
import { byId, html } from './dom.ts'
import { formatShare, formatTime, t } from './i18n.ts'
import { prizeDetails, prizeName } from './prize.ts'
import type { Segment } from './published.ts'
import { type Evidence, verifyButton } from './verify-dialog.ts'

export function showWins(wins: readonly Play[], evidence: Evidence): void {
  byId('wins').hidden = wins.length === 0
  const items = wins.map((play) =>
    html(
      'li',
      {},
      html('h3', {}, prizeName(play)),
      html('p', { class: 'note' }, html('time', { datetime: play.playedAt }, formatTime(play.playedAt))),
      ...prizeDetails(play),
      verifyButton(play, evidence),
    ),
  )
  fillSection('wins', t('wins.title', { count: wins.length }), html('ul', { class: 'wins' }, ...items))
}

export function showOdds(segments: readonly Segment[]): void {
  const weights = segments.map((segment) => segment.weight)
  const total = weightTotal(weights)
  const rows = segments.map((segment) => {
    const swatch = html('span', { class: 'swatch' })
    swatch.style.background = segment.colour
    const label = html('th', { scope: 'row' }, swatch, segment.label)
    return html('tr', {}, label, html('td', {}, formatShare(segment.weight / total)))
  })
  const head = ['odds.field', 'odds.chance'] as const
  const headings = html('tr', {}, ...head.map((key) => html('th', { scope: 'col' }, t(key))))
  const areEqual = weights.every((weight) => weight === weights[0])
  fillSection(
    'odds',
    t('odds.title'),
    html('p', {}, t(areEqual ? 'odds.equal' : 'odds.differ')),
    html('table', {}, html('thead', {}, headings), html('tbody', {}, ...rows)),
  )
}

export function showFairness(
  { next, lastPlay }: Pick<Session, 'next' | 'lastPlay'>,
  evidence: Evidence,
): void {
  fillSection(
    'fairness',
    t('fairness.title'),
    html('p', {}, t('fairness.text')),
    html('p', {}, t('fairness.commitment', { number: next.playNumber })),
    html('code', { dir: 'ltr', id: 'commitment' }, next.commitment),
    ...(lastPlay === null ? [] : [verifyButton(lastPlay, evidence, t('fairness.last'))]),
  )
}

/** Replaces only the contents, so a section that the player opened stays open. */
function fillSection(id: string, title: string, ...content: HTMLElement[]): void {
  byId(id).replaceChildren(html('summary', {}, title), html('div', {}, ...content))
}
