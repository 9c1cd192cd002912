/** A preview of the draft: the game page itself, on a phone or a desktop, with spins that count for nothing. */
import { useMemo } from 'react'
import { noValues, prizeKinds, wonValues } from '../../../../src/prize-kinds/prize-kinds.ts'
import { publishedText } from '../../../../src/wheel-document/published-text.ts'
import type { WheelDocument } from '../../../../src/wheel-document/wheel-document.ts'
import type { Draft, DraftOpening } from '../../../game/preview.ts'
import { GameFrame } from '../../parts/game-frame.tsx'
import { t } from '../../texts.ts'
import { weightTotal } from './draft/change.ts'
import './look/look.css'

const alwaysOpen: DraftOpening = { isOpen: true, opensAt: null, closesAt: null }

/** `language`: the one that is being translated. `opening`: of the schedule, while that is edited. */
export function Preview(props: {
  wheel: WheelDocument
  language: string | null
  opening: DraftOpening | undefined
}) {
  const { wheel, language, opening = alwaysOpen } = props
  const draft = useMemo(() => ({ ...draftOf(wheel), language, opening }), [wheel, language, opening])
  return (
    <GameFrame
      src="/spinthewheel/?preview"
      title={t('preview.label', { name: wheel.name })}
      draft={draft satisfies Draft}
    />
  )
}

/** The draft as it would be published. The game can't draw from weights that add up to nothing. */
export function draftOf(wheel: WheelDocument): Pick<Draft, 'published' | 'prizes'> {
  const isDrawable = weightTotal(wheel) > 0
  const segments = wheel.segments.map((one) => (isDrawable ? one : { ...one, weight: 1 }))
  return {
    published: publishedText({ ...wheel, segments }),
    prizes: segments.map(({ prize, title, instructions }) => ({
      kind: prizeKinds[prize.kind].publicKind,
      title: title ?? null,
      instructions: instructions ?? null,
      ...noValues,
      ...wonValues(prize, prize.kind === 'pool' ? 'PREVIEW-1234' : null),
      claimBefore: null,
    })),
  }
}
