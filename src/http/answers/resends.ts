import { type Static, Type } from 'typebox'
import { webhookResendCountMax } from '../../limits.ts'
import { Refusal } from '../../refusals.ts'
import { lastSeqOfAll, type ResendOrder } from '../../webhooks/resend-events.ts'
import type { Resend } from '../../webhooks/webhook-resends.ts'
import { IdempotencyKey, MaybeTime, Time } from './shapes.ts'
import { webhookIdPattern } from './patterns.ts'

/** The shapes of resends: which events to send again, and how far that has come. */

const Seq = Type.Integer({ minimum: 1, description: 'The number of the event.', examples: [4711] })
const MaybeSeq = Type.Union([Type.Integer(), Type.Null()])
const Only = Type.Enum(['dead', 'all'], {
  default: 'dead',
  description: '`dead`: events that were given up. `all`: whatever the log still has, also what was taken.',
})
const since = 'Events that happened, or were given up, at this time or later.'

export const ResendBody = Type.Object(
  {
    only: Type.Optional(Only),
    seq: Type.Optional(Seq),
    fromSeq: Type.Optional(Seq),
    toSeq: Type.Optional(Seq),
    since: Type.Optional(Type.String({ format: 'date-time', description: since })),
  },
  {
    additionalProperties: false,
    description:
      'At least one of `seq`, `fromSeq`, `toSeq` and `since`. `seq` cannot be combined with the others.',
    examples: [{ fromSeq: 1 }],
  },
)

export const ResendQuery = Type.Object(ResendBody.properties)

export const ResendCountAnswer = Type.Object(
  {
    events: Type.Integer({ description: 'How many events would be sent again.', examples: [42] }),
    isComplete: Type.Boolean({
      description: `False if there may be more: at most ${webhookResendCountMax} events are read to count them.`,
    }),
  },
  { title: 'ResendCount' },
)
export type ResendCountAnswer = Static<typeof ResendCountAnswer>

export const ResendHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    IdempotencyKey(
      'Makes the call safe to repeat: the same call with the same key gets the first resend, and queues nothing again.',
    ),
  ),
})

export const ResendName = Type.Object({
  webhook: Type.String({ pattern: webhookIdPattern }),
  resend: Type.String({ pattern: '^rs_[0-9a-f]{16}$' }),
})

export const ResendAnswer = Type.Object({
  resendId: Type.String({ examples: ['rs_5f0e7c3a9b1e2f6d'] }),
  state: Type.Enum(['running', 'finished'], {
    description: '`finished`: all events are queued. They are sent as fast as the receiver takes them.',
  }),
  queued: Type.Integer({ description: 'How many events were queued so far.' }),
  only: Only,
  fromSeq: Type.Integer(),
  toSeq: MaybeSeq,
  since: MaybeTime,
  createdAt: Time,
  finishedAt: MaybeTime,
  next: Type.Null({ description: 'Always null: one resend takes any number of events.' }),
})
export type ResendAnswer = Static<typeof ResendAnswer>

export const ResendsAnswer = Type.Object({ resends: Type.Array(ResendAnswer) })
export type ResendsAnswer = Static<typeof ResendsAnswer>

/** A resend must name its events: a body without any would mean all of them, and so would a mistyped field. */
export function resendOrder(body: Static<typeof ResendBody>): ResendOrder {
  const { only = 'dead', seq, fromSeq, toSeq } = body
  const isRange = fromSeq !== undefined || toSeq !== undefined
  if (seq === undefined && !isRange && body.since === undefined)
    throw wrong('', 'must have one of seq, fromSeq, toSeq and since; {"fromSeq": 1} takes all')
  if (seq !== undefined && (isRange || body.since !== undefined))
    throw wrong('/seq', 'must stand alone: it is one event, and no range')
  if (fromSeq !== undefined && toSeq !== undefined && toSeq < fromSeq)
    throw wrong('/toSeq', 'must not be less than fromSeq')
  return {
    only,
    fromSeq: seq ?? fromSeq ?? 1,
    toSeq: seq ?? toSeq ?? lastSeqOfAll,
    since: body.since === undefined ? null : new Date(body.since),
  }
}

/** Counting does no harm, so a query without a selection counts everything. */
export function countOrder(query: Static<typeof ResendBody>): ResendOrder {
  const { seq, fromSeq, toSeq, since: time } = query
  const isChosen = [seq, fromSeq, toSeq, time].some((field) => field !== undefined)
  return resendOrder(isChosen ? query : { ...query, fromSeq: 1 })
}

function wrong(pointer: string, detail: string): Refusal {
  return new Refusal('validation_failed', {
    detail: `${pointer === '' ? 'The body' : pointer} ${detail}`,
    errors: [{ pointer, detail }],
  })
}

export function shownResend(resend: Resend): ResendAnswer {
  const { resendId, queued, onlyDead, fromSeq, toSeq, since: from, createdAt, finishedAt } = resend
  return {
    resendId,
    state: finishedAt === null ? 'running' : 'finished',
    queued,
    only: onlyDead ? 'dead' : 'all',
    fromSeq,
    toSeq: toSeq === lastSeqOfAll ? null : toSeq,
    since: from?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    next: null,
  }
}
