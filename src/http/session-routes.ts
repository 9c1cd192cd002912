import fastifyCookie from '@fastify/cookie'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Context } from '../context.ts'
import { resetMailsPerHourMax, signInsPerMinuteMax } from '../limits.ts'
import type { Mailer } from '../mail.ts'
import { Refusal } from '../refusals.ts'
import { acceptInvitation } from '../staff/accept-invitation.ts'
import { findInvitation, invitationLink } from '../staff/invitations.ts'
import { resetOwnPassword } from '../staff/invite-staff.ts'
import { endStaffSession, type SignedIn } from '../staff/sessions.ts'
import { admit, signIn } from '../staff/sign-in.ts'
import { keepsSecondFactor, resetMail } from '../staff/staff-mails.ts'
import { findStaff, findStaffByEmail, foldEmail, listRoles, type Staff } from '../staff/staff.ts'
import { RateLimit } from './rate-limit.ts'
import { problemResponses } from './schemas.ts'
import { Code, Done, Email, Password, PersonName, RoleName, staffRefusals } from './staff-schemas.ts'
import {
  browserTokenOf,
  clearSessionCookie,
  refuseForeignOrigin,
  requireSignedIn,
  setSessionCookies,
} from './staff-session.ts'

const LinkToken = Type.String({ minLength: 1, maxLength: 100 })

const SessionAnswer = Type.Object(
  {
    staff: Type.Object(
      {
        email: Type.String(),
        name: Type.String(),
        isOperator: Type.Boolean(),
        hasSecondFactor: Type.Boolean(),
      },
      { title: 'SignedInStaff' },
    ),
    merchants: Type.Array(
      Type.Object(
        {
          merchant: Type.String(),
          name: Type.String(),
          role: RoleName,
          isSuspended: Type.Boolean(),
        },
        { title: 'StaffMerchant' },
      ),
    ),
  },
  { title: 'Session' },
)

/** Signing in and out. Only for the console: sessions live in cookies. */
export const sessionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { ctx } = app
  await app.register(fastifyCookie, { hook: false })
  const pace = new RateLimit({ name: 'sign-ins', max: signInsPerMinuteMax, windowSeconds: 60 })
  // Nobody's letter box is filled by others.
  const letters = new RateLimit({ name: 'resets', max: resetMailsPerHourMax, windowSeconds: 3_600 })
  const keepPace = async (request: FastifyRequest) => {
    refuseForeignOrigin(request)
    const used = pace.use(request.ip)
    if (used.isOver)
      throw new Refusal('rate_limited', { headers: { 'Retry-After': String(used.resetSeconds) } })
  }
  const common = { tags: ['Console'], security: [{ staffSession: [] }] }
  const open = { tags: ['Console'], security: [] }

  app.post(
    '/api/v1/session',
    {
      onRequest: keepPace,
      schema: {
        ...open,
        operationId: 'signIn',
        summary: 'Sign in',
        body: Type.Object({ email: Email, password: Password, code: Type.Optional(Code) }),
        response: {
          200: SessionAnswer,
          ...problemResponses(
            ...staffRefusals,
            'sign_in_failed',
            'second_factor_needed',
            'second_factor_wrong',
            'sign_in_delayed',
            'rate_limited',
          ),
        },
      },
    },
    async (request, reply) => {
      const { email, password, code } = request.body
      const tokens = await signIn(ctx.db, { email, password, code, ...whereabouts(request) })
      setSessionCookies(ctx, reply, tokens)
      const staff = await findStaffByEmail(ctx.db, foldEmail(email))
      return describe(ctx, staff as Staff)
    },
  )

  app.get(
    '/api/v1/session',
    {
      schema: {
        ...open,
        operationId: 'readSession',
        summary: 'See who is signed in, and for which merchants',
        description: 'With nobody signed in, `staff` is null.',
        response: {
          200: Type.Object({
            staff: Type.Union([SessionAnswer.properties.staff, Type.Null()]),
            merchants: SessionAnswer.properties.merchants,
            resetsByMail: Type.Boolean({ description: 'Whether a new password can be asked for by mail.' }),
          }),
          ...problemResponses(...staffRefusals),
        },
      },
    },
    async (request) => {
      const signedIn = await signedInNow(request)
      const resetsByMail = ctx.mail !== undefined
      if (signedIn === undefined) return { staff: null, merchants: [], resetsByMail }
      return { ...(await describe(ctx, signedIn.staff)), resetsByMail }
    },
  )

  app.post(
    '/api/v1/session/reset-mails',
    {
      onRequest: keepPace,
      schema: {
        ...open,
        operationId: 'mailReset',
        summary: 'Ask for a link to a new password, by mail',
        description:
          'Answers the same whether or not anybody has this address. The link works once, within an hour, and needs the second factor where there is one.',
        body: Type.Object({ email: Email }),
        response: { 200: Done, ...problemResponses(...staffRefusals, 'mail_not_set', 'rate_limited') },
      },
    },
    (request) => {
      const { mail } = ctx
      if (mail === undefined) throw new Refusal('mail_not_set')
      const email = foldEmail(request.body.email)
      // Not awaited: how long it takes would tell whether there is such an account.
      if (!letters.use(email).isOver)
        void mailReset(mail, email).catch((error: unknown) => ctx.log.error({ error }, 'no reset was mailed'))
      return { done: true }
    },
  )

  async function mailReset(mail: Mailer, email: string): Promise<void> {
    const token = await resetOwnPassword(ctx.db, email, ctx.now())
    if (token === undefined) return
    await mail.send(resetMail(email, invitationLink(ctx.config.publicUrl, token), 'an hour'))
  }

  app.delete(
    '/api/v1/session',
    {
      schema: {
        ...common,
        operationId: 'signOut',
        summary: 'Sign out',
        response: { 200: Done, ...problemResponses(...staffRefusals) },
      },
    },
    async (request, reply) => {
      const { staff, sessionId } = await requireSignedIn(request)
      await endStaffSession(ctx.db, { staffId: staff.staffId, sessionId })
      clearSessionCookie(ctx, reply)
      return { done: true }
    },
  )

  app.post(
    '/api/v1/session/invitation',
    {
      onRequest: keepPace,
      schema: {
        ...open,
        operationId: 'readInvitation',
        summary: 'See what an invitation is for',
        body: Type.Object({ token: LinkToken }),
        response: {
          200: Type.Object({
            email: Type.Union([Type.String(), Type.Null()]),
            merchant: Type.Union([Type.String(), Type.Null()]),
            role: Type.Union([RoleName, Type.Null()]),
            makesOperator: Type.Boolean(),
            isReset: Type.Boolean(),
            hasAccount: Type.Boolean({ description: 'Whether to sign in first.' }),
            needsCode: Type.Boolean({ description: 'Whether the second factor is needed too.' }),
          }),
          ...problemResponses(...staffRefusals, 'invitation_invalid', 'rate_limited'),
        },
      },
    },
    async (request) => {
      const invitation = await findInvitation(ctx.db, request.body.token, ctx.now())
      if (invitation === undefined) throw new Refusal('invitation_invalid')
      const { merchantName, role, makesOperator, resetsStaffId } = invitation
      const isReset = resetsStaffId !== null
      const person = isReset ? await findStaff(ctx.db, resetsStaffId) : undefined
      const email = person?.email ?? invitation.email
      const hasAccount = !isReset && email !== null && (await findStaffByEmail(ctx.db, email)) !== undefined
      const needsCode = keepsSecondFactor(invitation) && person?.hasSecondFactor === true
      return { email, merchant: merchantName, role, makesOperator, isReset, hasAccount, needsCode }
    },
  )

  app.post(
    '/api/v1/session/acceptance',
    {
      onRequest: keepPace,
      schema: {
        ...open,
        operationId: 'acceptInvitation',
        summary: 'Use an invitation or a reset, and be signed in',
        body: Type.Object({
          token: LinkToken,
          email: Type.Optional(Email),
          name: Type.Optional(PersonName),
          password: Type.Optional(Password),
          code: Type.Optional(Code),
        }),
        response: {
          200: SessionAnswer,
          ...problemResponses(
            ...staffRefusals,
            'invitation_invalid',
            'account_exists',
            'password_too_easy',
            'second_factor_needed',
            'second_factor_wrong',
            'sign_in_delayed',
            'rate_limited',
          ),
        },
      },
    },
    async (request, reply) => {
      const now = ctx.now()
      const signedIn = await signedInNow(request)
      const { token, email, name, password, code } = request.body
      const signedInStaffId = signedIn?.staff.staffId
      const staffId = await acceptInvitation(ctx.db, {
        token,
        email,
        name,
        password,
        code,
        signedInStaffId,
        requestId: request.id,
        now,
      })
      if (staffId !== signedInStaffId)
        setSessionCookies(ctx, reply, await admit(ctx.db, staffId, whereabouts(request)))
      return describe(ctx, (await findStaff(ctx.db, staffId)) as Staff)
    },
  )

  async function signedInNow(request: FastifyRequest): Promise<SignedIn | undefined> {
    try {
      return await requireSignedIn(request)
    } catch (error) {
      // An invitation may well be used by somebody who is not signed in.
      if (error instanceof Refusal && error.code === 'session_missing') return undefined
      throw error
    }
  }

  function whereabouts(request: FastifyRequest) {
    return {
      address: request.ip,
      browser: request.headers['user-agent'] ?? 'unknown',
      browserToken: browserTokenOf(request),
      now: ctx.now(),
    }
  }
}

async function describe(ctx: Context, staff: Staff): Promise<Static<typeof SessionAnswer>> {
  const merchants = await listRoles(ctx.db, staff)
  const { email, name, isOperator, hasSecondFactor } = staff
  return {
    staff: { email, name, isOperator, hasSecondFactor },
    merchants: merchants.map((one) => ({
      merchant: one.slug,
      name: one.name,
      role: one.role,
      isSuspended: one.isSuspended,
    })),
  }
}
