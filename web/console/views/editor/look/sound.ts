import { UnusableFile } from '../../../parts/notify.ts'
import { t } from '../../../texts.ts'

/** The limits of the server (`src/wheel-document/wheel-document.ts`, `src/wheel-document/check-look.ts`). */
const bounds = {
  tickSound: { bytesMax: 12_000, secondsMax: 0.5 },
  winSound: { bytesMax: 36_000, secondsMax: 6 },
}

/** A sound as a data URL. Refused with a reason if it is of another kind, too large, too long or broken. */
export async function readSound(file: File, kind: keyof typeof bounds): Promise<string> {
  const { bytesMax, secondsMax } = bounds[kind]
  const type = /\.wav$/i.test(file.name) ? 'wav' : /\.mp3$/i.test(file.name) ? 'mpeg' : null
  if (type === null) throw new UnusableFile(t('sound.type'))
  if (file.size > bytesMax) throw new UnusableFile(t('sound.size', { kilobytes: bytesMax / 1000 }))
  const bytes = new Uint8Array(await file.arrayBuffer())
  const { duration } = await decode(bytes)
  if (duration > secondsMax) throw new UnusableFile(t('sound.duration', { seconds: secondsMax }))
  return `data:audio/${type};base64,${btoa(String.fromCharCode(...bytes))}`
}

export async function playSound(dataUrl: string): Promise<void> {
  const text = atob(dataUrl.slice(dataUrl.indexOf(',') + 1))
  const buffer = await decode(Uint8Array.from(text, (letter) => letter.charCodeAt(0)))
  const context = new AudioContext()
  const source = new AudioBufferSourceNode(context, { buffer })
  source.connect(context.destination)
  source.addEventListener('ended', () => void context.close())
  source.start()
}

/** Decoding needs no audio device, and takes the bytes away from the array that it gets. */
async function decode(bytes: Uint8Array): Promise<AudioBuffer> {
  const context = new OfflineAudioContext(1, 1, 44_100)
  try {
    return await context.decodeAudioData(bytes.slice().buffer)
  } catch {
    throw new UnusableFile(t('sound.broken'))
  }
}
