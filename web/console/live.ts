/** Follows the merchant's events live, over a stream that is reopened when it ends. */
import { useEffect, useRef, useState } from 'react'
import { useApi } from './session.tsx'

const againAfterMs = [1_000, 3_000, 10_000, 30_000]

/** An event as the API shows it. */
export type ShownEvent = {
  id: string
  seq: number
  type: string
  at: string
  merchant: string
  data: Record<string, unknown>
}

type Stream = {
  /** With commas between them; all types if undefined. */
  types?: string | undefined
  /** The number of the last event that the view has; from now on if undefined. */
  after?: number | undefined
  isOn?: boolean
}

/**
 * Calls back with the events that arrive, oldest first, and returns whether the stream is open. A stream that is
 * reopened, or turned on again, continues after the last event.
 */
export function useLiveEvents(
  { types, after, isOn = true }: Stream,
  onEvents: (events: ShownEvent[]) => void,
): boolean {
  const api = useApi()
  const [isOpen, setOpen] = useState(false)
  const call = useRef(onEvents)
  call.current = onEvents
  const position = useRef<number | undefined>(undefined)
  useEffect(() => {
    if (!isOn) return undefined
    const leaving = new AbortController()
    const follow = async () => {
      for (let tries = 0; !leaving.signal.aborted; tries++) {
        try {
          const path = streamPath({ types, after: position.current ?? after })
          const response = await api.send(path, { signal: leaving.signal })
          setOpen(true)
          tries = 0
          await readFrames(response, ({ seq, events }) => {
            position.current = seq ?? position.current
            if (events.length > 0) call.current(events)
          })
        } catch {
          // A failed stream is reopened below; meanwhile the view polls, or says that it is not live.
        }
        setOpen(false)
        await pause(againAfterMs[Math.min(tries, againAfterMs.length - 1)] as number, leaving.signal)
      }
    }
    void follow()
    return () => leaving.abort()
  }, [api, types, after, isOn])
  return isOpen
}

function streamPath({ types, after }: Pick<Stream, 'types' | 'after'>): string {
  const query = new URLSearchParams()
  if (types !== undefined) query.set('types', types)
  if (after !== undefined) query.set('after', String(after))
  return `/api/v1/events/stream?${query.toString()}`
}

/** Reads server-sent events until the stream ends: the events of each chunk, and the last number in it. */
async function readFrames(
  response: Response,
  onChunk: (chunk: { seq: number | undefined; events: ShownEvent[] }) => void,
): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const chunk = await reader?.read()
    if (chunk === undefined || chunk.done) return
    // Whole frames only, so that the number of an event is never taken without its content.
    const frames = `${rest}${chunk.value}`.split('\n\n')
    rest = frames.pop() ?? ''
    const lines = frames.flatMap((frame) => frame.split('\n'))
    const valuesOf = (name: string) =>
      lines.filter((line) => line.startsWith(name)).map((line) => line.slice(name.length))
    const seq = valuesOf('id: ').at(-1)
    const events = valuesOf('data: ').map((data) => JSON.parse(data) as ShownEvent)
    onChunk({ seq: seq === undefined ? undefined : Number(seq), events })
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
