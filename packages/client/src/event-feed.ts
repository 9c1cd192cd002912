import type { EventType, WheelhouseEvent } from './events.ts'

export type EventsOptions<Type extends EventType = EventType> = {
  /** The number of the last event that you have dealt with. Left out, it begins with the oldest event that is kept. */
  after?: number
  /** Only these types. */
  types?: readonly Type[]
  /** How long one request waits for an event, 1 to 30 seconds; 25 by default. */
  waitSeconds?: number
  /** Ends the loop. */
  signal?: AbortSignal
  /**
   * Called when every event up to `position` has been dealt with: keep it, and start with it as `after` next time.
   * It also moves past events of other types, which is why it is better than the number of the last event that you saw.
   */
  onPosition?: (position: number) => unknown
}

export type EventPage<Type extends EventType> = {
  events: WheelhouseEvent<Type>[]
  next: number
  last: number
}

/** One event after the other, for ever. An event has been dealt with when the next one is asked for. */
export async function* eventFeed<Type extends EventType>(
  readPage: (after: number | undefined) => Promise<EventPage<Type>>,
  { after, signal, onPosition }: EventsOptions<Type>,
): AsyncGenerator<WheelhouseEvent<Type>, void, undefined> {
  const isOver = () => signal?.aborted === true
  let position = after
  while (!isOver()) {
    const page = await readPage(position).catch((error: unknown) => {
      if (isOver()) return undefined
      throw error
    })
    if (page === undefined) return
    for (const event of page.events) {
      yield event
      if (isOver()) return
    }
    if (page.next !== position) await onPosition?.(page.next)
    position = page.next
  }
}
