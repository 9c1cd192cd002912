/** A preview of the draft: the game page itself, on a phone or a desktop, with spins that count for nothing. */
import { SegmentedControl } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { memo, useEffect, useRef, useState } from 'react'
import { noValues, prizeKinds, wonValues } from '../../../../src/prize-kinds/prize-kinds.ts'
import { publishedText } from '../../../../src/wheel-document/published-text.ts'
import type { WheelDocument } from '../../../../src/wheel-document/wheel-document.ts'
import type { Draft, DraftOpening } from '../../../game/preview.ts'
import { t } from '../../texts.ts'
import { weightTotal } from './draft/change.ts'
import './look/look.css'

const alwaysOpen: DraftOpening = { isOpen: true, opensAt: null, closesAt: null }

const screens = {
  phone: { width: 390, height: 780 },
  desktop: { width: 1280, height: 800 },
} as const
type Screen = keyof typeof screens

/** `language`: the one that is being translated. `opening`: of the schedule, while that is edited. */
export function Preview(props: {
  wheel: WheelDocument
  language: string | null
  opening: DraftOpening | undefined
}) {
  const { wheel, language, opening = alwaysOpen } = props
  const frame = useRef<HTMLIFrameElement>(null)
  const [screen, setScreen] = useState<Screen>('phone')
  const { ref, width } = useElementSize()
  const size = screens[screen]
  const scale = Math.min(1, (width === 0 ? 320 : width) / size.width)
  useEffect(() => {
    const send = () =>
      frame.current?.contentWindow?.postMessage({ ...draftOf(wheel), language, opening }, location.origin)
    // The page asks for the draft once it can show it.
    const onMessage = ({ source, data }: MessageEvent) =>
      source === frame.current?.contentWindow && data?.type === 'preview' && send()
    addEventListener('message', onMessage)
    // Not at every key that is typed.
    const timer = setTimeout(send, 150)
    return () => {
      clearTimeout(timer)
      removeEventListener('message', onMessage)
    }
  }, [wheel, language, opening])
  return (
    <div>
      <ScreenChoice screen={screen} onChange={setScreen} />
      <div
        ref={ref}
        className="preview"
        style={{ height: size.height * scale, maxWidth: size.width, marginInline: 'auto' }}
      >
        <iframe
          ref={frame}
          src="/spinthewheel/?preview"
          title={t('preview.label', { name: wheel.name })}
          width={size.width}
          height={size.height}
          style={{ border: 0, transform: `scale(${scale})`, transformOrigin: '0 0' }}
        />
      </div>
    </div>
  )
}

const ScreenChoice = memo((props: { screen: Screen; onChange: (screen: Screen) => void }) => (
  <SegmentedControl
    fullWidth
    size="xs"
    mb="xs"
    aria-label={t('preview.screen')}
    value={props.screen}
    onChange={props.onChange}
    data={(['phone', 'desktop'] as const).map((value) => ({ value, label: t(`preview.${value}`) }))}
  />
))

/** The draft as it would be published. The game can't draw from weights that add up to nothing. */
function draftOf(wheel: WheelDocument): Pick<Draft, 'published' | 'prizes'> {
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
