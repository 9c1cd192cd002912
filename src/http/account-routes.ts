import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { passwordMatches } from '../crypto/password.ts'
import { signInsPerMinuteMax } from '../limits.ts'
import { Refusal } from '../refusals.ts'
import { hashNewPassword } from '../staff/accept-invitation.ts'
import { makeTotpSecret, totpAddress, totpStep } from '../staff/second-factor.ts'
import { endStaffSession, endStaffSessions, listStaffSessions, type SignedIn } from '../staff/sessions.ts'
import { findStaff, setName, setPassword, setTotpSecret, useTotpStep } from '../staff/staff.ts'
import { RateLimit } from './rate-limit.ts'
import { problemResponses } from './schemas.ts'
import { Code, Done, Password, PersonName, staffRefusals, Time } from './staff-schemas.ts'
import { requireSignedIn } from './staff-session.ts'

/** What a person changes about its own account, and where it is signed in. */
export const accountRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { ctx } = app
  const common = { tags: ['Console'], security: [{ staffSession: [] }] }
  // Whoever sits at somebody else's browser must not try passwords.
  const pace = new RateLimit({ name: 'passwords', max: signInsPerMinuteMax, windowSeconds: 60 })
  const onRequest = async (request: FastifyRequest) => {
    const used = pace.use(request.ip)
    if (used.isOver)
      throw new Refusal('rate_limited', { headers: { 'Retry-After': String(used.resetSeconds) } })
  }

  app.put(
    '/api/v1/account',
    {
      schema: {
        ...common,
        operationId: 'renameAccount',
        summary: 'Change your name',
        body: Type.Object({ name: PersonName }),
        response: { 200: Done, ...problemResponses(...staffRefusals) },
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
      schema: {
        ...common,
        operationId: 'changePassword',
        summary: 'Change your password',
        description: 'Ends your other sessions.',
        body: Type.Object({ current: Password, password: Password }),
        response: {
          200: Done,
          ...problemResponses(...staffRefusals, 'sign_in_failed', 'password_too_easy', 'rate_limited'),
        },
      },
    },
    async (request) => {
      const { staff, sessionId } = await requirePassword(request, request.body.current)
      await setPassword(ctx.db, staff.staffId, await hashNewPassword(request.body.password))
      await endStaffSessions(ctx.db, staff.staffId, sessionId)
      return { done: true }
    },
  )

  app.post(
    '/api/v1/account/second-factor',
    {
      schema: {
        ...common,
        operationId: 'proposeSecondFactor',
        summary: 'Get a secret for an authenticator app',
        description: 'Changes nothing until it is confirmed with a code.',
        response: {
          200: Type.Object({ secret: Type.String(), address: Type.String() }),
          ...problemResponses(...staffRefusals),
        },
      },
    },
    async (request) => {
      const { staff } = await requireSignedIn(request)
      const secret = makeTotpSecret()
      return { secret, address: totpAddress(secret, staff.email) }
    },
  )

  app.put(
    '/api/v1/account/second-factor',
    {
      onRequest,
      schema: {
        ...common,
        operationId: 'confirmSecondFactor',
        summary: 'Switch the second factor on',
        body: Type.Object({
          secret: Type.String({ pattern: '^[A-Z2-7]{32}$' }),
          code: Code,
          password: Password,
        }),
        response: {
          200: Done,
          ...problemResponses(...staffRefusals, 'sign_in_failed', 'second_factor_wrong', 'rate_limited'),
        },
      },
    },
    async (request) => {
      const { secret, code, password } = request.body
      const { staff } = await requirePassword(request, password)
      const step = totpStep(secret, code, ctx.now())
      if (step === undefined) throw new Refusal('second_factor_wrong')
      await setTotpSecret(ctx.db, staff.staffId, secret)
      await useTotpStep(ctx.db, staff.staffId, step)
      return { done: true }
    },
  )

  app.delete(
    '/api/v1/account/second-factor',
    {
      onRequest,
      schema: {
        ...common,
        operationId: 'removeSecondFactor',
        summary: 'Switch the second factor off',
        body: Type.Object({ password: Password }),
        response: { 200: Done, ...problemResponses(...staffRefusals, 'sign_in_failed', 'rate_limited') },
      },
    },
    async (request) => {
      const { staff } = await requirePassword(request, request.body.password)
      await setTotpSecret(ctx.db, staff.staffId, null)
      return { done: true }
    },
  )

  app.get(
    '/api/v1/account/sessions',
    {
      schema: {
        ...common,
        operationId: 'listSessions',
        summary: 'List where you are signed in',
        response: {
          200: Type.Object({
            sessions: Type.Array(
              Type.Object(
                {
                  sessionId: Type.String(),
                  createdAt: Time,
                  lastSeenAt: Time,
                  address: Type.String(),
                  browser: Type.String(),
                  isThisOne: Type.Boolean(),
                },
                { title: 'StaffSession' },
              ),
            ),
          }),
          ...problemResponses(...staffRefusals),
        },
      },
    },
    async (request) => {
      const { staff, sessionId } = await requireSignedIn(request)
      const sessions = await listStaffSessions(ctx.db, staff.staffId, ctx.now())
      return {
        sessions: sessions.map((one) => ({
          sessionId: one.sessionId,
          createdAt: one.createdAt.toISOString(),
          lastSeenAt: one.lastSeenAt.toISOString(),
          address: one.address,
          browser: one.browser,
          isThisOne: one.sessionId === sessionId,
        })),
      }
    },
  )

  app.delete(
    '/api/v1/account/sessions/:sessionId',
    {
      schema: {
        ...common,
        operationId: 'endSession',
        summary: 'End one of your sessions',
        params: Type.Object({ sessionId: Type.String({ format: 'uuid' }) }),
        response: { 200: Done, ...problemResponses(...staffRefusals, 'staff_not_found') },
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
}

/** For changes that a stolen session alone must not make. */
async function requirePassword(request: FastifyRequest, password: string): Promise<SignedIn> {
  const { ctx } = request.server
  const signedIn = await requireSignedIn(request)
  const secrets = await findStaff(ctx.db, signedIn.staff.staffId)
  if (!(await passwordMatches(password, secrets?.passwordHash)))
    throw new Refusal('sign_in_failed', { detail: 'The password is wrong.' })
  return signedIn
}
