import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { signInWithPasskey } from '../../staff/sign-in.ts'
import { signInOptions } from '../../staff/verify-passkeys.ts'
import { requireRelyingParty } from './recent-sign-in.ts'
import { problemResponses } from '../answers/common.ts'
import { describeSession, SessionAnswer } from '../answers/session.ts'
import { PasskeyAssertion, PasskeyOptions, staffRefusals } from '../answers/staff.ts'
import { setSessionCookies } from './staff-session.ts'
import { whereabouts } from './whereabouts.ts'

/** Signing in with a passkey alone. Registered by the session routes; shares their cookies and rate limit. */
export const passkeySessionRoutes: FastifyPluginAsyncTypebox<{
  limitSignIns: (request: FastifyRequest) => Promise<void>
}> = async (app, { limitSignIns }) => {
  const { ctx } = app
  const open = { tags: ['Console'], security: [] }

  app.post(
    '/api/v1/session/passkey-challenges',
    {
      onRequest: limitSignIns,
      schema: {
        ...open,
        operationId: 'challengeForSignIn',
        summary: 'Start signing in with a passkey',
        description:
          'Returns the options for `navigator.credentials.get()`, as JSON. They name no account, and work once, within five minutes.',
        response: {
          200: PasskeyOptions,
          ...problemResponses(...staffRefusals, 'passkeys_unavailable', 'rate_limited'),
        },
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
      schema: {
        ...open,
        operationId: 'signInWithPasskey',
        summary: 'Sign in with a passkey',
        description:
          'The device must have verified its owner (PIN, fingerprint or face). No second factor is needed.',
        body: Type.Object({ passkey: PasskeyAssertion }),
        response: {
          200: SessionAnswer,
          ...problemResponses(...staffRefusals, 'passkey_refused', 'passkeys_unavailable', 'rate_limited'),
        },
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
