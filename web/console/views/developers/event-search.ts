/** The search for events, page by page, with those that happen meanwhile. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { campaignOfEvent } from '../../../../src/events/event-types.ts'
import { type ShownEvent, useLiveEvents } from '../../live.ts'
import { useApi } from '../../session.tsx'

export const filterNames = ['types', 'player', 'campaign', 'from', 'to'] as const
export type EventFilter = Record<(typeof filterNames)[number], string>

type EventPage = { events: ShownEvent[]; next: string | null; last: number }

/** Old events never change, so pages are not loaded again. */
export function useEventSearch(filter: EventFilter) {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: [api.merchant, 'events', filter],
    queryFn: async ({ pageParam, signal }) => {
      const { events, next, last } = await api.get<EventPage>(searchPath(filter, pageParam), signal)
      return { items: events, next, last }
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    staleTime: Infinity,
    gcTime: 0,
  })
}

function searchPath({ types, player, campaign, from, to }: EventFilter, cursor: string | null): string {
  const query = new URLSearchParams({ limit: '50' })
  if (types !== '') query.set('types', types)
  if (player.trim() !== '') query.set('playerId', player.trim())
  if (campaign !== '') query.set('campaign', campaign)
  if (from !== '') query.set('from', from)
  if (to !== '') query.set('to', to)
  if (cursor !== null) query.set('cursor', cursor)
  return `/api/v1/events/search?${query.toString()}`
}

/** At most this many new events are shown. Then the stream is closed: nobody reads that fast. */
const freshMax = 500

/** Events after the number `after`, newest first. */
export function useFreshEvents(
  { types, player, campaign, from }: EventFilter,
  { after, isOn }: { after: number | undefined; isOn: boolean },
) {
  const [fresh, setFresh] = useState<ShownEvent[]>([])
  const isFull = fresh.length >= freshMax
  const isWanted = ({ type, at, data }: ShownEvent) =>
    (campaign === '' || campaignOfEvent(type, data) === campaign) &&
    (player.trim() === '' || data.playerId === player.trim()) &&
    (from === '' || new Date(at) >= new Date(from))
  const stream = {
    types: types === '' ? undefined : types,
    after,
    isOn: isOn && after !== undefined && !isFull,
  }
  const isOpen = useLiveEvents(stream, (arrived) => {
    const wanted = arrived.filter(isWanted).toReversed()
    if (wanted.length > 0) setFresh((now) => [...wanted, ...now])
  })
  return { fresh, isFull, isOpen: isOpen && stream.isOn }
}
