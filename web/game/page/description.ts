/** The wheel in words: its fields and their chances, for players who can't see it. */
import type { Unavailable } from '../api.ts'
import { type Chance, chancesNow } from '../wheel/availability.ts'
import { byId } from './dom.ts'
import { formatList, t } from '../texts/i18n.ts'
import type { Wheel } from '../wheel/published.ts'
import { chanceText, whyText } from './sections.ts'

export function describeWheel(wheel: Wheel, unavailable: readonly Unavailable[]): void {
  const chances = chancesNow(wheel, unavailable)
  const fields = wheel.segments.map(({ label }, index) => {
    const chance = chances[index] as Chance
    const { why } = chance
    return `${label} ${chanceText(chance)}${why === null ? '' : ` (${whyText(why)})`}`
  })
  byId('stage').setAttribute('aria-label', t('page.wheel', { count: wheel.segments.length }))
  byId('fields').textContent = formatList(fields)
}
