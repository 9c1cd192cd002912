import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { untilDone } from '../db/database.ts'
import { awaitEvents } from '../events/await-events.ts'
import { firstKeptSeq, publicEvent } from '../events/event-log.ts'
import { eventsPerRequestDefault } from '../limits.ts'
import type { RefusalCode } from '../refusals.ts'
import { type authenticator, callingMerchant, confirmCaller } from './authenticate.ts'
import { EventsAnswer, EventsQuery, EventStreamHeaders, EventStreamQuery } from './event-schemas.ts'
import { sendEventStream } from './event-stream.ts'
import { eventFor } from './masked-codes.ts'
import { merchantRefusals, problemResponses } from './schemas.ts'

/** What happened, for a merchant's own systems: service tokens with the scope `events` or `manage`. */
export function eventRoutes(authenticate: ReturnType<typeof authenticator>): FastifyPluginAsyncTypebox {
  return async (app) => {
    const { ctx } = app
    const onRequest = authenticate('events', 'manage')
    const common = { tags: ['Events'], security: [{ serviceToken: [] }] }

    app.get(
      '/api/v1/events',
      {
        onRequest,
        config: { mayWait: (request) => Number((request.query as { wait?: unknown }).wait ?? 0) > 0 },
        // Written by JSON.stringify: a serializer for so many shapes would have to try one after the other.
        serializerCompiler: () => (data) => JSON.stringify(data),
        schema: {
          ...common,
          operationId: 'readEvents',
          summary: 'Read events',
          description:
            "A merchant's events are numbered 1, 2, 3 … without a gap, and no event ever appears behind one that was read. Send `next` of each answer as `after` of the next request. With `wait`, the answer comes as soon as there is an event.",
          querystring: EventsQuery,
          response: { 200: EventsAnswer, ...problemResponses(...eventRefusals) },
        },
      },
      async (request, reply) => {
        const { merchantId, slug } = callingMerchant(request)
        const { types, limit = eventsPerRequestDefault, wait = 0 } = request.query
        const after = request.query.after ?? (await untilDone(() => firstKeptSeq(ctx.db, merchantId))) - 1
        const leave = wait > 0 ? ctx.events.readers.enter(merchantId) : undefined
        const gone = new AbortController()
        reply.raw.once('close', () => gone.abort())
        const query = { merchantId, after, types, limit }
        const patience = { waitMs: wait * 1000, signal: gone.signal }
        const found = await awaitEvents(ctx, query, patience).finally(() => leave?.())
        // Much can happen in half a minute: the token may be dead by now.
        if (wait > 0) await confirmCaller(request, 'events', 'manage')
        return {
          events: found.events.map((event) => publicEvent(eventFor(request, event), slug)),
          next: found.next,
          last: found.last,
        } as never
      },
    )

    app.get(
      '/api/v1/events/stream',
      {
        onRequest,
        config: { mayWait: () => true },
        schema: {
          ...common,
          operationId: 'streamEvents',
          summary: 'Follow events live',
          description:
            'Server-sent events, without an end: `id` is the number of the event, `event` its type, `data` the event itself. Whoever is cut off resumes with `Last-Event-ID`.',
          querystring: EventStreamQuery,
          headers: EventStreamHeaders,
          response: {
            200: {
              description: 'The events from there on.',
              content: { 'text/event-stream': { schema: { type: 'string' } } },
            },
            ...problemResponses(...eventRefusals),
          },
        },
      },
      async (request, reply) => {
        const lastEventId = request.headers['last-event-id']
        return sendEventStream(request, reply, {
          merchant: callingMerchant(request),
          after: lastEventId === undefined ? request.query.after : Number(lastEventId),
          types: request.query.types,
          confirm: () => confirmCaller(request, 'events', 'manage'),
        })
      },
    )
  }
}

const eventRefusals: RefusalCode[] = [
  ...merchantRefusals.filter((code) => !/^(body|content_type)_/.test(code)),
  'events_ahead',
  'events_expired',
  'event_readers_limited',
]
