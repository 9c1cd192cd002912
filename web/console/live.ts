/** Follows the merchant's events live, over a stream that is reopened when it ends. */
import { useEffect, useRef, useState } from 'react'
import { useApi } from './session.tsx'

const againAfterMs = [1_000, 3_000, 10_000, 30_000]

/** Calls back for each event of these types. Returns whether the stream is open. */
export function useLiveEvents(types: string, onEvent: () => void): boolean {
  const api = useApi()
  const [isOpen, setOpen] = useState(false)
  const call = useRef(onEvent)
  call.current = onEvent
  useEffect(() => {
    const leaving = new AbortController()
    const follow = async () => {
      for (let tries = 0; !leaving.signal.aborted; tries++) {
        try {
          const response = await api.send(`/api/v1/events/stream?types=${types}`, { signal: leaving.signal })
          setOpen(true)
          tries = 0
          await readEvents(response, () => call.current())
        } catch {
          // A failed stream is reopened below; meanwhile the view polls.
        }
        setOpen(false)
        await pause(againAfterMs[Math.min(tries, againAfterMs.length - 1)] as number, leaving.signal)
      }
    }
    void follow()
    return () => leaving.abort()
  }, [api, types])
  return isOpen
}

/** Reads server-sent events until the stream ends. Their contents are ignored: views reload from the API. */
async function readEvents(response: Response, onEvent: () => void): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const chunk = await reader?.read()
    if (chunk === undefined || chunk.done) return
    const lines = `${rest}${chunk.value}`.split('\n')
    rest = lines.pop() ?? ''
    if (lines.some((line) => line.startsWith('data:'))) onEvent()
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
