/** The game page itself in a frame, on a phone or a desktop, with a draft that is saved nowhere. */
import { SegmentedControl } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { memo, useEffect, useRef, useState } from 'react'
import { t } from '../texts.ts'

const screens = {
  phone: { width: 390, height: 780 },
  desktop: { width: 1280, height: 800 },
} as const
type Screen = keyof typeof screens

/** `draft`: what the page shows. Keep it the same object while it is unchanged. */
export function GameFrame({ src, title, draft }: { src: string; title: string; draft: object }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [screen, setScreen] = useState<Screen>('phone')
  const { ref, width } = useElementSize()
  const size = screens[screen]
  const scale = Math.min(1, (width === 0 ? 320 : width) / size.width)
  useEffect(() => {
    const send = () => frame.current?.contentWindow?.postMessage(draft, location.origin)
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
  }, [draft])
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
          src={src}
          title={title}
          width={size.width}
          height={size.height}
          style={{ display: 'block', border: 0, transform: `scale(${scale})`, transformOrigin: '0 0' }}
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
