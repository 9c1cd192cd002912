import { loggedEventTypes } from '../../events/event-types.ts'
import { eventSchemaName } from '../answers/events.ts'
import type { ApiDocument, ApiSchema } from './openapi-types.ts'

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

const event = { $ref: '#/components/schemas/Event' }
const testEvent = { $ref: '#/components/schemas/WebhookTestEvent' }

/** What a webhook sends, for the section of the document that is about it. */
export const eventWebhooks: NonNullable<ApiDocument['webhooks']> = {
  event: {
    post: {
      operationId: 'receiveEvent',
      summary: 'Receive an event',
      description:
        'Sent to the `url` of each webhook that wants this type of event, at least once, under one id. Verify the signature (Standard Webhooks) over the raw body, and answer 2xx within ten seconds. Expect types and fields that are added later.',
      tags: ['Webhooks'],
      security: [],
      parameters: [
        header('webhook-id', 'The id of the event: drop what you have seen.', 'evt_0193a1d65f0e7c3a_0'),
        header('webhook-timestamp', 'When it was sent, in seconds since 1970.', '1796126400'),
        header(
          'webhook-signature',
          'HMAC-SHA256 signatures with a space between; one that fits is enough.',
          'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        ),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { oneOf: [event, testEvent] } } },
      },
      responses: {
        '2XX': { description: 'The event has arrived.' },
        '410': { description: 'The receiver is gone for good: the webhook is disabled.' },
        '429': { description: 'The event is sent again, not before `Retry-After`.' },
        '503': { description: 'The event is sent again, not before `Retry-After`.' },
        default: { description: 'The event is sent again, up to ten times over three days.' },
      },
    },
  },
}

/** An event is of exactly one shape, told by its `type`. */
export function tellEventsApart(schemas: Record<string, ApiSchema>): void {
  const { anyOf, ...rest } = schemas.Event as { anyOf: unknown }
  const mapping = Object.fromEntries(
    loggedEventTypes.map((type) => [type, `#/components/schemas/${eventSchemaName(type)}`]),
  )
  schemas.Event = { ...rest, oneOf: anyOf, discriminator: { propertyName: 'type', mapping } }
}
