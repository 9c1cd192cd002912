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

/** The request that a webhook sends, for the document's `webhooks` section. */
export const eventWebhooks: NonNullable<ApiDocument['webhooks']> = {
  event: {
    post: {
      operationId: 'receiveEvent',
      summary: 'Receive an event',
      description:
        'Sent at least once to the `url` of each webhook that subscribes to the type, always with the same id. Verify the signature (Standard Webhooks) over the raw body, and answer 2xx within ten seconds. New types and fields may be added later.',
      tags: ['Webhooks'],
      security: [],
      parameters: [
        header(
          'webhook-id',
          'The id of the event. Ignore ids that you have already processed.',
          'evt_0193a1d65f0e7c3a_0',
        ),
        header('webhook-timestamp', 'The time of sending, in seconds since 1970.', '1796126400'),
        header(
          'webhook-signature',
          'HMAC-SHA256 signatures, separated by spaces. One valid signature is enough.',
          'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        ),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { oneOf: [event, testEvent] } } },
      },
      responses: {
        '2XX': { description: 'The event was received.' },
        '410': { description: 'The endpoint is permanently gone: the webhook is disabled.' },
        '429': { description: 'The event is sent again, not before `Retry-After`.' },
        '503': { description: 'The event is sent again, not before `Retry-After`.' },
        default: { description: 'The event is sent again, up to ten times over three days.' },
      },
    },
  },
}

/** An event has exactly one schema, selected by its `type`. */
export function addEventDiscriminator(schemas: Record<string, ApiSchema>): void {
  const { anyOf, ...rest } = schemas.Event as { anyOf: unknown }
  const mapping = Object.fromEntries(
    loggedEventTypes.map((type) => [type, `#/components/schemas/${eventSchemaName(type)}`]),
  )
  schemas.Event = { ...rest, oneOf: anyOf, discriminator: { propertyName: 'type', mapping } }
}
