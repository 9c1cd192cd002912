import { type Static, type TSchema, Type } from 'typebox'
import { catalogue } from '../../events/catalogue.ts'
import { type EventType, loggedEventTypes } from '../../events/event-types.ts'
import { slugPattern } from '../../slug.ts'
import { PlayerId } from './shapes.ts'
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
        description:
          'The permanent id of the event. A receiver that gets an event twice recognises it by this id.',
        examples: ['evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0'],
      }),
      seq,
      type: Type.Literal(type),
      at: Type.String({ format: 'date-time', description: 'When it happened.' }),
      merchant: Type.String({ description: 'The id of the merchant.', examples: ['acme'] }),
      live: Type.Optional(Type.Literal(false, { description: 'Only in events of a test merchant.' })),
      data: openly(catalogue[type].data),
    },
    { title: eventSchemaName(type), description: catalogue[type].title, ...options },
  )
}

/** The schema of `prize.stock_low` is `PrizeStockLowEvent`. */
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
  description: 'Only these types, separated by commas. All by default.',
})

export const EventsQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'The number of the last event that you have: `next` of the answer before. If 0 or omitted, reading starts with the oldest event in the log.',
      examples: [0],
    }),
  ),
  types: Type.Optional(EventTypes),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: eventsPerRequestMax,
      description: `How many at most; ${eventsPerRequestDefault} by default.`,
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
    description: 'Send it as the next `after`. It advances even if no event matches `types`.',
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
  campaign: Type.Optional(
    Type.String({
      pattern: `${slugPattern}|^\\*$`,
      description:
        'Only events of this campaign, such as `main`, or of links to the lobby (`*`). Events that belong to no campaign are left out.',
    }),
  ),
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
        'The number of the last event that you have. 0 starts with the oldest event in the log. If omitted, the stream starts with the next event.',
    }),
  ),
  types: Type.Optional(EventTypes),
  ticket: Type.Optional(
    Type.String({
      description: 'A ticket instead of the Authorization header, for browsers. Valid for one connection.',
    }),
  ),
})

export const TicketAnswer = Type.Object({
  ticket: Type.String({
    description: 'Send it as the query parameter `ticket` of the live stream.',
    examples: ['tkt_…'],
  }),
  expiresAt: Type.String({ format: 'date-time', description: 'The connection must be made before this.' }),
})
export type TicketAnswer = Static<typeof TicketAnswer>

export const EventStreamHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,15}$',
      description: 'Like `after`, and overrides it. Browsers send it when they reconnect.',
    }),
  ),
})
