import type { PromotionAnswer } from '../../../../src/http/answers/promotions.ts'
import { t } from '../../texts.ts'
import type { Difference } from '../editor/draft/change.ts'
import { shown } from '../editor/draft/shown-value.ts'

/** A change of a promotion, with the place in the form of the editor's differences. */
export function differenceOf({ path, before, after }: PromotionAnswer['changes'][number]): Difference {
  const [part, first = '', ...rest] = path.split('/').slice(1)
  const inWords = (value: unknown) => shown(value, undefined, rest.at(-1) ?? first)
  if (part === 'campaign')
    return {
      where: `${t('filters.campaign')} · ${[first, ...rest].join('.')}`,
      before: inWords(before),
      after: inWords(after),
    }
  if (first !== 'segments')
    return { where: [first, ...rest].join('.'), before: inWords(before), after: inWords(after) }
  const [id, ...fields] = rest
  if (id === undefined) return { where: 'order', before: inWords(before), after: inWords(after) }
  if (fields.length === 0) return { where: id, before: labelOf(before), after: labelOf(after) }
  return { where: [id, ...fields].join(' · '), before: inWords(before), after: inWords(after) }
}

function labelOf(segment: unknown): string | null {
  return (segment as { label?: string } | undefined)?.label ?? null
}
