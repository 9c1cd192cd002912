import { Alert } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { t } from '../../texts.ts'
import { makeBarcodeDetector } from './barcode-detector.ts'
import './till.css'

const lookEveryMs = 150

/** Shows the camera until it sees a code. */
export function CameraScan({ onFound }: { onFound: (code: string) => void }) {
  const video = useRef<HTMLVideoElement>(null)
  const [hasFailed, setFailed] = useState(false)
  const found = useEffectEvent(onFound)
  useEffect(() => {
    const shown = video.current as HTMLVideoElement
    const stop = new AbortController()
    scan(shown, stop.signal).then(
      (code) => code !== undefined && found(code),
      () => !stop.signal.aborted && setFailed(true),
    )
    return () => {
      stop.abort()
      if (shown.srcObject instanceof MediaStream) end(shown.srcObject)
    }
  }, [])
  if (hasFailed)
    return (
      <Alert color="orange" mt="md" role="alert">
        {t('till.noCamera')}
      </Alert>
    )
  return <video ref={video} className="till-camera" aria-label={t('till.camera')} muted playsInline />
}

/** The first code that the camera sees; undefined if it is stopped before. */
async function scan(video: HTMLVideoElement, signal: AbortSignal): Promise<string | undefined> {
  const detector = makeBarcodeDetector()
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
  if (signal.aborted) {
    end(stream)
    return undefined
  }
  video.srcObject = stream
  await video.play()
  while (!signal.aborted) {
    const [code] = await detector.detect(video)
    if (code !== undefined && code.rawValue !== '') return code.rawValue
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
  return undefined
}

function end(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}
