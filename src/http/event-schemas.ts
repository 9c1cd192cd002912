import { type Static, type TSchema, Type } from 'typebox'
import { catalogue } from '../events/catalogue.ts'
import { type EventType, eventTypes } from '../events/event-types.ts'
import { eventsPerRequestDefault, eventsPerRequestMax, eventWaitSecondsMax } from '../limits.ts'

/** An event as it is pulled, streamed and sent: one shape for each type, made from the catalogue. */
export const EventSchema = Type.Union(
  eventTypes.map((type) =>
    Type.Object(
      {
        id: Type.String({
          description: 'Names the event for ever: whoever gets it twice knows it by this.',
          examples: ['evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0'],
        }),
        seq: Type.Integer({
          minimum: type === 'webhook.test' ? 0 : 1,
          description: 'Its number among the events of the merchant. 0 for a test, which is not among them.',
        }),
        type: Type.Literal(type),
        at: Type.String({ format: 'date-time', description: 'When it happened.' }),
        merchant: Type.String({ description: 'The id of the merchant.', examples: ['acme'] }),
        data: openly(catalogue[type].data),
      },
      { title: eventSchemaName(type), description: catalogue[type].title },
    ),
  ),
  { $id: 'Event' },
)

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

export const EventTypeName = Type.Enum(eventTypes, { title: 'EventType', description: 'A type of event.' })
const EventTypes = Type.Array(EventTypeName, {
  minItems: 1,
  description: 'Only these types, with commas between. All where it is left out.',
})

export const EventsQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'The number of the last event that you have: `next` of the answer before. Left out, the reading begins with the oldest event that is kept.',
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

export const EventsAnswer = Type.Object({
  events: Type.Array(Type.Unsafe<Static<typeof EventSchema>>(Type.Ref('Event'))),
  next: Type.Integer({
    description: 'What to send as `after` next. It moves on also where no event fits `types`.',
  }),
  last: Type.Integer({
    description: 'The number of the newest event. While `next` is less, there is more to read.',
  }),
})

export const EventStreamQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'The number of the last event that you have. Left out, the stream begins with what happens from now on.',
    }),
  ),
  types: Type.Optional(EventTypes),
})

export const EventStreamHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,15}$',
      description: 'The same as `after`, and before it: browsers send it when they connect again.',
    }),
  ),
})
