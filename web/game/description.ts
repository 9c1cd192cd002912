/** The wheel in words: its fields and their chances, for players who can't see it. */
import { chancesNow, type Unavailable } from './availability.ts'
import { byId } from './dom.ts'
import { formatList, formatShare, t } from './i18n.ts'
import type { Wheel } from './published.ts'
import { whyText } from './sections.ts'

export function describeWheel(wheel: Wheel, unavailable: readonly Unavailable[]): void {
  const chances = chancesNow(wheel, unavailable)
  const fields = wheel.segments.map(({ label }, index) => {
    const { now = 0, why = null } = chances[index] ?? {}
    return `${label} ${formatShare(now)}${why === null ? '' : ` (${whyText(why)})`}`
  })
  byId('stage').setAttribute('aria-label', t('page.wheel', { count: wheel.segments.length }))
  byId('fields').textContent = formatList(fields)
}
