import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { signInsPerMinuteMax } from '../../limits.ts'
import { Refusal } from '../../refusals.ts'
import { hashNewPassword } from '../../staff/new-password.ts'
import { endStaffSession, listStaffSessions } from '../../staff/sessions.ts'
import { changePassword } from '../../staff/sign-in-methods.ts'
import { methodMail } from '../../staff/staff-mails.ts'
import { listRoles, setName } from '../../staff/staff.ts'
import { RateLimit } from '../transport/rate-limit.ts'
import { requirePassword } from './recent-sign-in.ts'
import { shownStaffSession, StaffSessionsAnswer } from '../answers/account.ts'
import { Done, Password, PersonName } from '../answers/staff.ts'
import { requireSignedIn, staffCause } from './staff-session.ts'
import { consoleOnlyRoutes } from '../route-groups.ts'

/** A staff member's own account: name, password and sessions. */
export const accountRoutes = consoleOnlyRoutes(async (app) => {
  const { ctx } = app
  const onRequest = limitPasswordTries()

  app.put(
    '/api/v1/account',
    {
      schema: {
        operationId: 'renameAccount',
        summary: 'Change your name',
        body: Type.Object({ name: PersonName }),
        response: { 200: Done },
      },
    },
    async (request) => {
      const { staff } = await requireSignedIn(request)
      await setName(ctx.db, staff.staffId, request.body.name)
      return { done: true }
    },
  )

  app.put(
    '/api/v1/account/password',
    {
      onRequest,
      config: { refusals: ['sign_in_failed', 'sign_in_delayed', 'password_too_easy', 'rate_limited'] },
      schema: {
        operationId: 'changePassword',
        summary: 'Change your password',
        description: 'Ends your other sessions.',
        body: Type.Object({ current: Password, password: Password }),
        response: { 200: Done },
      },
    },
    async (request) => {
      const { staff, sessionId } = await requirePassword(request, request.body.current)
      const merchants = (await listRoles(ctx.db, staff)).flatMap(({ name, slug }) => [name, slug])
      const passwordHash = await hashNewPassword(request.body.password, { ...staff, merchants })
      const order = { passwordHash, exceptSessionId: sessionId }
      await changePassword(ctx.db, staff, order, staffCause(request, { staff }))
      void ctx.mail?.send(methodMail(staff.email, 'password'))
      return { done: true }
    },
  )

  app.get(
    '/api/v1/account/sessions',
    {
      schema: {
        operationId: 'listSessions',
        summary: 'List your sessions',
        response: { 200: StaffSessionsAnswer },
      },
    },
    async (request) => {
      const { staff, sessionId } = await requireSignedIn(request)
      const sessions = await listStaffSessions(ctx.db, staff.staffId, ctx.now())
      return {
        sessions: sessions.map((one) => shownStaffSession(one, sessionId)),
      }
    },
  )

  app.delete(
    '/api/v1/account/sessions/:sessionId',
    {
      config: { refusals: ['staff_not_found'] },
      schema: {
        operationId: 'endSession',
        summary: 'End one of your sessions',
        params: Type.Object({ sessionId: Type.String({ format: 'uuid' }) }),
        response: { 200: Done },
      },
    },
    async (request) => {
      const { staff } = await requireSignedIn(request)
      const { sessionId } = request.params
      if (!(await endStaffSession(ctx.db, { staffId: staff.staffId, sessionId })))
        throw new Refusal('staff_not_found')
      return { done: true }
    },
  )
})

/** Limits password checks per address, successful or not: each one keeps a core busy for a while. */
export function limitPasswordTries(): (request: FastifyRequest) => Promise<void> {
  const passwords = { counted: 'passwords from this address', max: signInsPerMinuteMax }
  const limit = new RateLimit({ name: 'passwords', ...passwords, windowSeconds: 60 })
  return async (request) => limit.refuseOver(limit.use(request.ip))
}
