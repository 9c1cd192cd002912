import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { signInWithPasskey } from '../../staff/sign-in.ts'
import { signInOptions } from '../../staff/verify-passkeys.ts'
import { requireRelyingParty } from './recent-sign-in.ts'
import { describeSession, SessionAnswer } from '../answers/session.ts'
import { PasskeyAssertion, PasskeyOptions } from '../answers/staff.ts'
import { setSessionCookies } from './staff-session.ts'
import { whereabouts } from './whereabouts.ts'

/** Signing in with a passkey alone. Registered by the session routes; shares their cookies and rate limit. */
export const passkeySessionRoutes: FastifyPluginAsyncTypebox<{
  limitSignIns: (request: FastifyRequest) => Promise<void>
}> = async (app, { limitSignIns }) => {
  const { ctx } = app

  app.post(
    '/api/v1/session/passkey-challenges',
    {
      onRequest: limitSignIns,
      config: { refusals: ['passkeys_unavailable', 'rate_limited'] },
      schema: {
        security: [],
        operationId: 'challengeForSignIn',
        summary: 'Start signing in with a passkey',
        description:
          'Returns the options for `navigator.credentials.get()`, as JSON. They name no account, and work once, within five minutes.',
        response: { 200: PasskeyOptions },
      },
    },
    async () => {
      const rp = requireRelyingParty(ctx)
      return { options: { ...(await signInOptions(ctx.db, { rp, now: ctx.now() })) } }
    },
  )

  app.post(
    '/api/v1/session/passkey',
    {
      onRequest: limitSignIns,
      config: { refusals: ['passkey_refused', 'passkeys_unavailable', 'rate_limited'] },
      schema: {
        security: [],
        operationId: 'signInWithPasskey',
        summary: 'Sign in with a passkey',
        description:
          'The device must have verified its owner (PIN, fingerprint or face). Two-factor authentication is not needed.',
        body: Type.Object({ passkey: PasskeyAssertion }),
        response: { 200: SessionAnswer },
      },
    },
    async (request, reply) => {
      const rp = requireRelyingParty(ctx)
      const response = request.body.passkey as never
      const { staff, tokens } = await signInWithPasskey(ctx.db, { response, rp, ...whereabouts(request) })
      setSessionCookies(ctx, reply, tokens)
      return describeSession(ctx, staff)
    },
  )
}
