import type { FastifyRequest } from 'fastify'
import type { LoggedEvent } from '../../events/event-log.ts'
import type { Attempt } from '../../webhooks/webhook-attempts.ts'
import type { Delivery } from '../../webhooks/webhook-deliveries.ts'
import { maskPrize, maskWheel } from '../../wheel-document/mask-wheel.ts'
import { seesCodes } from '../console/staff-session.ts'

type Caller = Pick<FastifyRequest, 'staff'>

/** A prize as the caller may see it. */
export function prizeFor<Prize extends object>(caller: Caller, prize: Prize): Prize {
  return seesCodes(caller) ? prize : maskPrize(prize)
}

/** A play as the caller may see it. */
export function playFor<Play extends { prize: object }>(caller: Caller, play: Play): Play {
  return seesCodes(caller) ? play : { ...play, prize: maskPrize(play.prize) }
}

/** An event as the caller may see it. */
export function eventFor(caller: Caller, event: LoggedEvent): LoggedEvent {
  if (event.type !== 'prize.won' || seesCodes(caller)) return event
  return { ...event, data: maskPrize(event.data) }
}

/** A delivery as the caller may see it. Its body is an event. */
export function deliveryFor(caller: Caller, delivery: Delivery): Delivery {
  if (seesCodes(caller)) return delivery
  const event = JSON.parse(delivery.body) as LoggedEvent
  return { ...delivery, body: JSON.stringify(eventFor(caller, event)) }
}

/** An attempt as the caller may see it. A receiver may repeat the event in its answer, which may hold a code. */
export function attemptFor<Seen extends Pick<Attempt, 'excerpt' | 'headers'>>(
  caller: Caller,
  attempt: Seen,
): Seen {
  return seesCodes(caller) ? attempt : { ...attempt, excerpt: null, headers: {} }
}

/** A wheel's document as the caller may see it. */
export function wheelFor<Document extends Parameters<typeof maskWheel>[0]>(
  caller: Caller,
  document: Document,
): Document {
  return seesCodes(caller) ? document : maskWheel(document)
}
