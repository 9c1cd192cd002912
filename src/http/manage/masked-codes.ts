import type { FastifyRequest } from 'fastify'
import type { LoggedEvent } from '../../events/event-log.ts'
import { maskCode, maskWheel } from '../../wheels/mask-wheel.ts'
import { seesCodes } from '../console/staff-session.ts'

type Caller = Pick<FastifyRequest, 'staff'>

/** A prize as the caller may see it. */
export function prizeFor<Prize extends { code: string | null }>(caller: Caller, prize: Prize): Prize {
  return seesCodes(caller) ? prize : { ...prize, code: maskCode(prize.code) }
}

/** A play as the caller may see it. */
export function playFor<Play extends { prize: { code: string | null; url: string | null } }>(
  caller: Caller,
  play: Play,
): Play {
  if (seesCodes(caller)) return play
  const { code, url } = play.prize
  return { ...play, prize: { ...play.prize, code: maskCode(code), url: maskCode(url) } }
}

/** An event as the caller may see it. */
export function eventFor(caller: Caller, event: LoggedEvent): LoggedEvent {
  if (event.type !== 'prize.won' || event.data.code === undefined || seesCodes(caller)) return event
  return { ...event, data: { ...event.data, code: maskCode(event.data.code) } }
}

/** A wheel's document as the caller may see it. */
export function wheelFor<Document extends Parameters<typeof maskWheel>[0]>(
  caller: Caller,
  document: Document,
): Document {
  return seesCodes(caller) ? document : maskWheel(document)
}
