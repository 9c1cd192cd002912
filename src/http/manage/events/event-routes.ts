import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import { awaitEvents } from '../../../events/await-events.ts'
import { type LoggedEvent, publicEvent } from '../../../events/event-log.ts'
import { findEvent } from '../../../events/find-event.ts'
import { isOfCampaign } from '../../../events/event-types.ts'
import { scanEventsBack } from '../../../events/scan-events-back.ts'
import { issueTicket } from '../../../events/event-tickets.ts'
import { eventsPerRequestDefault } from '../../../limits.ts'
import { Refusal, type RefusalCode } from '../../../refusals.ts'
import { isTest } from '../../../test-clock.ts'
import { callingMerchant, confirmCaller } from '../../authenticate.ts'
import { callerGone } from '../../caller-gone.ts'
import { managementRoutes } from '../../route-groups.ts'
import {
  EventAnswer,
  eventFilters,
  EventName,
  EventSearchAnswer,
  EventsAnswer,
  EventsQuery,
  EventStreamHeaders,
  EventStreamQuery,
  TicketAnswer,
} from '../../answers/events.ts'
import { sendEventStream, sharesOf } from './event-stream.ts'
import { cursorAfter, newestFirstBig, pageQuery, readPage } from '../paging.ts'
import { momentIn } from '../query.ts'
import { eventFor } from '../masked-codes.ts'
import { refuseOther } from '../campaign-of-request.ts'
import { admitTicket, confirmTicket, hasTicket } from './event-tickets.ts'

const scopes = ['events', 'manage'] as const

/** The event log, for a merchant's own systems. */
export const eventRoutes = managementRoutes({ tag: 'Events', read: scopes }, async (app, authenticate) => {
  const { ctx } = app
  const requireToken = authenticate(...scopes)

  app.get(
    '/api/v1/events',
    {
      config: {
        refusals: eventRefusals,
        boundTokens: 'filtered',
        mayWait: (request) => Number((request.query as { wait?: unknown }).wait ?? 0) > 0,
      },
      serializerCompiler: () => asJson,
      schema: {
        operationId: 'readEvents',
        summary: 'Read events',
        description:
          "A merchant's events are numbered 1, 2, 3 … without a gap, and no event ever appears before one that was already read. Send `next` of each answer as `after` of the next request. With `wait`, the answer comes as soon as there is an event.",
        querystring: EventsQuery,
        response: { 200: EventsAnswer },
      },
    },
    async (request, reply) => {
      const { merchantId } = callingMerchant(request)
      const { types, limit = eventsPerRequestDefault, wait = 0 } = request.query
      const { after = 0 } = request.query
      const leave = wait > 0 ? ctx.events.readers.enter(merchantId, 1, sharesOf(request)) : undefined
      const query = { merchantId, after, types, campaign: request.caller?.campaign?.slug, limit }
      const patience = { waitMs: wait * 1000, signal: callerGone(reply) }
      const found = await awaitEvents(ctx, query, patience).finally(() => leave?.())
      // The token may have been revoked during the wait.
      if (wait > 0) await confirmCaller(request, ...scopes)
      return {
        events: found.events.map((event) => shownEvent(request, event)),
        next: found.next,
        last: found.last,
      } as never
    },
  )

  app.get(
    '/api/v1/events/search',
    {
      config: { refusals: eventRefusals, boundTokens: 'filtered' },
      serializerCompiler: () => asJson,
      schema: {
        operationId: 'searchEvents',
        summary: 'Search events, the newest first',
        description:
          'For people who look for something. To process events, read them in order. A page may hold few events, or none, and still have a `next`: filters read a bounded part of the log.',
        querystring: Type.Object({ limit: pageQuery.limit, cursor: pageQuery.cursor, ...eventFilters }),
        response: { 200: EventSearchAnswer },
      },
    },
    async (request) => {
      const { merchantId } = callingMerchant(request)
      const { start, limit } = readPage(request.query, newestFirstBig)
      const { types, playerId } = request.query
      const bound = request.caller?.campaign
      refuseOther(bound, request.query.campaign)
      const campaign = bound?.slug ?? request.query.campaign
      const from = momentIn('from', request.query.from) ?? undefined
      const to = momentIn('to', request.query.to) ?? undefined
      const query = { merchantId, before: start[0], types, playerId, campaign, from, to, limit }
      const { events, next, last } = await untilDone(() => scanEventsBack(ctx.db, query))
      const shown = events.map((event) => shownEvent(request, event))
      return { events: shown, next: cursorAfter(next, (seq) => [seq]), last } as never
    },
  )

  app.get(
    '/api/v1/events/:event',
    {
      config: { refusals: ['event_not_found'], boundTokens: 'checked' },
      serializerCompiler: () => asJson,
      schema: {
        operationId: 'readEvent',
        summary: 'Read an event',
        description:
          'By its id, which a webhook sends as `webhook-id`, or by its number. For as long as the log keeps it.',
        params: EventName,
        response: { 200: EventAnswer },
      },
    },
    async (request) => {
      const { merchantId } = callingMerchant(request)
      const event = await untilDone(() => findEvent(ctx.db, merchantId, request.params.event))
      if (event === undefined || !isOfCampaign(event, request.caller?.campaign?.slug))
        throw new Refusal('event_not_found')
      return shownEvent(request, event)
    },
  )

  app.post(
    '/api/v1/events/tickets',
    {
      // It only gives access to what the caller may read.
      config: { refusals: eventRefusals, changesNothing: true, boundTokens: 'filtered' },
      schema: {
        operationId: 'createEventTicket',
        summary: 'Get a ticket for the live stream',
        description:
          "For a browser's `EventSource`, which can't send an Authorization header. The ticket is good for one connection within 60 seconds. The stream ends when the service token that asked for it is revoked or expires.",
        response: { 200: TicketAnswer },
      },
    },
    async (request) => {
      if (request.staff !== undefined || request.caller === undefined) throw new Refusal('token_missing')
      const { tokenId, merchant } = request.caller
      const order = { merchantId: merchant.merchantId, tokenId, now: ctx.now() }
      const { ticket, expiresAt } = await issueTicket(ctx.db, order)
      return { ticket, expiresAt: expiresAt.toISOString() }
    },
  )

  app.get(
    '/api/v1/events/stream',
    {
      onRequest: (request, reply) =>
        hasTicket(request) ? admitTicket(request, reply) : requireToken(request, reply),
      config: {
        refusals: [...eventRefusals, 'ticket_invalid'],
        boundTokens: 'filtered',
        mayWait: () => true,
      },
      schema: {
        operationId: 'streamEvents',
        summary: 'Follow events live',
        description:
          'Server-sent events, without an end. Each frame has an `id`, the number of the event; an `event`, its type; and `data`, the event itself. A reader that is cut off resumes with `Last-Event-ID`. Browsers connect with a `ticket`.',
        querystring: EventStreamQuery,
        headers: EventStreamHeaders,
        response: {
          200: {
            description: 'The events, as a stream.',
            content: { 'text/event-stream': { schema: { type: 'string' } } },
          },
        },
      },
    },
    async (request, reply) => {
      const lastEventId = request.headers['last-event-id']
      return sendEventStream(request, reply, {
        merchant: callingMerchant(request),
        after: lastEventId === undefined ? request.query.after : Number(lastEventId),
        types: request.query.types,
        campaign: request.caller?.campaign?.slug,
        confirm: () => (hasTicket(request) ? confirmTicket(request) : confirmCaller(request, ...scopes)),
      })
    },
  )
})

/** A serializer made from the schema would have to try one shape of event after the other. */
const asJson = (data: unknown) => JSON.stringify(data)

const eventRefusals: RefusalCode[] = ['events_ahead', 'events_expired', 'event_readers_limited']

function shownEvent(request: FastifyRequest, event: LoggedEvent) {
  const merchant = callingMerchant(request)
  return publicEvent(eventFor(request, event), { slug: merchant.slug, isTest: isTest(merchant) })
}
