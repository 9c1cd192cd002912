import { type Static, type TSchema, Type } from 'typebox'
import { catalogue } from '../../events/catalogue.ts'
import { type EventType, loggedEventTypes } from '../../events/event-types.ts'
import { PlayerId } from './common.ts'
import { eventsPerRequestDefault, eventsPerRequestMax, eventWaitSecondsMax } from '../../limits.ts'

/** An event as it is pulled and streamed: one shape for each type, made from the catalogue. Webhooks send the same. */
export const EventSchema = Type.Union(
  loggedEventTypes.map((type) =>
    shapeOf(type, Type.Integer({ minimum: 1, description: 'Its number among the events of the merchant.' })),
  ),
  { $id: 'Event' },
)

/** Sent by webhooks only. It is not in the log, so it has no number of its own. */
export const TestEventSchema = shapeOf(
  'webhook.test',
  Type.Literal(0, { description: 'Always 0: a test event is not in the log.' }),
  { $id: 'WebhookTestEvent' },
)

function shapeOf(type: EventType, seq: TSchema, options: { $id?: string } = {}) {
  return Type.Object(
    {
      id: Type.String({
        description: 'Names the event for ever: a receiver that gets it twice recognises it by this.',
        examples: ['evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0'],
      }),
      seq,
      type: Type.Literal(type),
      at: Type.String({ format: 'date-time', description: 'When it happened.' }),
      merchant: Type.String({ description: 'The id of the merchant.', examples: ['acme'] }),
      data: openly(catalogue[type].data),
    },
    { title: eventSchemaName(type), description: catalogue[type].title, ...options },
  )
}

/** `prize.stock_low` is told by a `PrizeStockLowEvent`. */
export function eventSchemaName(type: EventType): string {
  const words = type.split(/[._]/)
  return `${words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('')}Event`
}

/** Readers must expect fields that are added later. */
function openly(schema: TSchema): TSchema {
  const { additionalProperties: _, ...open } = schema as TSchema & { additionalProperties?: unknown }
  return open
}

export const EventTypeName = Type.Enum(loggedEventTypes, {
  title: 'EventType',
  description: 'A type of event.',
})
const EventTypes = Type.Array(EventTypeName, {
  minItems: 1,
  description: 'Only these types, with commas between. All where it is left out.',
})

export const EventsQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'The number of the last event that you have: `next` of the answer before. 0, or left out, begins with the oldest event that is kept.',
      examples: [0],
    }),
  ),
  types: Type.Optional(EventTypes),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: eventsPerRequestMax,
      description: `How many at most; ${eventsPerRequestDefault} where it is left out.`,
    }),
  ),
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: eventWaitSecondsMax,
      description: 'Seconds to wait for an event if there is none yet.',
    }),
  ),
})

export const EventAnswer = Type.Unsafe<Static<typeof EventSchema>>(Type.Ref('Event'))

export const EventsAnswer = Type.Object({
  events: Type.Array(EventAnswer),
  next: Type.Integer({
    description: 'What to send as `after` next. It moves on also where no event fits `types`.',
  }),
  last: Type.Integer({
    description: 'The number of the newest event. While `next` is less, there is more to read.',
  }),
})
export type EventsAnswer = Static<typeof EventsAnswer>

export const EventName = Type.Object({
  event: Type.String({
    pattern: '^(evt_[0-9a-f]{32}_[0-9a-z]{1,4}|[1-9][0-9]{0,14})$',
    description: 'The id of an event, or its number.',
    examples: ['evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0'],
  }),
})

/** A search, newest first. The route adds the fields of every list. */
export const eventFilters = {
  types: Type.Optional(EventTypes),
  playerId: Type.Optional(PlayerId),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Happened then or later.' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Happened before then.' })),
}

export const EventSearchAnswer = Type.Object(
  {
    events: EventsAnswer.properties.events,
    next: Type.Union([Type.String(), Type.Null()], {
      description: 'Send it as `cursor` to get older events; null at the end.',
    }),
    last: Type.Integer({
      description: 'The number of the newest event in the log. Send it as `after` to follow from there.',
    }),
  },
  { title: 'EventSearch' },
)
export type EventSearchAnswer = Static<typeof EventSearchAnswer>

export const EventStreamQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'The number of the last event that you have. 0 begins with the oldest event that is kept; left out, the stream begins with what happens from now on.',
    }),
  ),
  types: Type.Optional(EventTypes),
  ticket: Type.Optional(
    Type.String({
      description:
        'In the place of the Authorization header: a ticket, for browsers. Good for one connection.',
    }),
  ),
})

export const TicketAnswer = Type.Object({
  ticket: Type.String({
    description: 'To be sent as the query parameter `ticket` of the live stream.',
    examples: ['tkt_…'],
  }),
  expiresAt: Type.String({ format: 'date-time', description: 'The connection must be made before this.' }),
})
export type TicketAnswer = Static<typeof TicketAnswer>

export const EventStreamHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,15}$',
      description: 'The same as `after`, and before it: browsers send it when they connect again.',
    }),
  ),
})
