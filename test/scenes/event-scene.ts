// Fixtures for the tests of events.
import type { Database } from '../../src/db/database.ts'
import type { LoggedEvent } from '../../src/events/event-log.ts'
import { insertEvents, type NewEvent, readMerchantsToNumber } from '../../src/events/event-pages.ts'
import { numberNextPages } from '../../src/events/sequencer.ts'
import { shardOf } from '../../src/players/shard.ts'
import { defer, type Lifetime, times, until } from './scene.ts'

/** The time of the events: recent, so that a server does not delete them for their age. */
export const eventTime = new Date()

/** An event that is recognised by its amount. */
export function granted(
  amount: number,
  { merchantId = 7, playerId = 'alice', at = eventTime } = {},
): NewEvent<'spins.granted'> {
  return {
    merchantId,
    shard: shardOf({ merchantId, playerId }),
    type: 'spins.granted',
    at,
    data: {
      playerId,
      amount,
      kind: 'grant',
      oldBalance: 0,
      newBalance: amount,
      idempotencyKey: null,
      reason: null,
    },
  }
}

export const amountOf = (event: Pick<LoggedEvent, 'data'>): number =>
  (event.data as { amount: number }).amount

/** Events with the amounts `from` to `to`, in one transaction. */
export async function commitEvents(
  db: Database,
  [from, to]: [number, number],
  about: Parameters<typeof granted>[1] = {},
): Promise<void> {
  await insertEvents(
    db,
    times(to - from + 1, (index) => granted(from + index, about)),
  )
}

/** Waits until every page has a number. A server's sequencer may be numbering some: a round here passes over those. */
export async function numberAllPages(db: Database): Promise<void> {
  await until(async () => {
    await numberNextPages(db)
    return (await readMerchantsToNumber(db, 1)).length === 0
  })
}

export type Pulled = {
  events: PublicEvent[]
  next: number
  last: number
  code?: string
  detail?: string
  resumeAfter?: number
}
export type PublicEvent = LoggedEvent & { merchant: string }

/** Reads events like a merchant's server. */
export async function pull(
  url: string,
  token: string,
  query: Record<string, string | number> = {},
): Promise<{ status: number; headers: Headers; body: Pulled }> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const response = await fetch(`${url}/api/v1/events?${search.toString()}`, {
    headers: { Authorization: token },
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Pulled }
}

export type StreamClient = {
  status: number
  headers: Headers
  frames: { id: number; event: string | undefined; data: PublicEvent | undefined }[]
  /** Only frames that contain an event. */
  events: () => PublicEvent[]
  ended: Promise<void>
  leave: () => void
}

/** Opens the live stream like a browser. Without a token, the query contains a ticket. */
export async function openStream(
  t: Lifetime,
  url: string,
  token: string | undefined,
  { query = '', lastEventId }: { query?: string; lastEventId?: number } = {},
): Promise<StreamClient> {
  const gone = new AbortController()
  defer(t, () => gone.abort())
  const response = await fetch(`${url}/api/v1/events/stream${query}`, {
    signal: gone.signal,
    headers: {
      ...(token === undefined ? {} : { Authorization: token }),
      ...(lastEventId === undefined ? {} : { 'Last-Event-ID': String(lastEventId) }),
    },
  })
  const streamClient: StreamClient = {
    status: response.status,
    headers: response.headers,
    frames: [],
    events: () => streamClient.frames.flatMap(({ data }) => data ?? []),
    ended: Promise.resolve(),
    leave: () => gone.abort(),
  }
  streamClient.ended = readFrames(response, streamClient).catch(() => undefined)
  return streamClient
}

async function readFrames(response: Response, { frames }: StreamClient): Promise<void> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true })
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(part)?.[1]
      const data = field('data')
      frames.push({
        id: Number(field('id')),
        event: field('event'),
        data: data === undefined ? undefined : (JSON.parse(data) as PublicEvent),
      })
    }
  }
}
