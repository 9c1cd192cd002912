import { type Static, Type } from 'typebox'
import {
  webhookDescriptionLengthMax,
  webhookExcerptLengthMax,
  webhookFaultAttemptsMax,
  webhookRowsListedDefault,
  webhookRowsListedMax,
  webhookUrlLengthMax,
} from '../../limits.ts'
import { sendFaults } from '../../webhooks/sending/answers.ts'
import { maskedUrl } from '../../webhooks/endpoint-url.ts'
import type { LastFault, NumberedAttempt } from '../../webhooks/webhook-attempts.ts'
import type { WebhookProgress } from '../../webhooks/webhook-cursors.ts'
import type { Delivery } from '../../webhooks/webhook-deliveries.ts'
import type { Webhook } from '../../webhooks/webhooks.ts'
import { EventTypeName } from './events.ts'
import { IdempotencyKey, MaybeTime, Time } from './shapes.ts'
import { anyLinePattern } from '../../text-patterns.ts'
import { webhookIdPattern } from './patterns.ts'
import { type Page, PageOf } from './page.ts'

/** The shapes of the webhooks' part of the API, and how rows become answers. */

const Seq = Type.Integer({ minimum: 1, description: 'The number of the event.', examples: [4711] })

const Url = Type.String({
  minLength: 1,
  maxLength: webhookUrlLengthMax,
  description: 'The URL that gets the events: https, on the public internet.',
  examples: ['https://shop.example/wheelhouse'],
})
const Description = Type.String({
  maxLength: webhookDescriptionLengthMax,
  pattern: anyLinePattern,
  examples: ['Mails to winners'],
})
const Types = Type.Union([Type.Array(EventTypeName, { minItems: 1, uniqueItems: true }), Type.Null()], {
  description: 'The types of events to send; null for all.',
  examples: [['prize.won']],
})

export const WebhookName = Type.Object({ webhook: Type.String({ pattern: webhookIdPattern }) })

const closed = { additionalProperties: false }

export const NewWebhook = Type.Object(
  {
    url: Url,
    description: Type.Optional(Description),
    types: Type.Optional(Types),
  },
  closed,
)
export const WebhookChange = Type.Object(
  {
    url: Type.Optional(Url),
    description: Type.Optional(Description),
    types: Type.Optional(Types),
  },
  closed,
)
export const CreationHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    IdempotencyKey(
      'Makes the call safe to repeat: the same call with the same key makes no second webhook, for as long as the first exists. ' +
        'For a day, and until the secret is rotated, the same caller gets the first answer, secret included.',
    ),
  ),
})

const outcome = {
  status: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The HTTP status of the answer; null if there was none.',
  }),
  fault: Type.Union([Type.Enum([...sendFaults]), Type.Null()], { description: 'Why there was no answer.' }),
}

export const WebhookAnswer = Type.Object(
  {
    webhookId: Type.String(),
    url: Type.String({
      description: 'Staff who may not change webhooks see it without parts that may be keys.',
    }),
    description: Type.String(),
    types: Type.Union([Type.Array(Type.String()), Type.Null()]),
    state: Type.Enum(['active', 'paused', 'disabled']),
    pausedAt: MaybeTime,
    disabledAt: MaybeTime,
    disabledReason: Type.Union([Type.Enum(['gone', 'failing']), Type.Null()], {
      description: '`gone`: the receiver answered 410; `failing`: nothing but failures for three days.',
    }),
    createdAt: Time,
    oldSecretUntil: Type.Union([Time, Type.Null()], {
      description: 'Until this time, events are also signed with the previous secret.',
    }),
    failures: Type.Integer({ description: 'Failed attempts since the last success.' }),
    failingSince: MaybeTime,
    lastFault: Type.Union([Type.Object({ at: Time, ...outcome }, { title: 'WebhookFault' }), Type.Null()], {
      description: `The newest failure among the last ${webhookFaultAttemptsMax} attempts, tests included.`,
    }),
    heldUntil: Type.Union([Time, Type.Null()], {
      description:
        'Nothing is sent before this time, because the receiver asked for a pause or keeps failing.',
    }),
    slowUntil: Type.Union([Time, Type.Null()], {
      description:
        'The receiver took two seconds or more to answer. Until this time it gets fewer requests at once.',
    }),
    cursor: Type.Integer({
      description: 'Every event up to this number was delivered, or is listed in the deliveries.',
    }),
    lag: Type.Integer({ description: 'How many events of the log are behind the cursor.' }),
  },
  { title: 'Webhook' },
)
export type WebhookAnswer = Static<typeof WebhookAnswer>

export const WebhooksAnswer = PageOf('webhooks', WebhookAnswer)
export type WebhooksAnswer = Page<'webhooks', WebhookAnswer>

export const DeletedWebhookAnswer = Type.Object({ webhookId: Type.String() })
export type DeletedWebhookAnswer = Static<typeof DeletedWebhookAnswer>

/** With the secret: only where it was just made. */
export const SecretAnswer = Type.Object(
  {
    ...WebhookAnswer.properties,
    secret: Type.String({ description: 'Shown once. It verifies signatures.', examples: ['whsec_…'] }),
  },
  { title: 'WebhookWithSecret' },
)
export type SecretAnswer = Static<typeof SecretAnswer>

const Limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: webhookRowsListedMax, default: webhookRowsListedDefault }),
)

const Cursor = Type.Optional(Type.Integer({ minimum: 0, description: 'The `next` of the page before.' }))

export const DeliveriesQuery = Type.Object({
  state: Type.Optional(Type.Enum(['waiting', 'dead'], { default: 'dead' })),
  cursor: Cursor,
  after: Type.Optional(Type.Integer({ minimum: 0, description: 'The same as `cursor`.' })),
  limit: Limit,
})
export const DeliveryAnswer = Type.Object(
  {
    seq: Seq,
    eventId: Type.String(),
    type: Type.String(),
    state: Type.Enum(['waiting', 'dead']),
    tries: Type.Integer(),
    createdAt: Time,
    nextTryAt: MaybeTime,
    deadAt: MaybeTime,
    body: Type.String({ description: 'The event, as it is sent.' }),
  },
  { title: 'WebhookDelivery' },
)
export type DeliveryAnswer = Static<typeof DeliveryAnswer>

export const DeliveriesAnswer = Type.Object({
  deliveries: Type.Array(DeliveryAnswer),
  next: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The cursor of the next page; null at the end.',
  }),
})
export type DeliveriesAnswer = Static<typeof DeliveriesAnswer>

export const AttemptsQuery = Type.Object({
  seq: Type.Optional(Type.Integer({ minimum: 1, description: 'Only attempts for this event.' })),
  cursor: Cursor,
  before: Type.Optional(Type.Integer({ minimum: 1, description: 'The same as `cursor`.' })),
  limit: Limit,
})
const seen = {
  ...outcome,
  tookMs: Type.Integer(),
  excerpt: Type.Union([Type.String(), Type.Null()], {
    description: `The beginning of the body of the answer: at most ${webhookExcerptLengthMax} characters. Not shown to staff who may not see codes.`,
  }),
  headers: Type.Record(Type.String(), Type.String(), {
    description: 'The headers of the answer that help to find a fault, by their lower-case names.',
    examples: [{ 'content-type': 'text/html', server: 'nginx', 'x-request-id': '7f3c' }],
  }),
}
export const AttemptAnswer = Type.Object(
  {
    attemptNo: Type.Integer({
      description:
        'Counts the attempts for one event: 1, 2, 3. Attempts that were deleted since do not count.',
    }),
    seq: Type.Union([Type.Integer(), Type.Null()], { description: 'Null for a test.' }),
    eventId: Type.String(),
    type: Type.String(),
    at: Time,
    ...seen,
  },
  { title: 'WebhookAttempt' },
)
export type AttemptAnswer = Static<typeof AttemptAnswer>

export const AttemptsAnswer = Type.Object({
  attempts: Type.Array(AttemptAnswer),
  next: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The cursor of the next page; null at the end.',
  }),
})
export type AttemptsAnswer = Static<typeof AttemptsAnswer>

export const TestAnswer = Type.Object({ eventId: Type.String(), delivered: Type.Boolean(), ...seen })
export type TestAnswer = Static<typeof TestAnswer>

export function shownWebhook(
  webhook: Webhook,
  progress: WebhookProgress,
  lastFault?: LastFault,
): WebhookAnswer {
  const { webhookId, url, description, types, pausedAt, disabledAt, disabledReason, createdAt } = webhook
  return {
    webhookId,
    url,
    description,
    types,
    state: disabledAt !== null ? 'disabled' : pausedAt !== null ? 'paused' : 'active',
    pausedAt: textOf(pausedAt),
    disabledAt: textOf(disabledAt),
    disabledReason,
    createdAt: createdAt.toISOString(),
    oldSecretUntil: textOf(webhook.previousSecretUntil),
    failures: progress.failureCount,
    failingSince: textOf(progress.failingSince),
    lastFault: lastFault === undefined ? null : { ...lastFault, at: lastFault.at.toISOString() },
    heldUntil: textOf(progress.heldUntil),
    slowUntil: textOf(progress.slowUntil),
    cursor: progress.cursorSeq,
    lag: progress.lag,
  }
}

/** For people who may look at webhooks, and not change them. */
export function masked<T extends { url: string }>(webhook: T): T {
  return { ...webhook, url: maskedUrl(webhook.url) }
}

export function shownDelivery(delivery: Delivery): DeliveryAnswer {
  const { seq, eventId, eventType, tries, createdAt, nextTryAt, deadAt, body } = delivery
  return {
    seq,
    eventId,
    type: eventType,
    state: deadAt === null ? 'waiting' : 'dead',
    tries,
    createdAt: createdAt.toISOString(),
    nextTryAt: textOf(nextTryAt),
    deadAt: textOf(deadAt),
    body,
  }
}

export function shownAttempt(attempt: NumberedAttempt): AttemptAnswer {
  const { attemptNo, seq, eventId, eventType, at, status, fault, tookMs, excerpt, headers } = attempt
  const answer = { status, fault, tookMs, excerpt, headers }
  return { attemptNo, seq, eventId, type: eventType, at: at.toISOString(), ...answer }
}

function textOf(time: Date | null): string | null {
  return time?.toISOString() ?? null
}
