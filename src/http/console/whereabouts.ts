import type { FastifyRequest } from 'fastify'
import type { Whereabouts } from '../../staff/sign-in.ts'
import { browserTokenOf, sessionTokenOf } from './staff-session.ts'

/** The address, browser and cookies that a person signs in with. */
export function whereabouts(request: FastifyRequest): Whereabouts {
  return {
    address: request.ip,
    browser: request.headers['user-agent'] ?? 'unknown',
    browserToken: browserTokenOf(request),
    sessionToken: sessionTokenOf(request),
    now: request.server.ctx.now(),
  }
}
