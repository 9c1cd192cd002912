import fastifyCookie from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { resetMailsPerHourMax, signInsPerMinuteMax } from '../../limits.ts'
import type { Mailer } from '../../mail.ts'
import { Refusal } from '../../refusals.ts'
import { acceptInvitation } from '../../staff/accept-invitation.ts'
import { findInvitation, invitationLink } from '../../staff/invitations.ts'
import { resetOwnPassword } from '../../staff/invite-staff.ts'
import type { SecondFactorProof } from '../../staff/second-factor.ts'
import { endStaffSession, type SignedIn } from '../../staff/sessions.ts'
import { relyingPartyOf } from '../../staff/relying-party.ts'
import { admit, signIn } from '../../staff/sign-in.ts'
import { countRecoveryCodes } from '../../staff/recovery-codes.ts'
import { keepsSecondFactor, methodMail, resetMail } from '../../staff/staff-mails.ts'
import { findStaff, findStaffByEmail, foldEmail, type Staff } from '../../staff/staff.ts'
import { passkeySessionRoutes } from './passkey-session-routes.ts'
import { RateLimit } from '../transport/rate-limit.ts'
import { relyingParty } from './recent-sign-in.ts'
import { describeSession, InvitationAnswer, SessionAnswer, SessionStateAnswer } from '../answers/session.ts'
import { Done, Email, Password, PersonName, secondFactorFields } from '../answers/staff.ts'
import {
  clearSessionCookie,
  refuseForeignOrigin,
  requireSignedIn,
  setSessionCookies,
} from './staff-session.ts'
import { whereabouts } from './whereabouts.ts'
import { consoleOnlyRoutes } from '../route-groups.ts'

type SecondFactorBody = { code?: string; recoveryCode?: string; passkey?: object }

const LinkToken = Type.String({ minLength: 1, maxLength: 100 })

/** Signing in and out. For the console only: sessions are kept in cookies. */
export const sessionRoutes = consoleOnlyRoutes(async (app) => {
  const { ctx } = app
  await app.register(fastifyCookie, { hook: false })
  const attempts = { counted: 'attempts to sign in from this address', max: signInsPerMinuteMax }
  const signIns = new RateLimit({ name: 'sign-ins', ...attempts, windowSeconds: 60 })
  // Per email address, so that a stranger cannot flood a mailbox.
  const mails = { counted: 'mails to this address', max: resetMailsPerHourMax }
  const resetMails = new RateLimit({ name: 'resets', ...mails, windowSeconds: 3_600 })
  const limitSignIns = async (request: FastifyRequest) => {
    refuseForeignOrigin(request)
    signIns.refuseOver(signIns.use(request.ip))
  }
  await app.register(passkeySessionRoutes, { limitSignIns })

  app.post(
    '/api/v1/session',
    {
      onRequest: limitSignIns,
      config: {
        refusals: [
          'sign_in_failed',
          'second_factor_needed',
          'second_factor_wrong',
          'sign_in_delayed',
          'rate_limited',
        ],
      },
      schema: {
        security: [],
        operationId: 'signIn',
        summary: 'Sign in',
        body: Type.Object({ email: Email, password: Password, ...secondFactorFields }),
        response: { 200: SessionAnswer },
      },
    },
    async (request, reply) => {
      const { email, password } = request.body
      const { staff, tokens } = await signIn(ctx.db, {
        email,
        password,
        ...secondFactor(request, request.body),
        ...whereabouts(request),
      })
      setSessionCookies(ctx, reply, tokens)
      await mailRecoveryCodeUse(staff, request.body.recoveryCode)
      return describeSession(ctx, staff)
    },
  )

  app.get(
    '/api/v1/session',
    {
      schema: {
        security: [],
        operationId: 'readSession',
        summary: 'Read the current session and its merchants',
        description: 'Without a session, `staff` is null.',
        response: { 200: SessionStateAnswer },
      },
    },
    async (request) => {
      const signedIn = await signedInNow(request)
      const party = relyingPartyOf(ctx.config.publicUrl)
      const passkeys = typeof party === 'string' ? party : ('offered' as const)
      const facts = { resetsByMail: ctx.mail !== undefined, passkeys }
      if (signedIn === undefined) return { staff: null, merchants: [], build: null, ...facts }
      return { ...(await describeSession(ctx, signedIn.staff)), ...facts }
    },
  )

  app.post(
    '/api/v1/session/reset-mails',
    {
      onRequest: limitSignIns,
      config: { refusals: ['mail_not_set', 'rate_limited'] },
      schema: {
        security: [],
        operationId: 'mailReset',
        summary: 'Request a password reset by mail',
        description:
          'The answer is the same whether or not an account has this address. The link works once, within an hour, and needs two-factor authentication if the account uses it.',
        body: Type.Object({ email: Email }),
        response: { 200: Done },
      },
    },
    (request) => {
      const { mail } = ctx
      if (mail === undefined) throw new Refusal('mail_not_set')
      const email = foldEmail(request.body.email)
      // Not awaited: the time it takes would reveal whether the account exists.
      if (!resetMails.use(email).isOver)
        void mailReset(mail, email).catch((error: unknown) =>
          ctx.log.error({ error }, 'the reset mail was not sent'),
        )
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
        operationId: 'signOut',
        summary: 'Sign out',
        response: { 200: Done },
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
      onRequest: limitSignIns,
      config: { refusals: ['invitation_invalid', 'rate_limited'] },
      schema: {
        security: [],
        operationId: 'readInvitation',
        summary: 'Read an invitation',
        body: Type.Object({ token: LinkToken }),
        response: { 200: InvitationAnswer },
      },
    },
    async (request) => {
      const invitation = await findInvitation(ctx.db, request.body.token, ctx.now())
      if (invitation === undefined) throw new Refusal('invitation_invalid')
      const { merchantName, role, makesOperator, resetsStaffId } = invitation
      const isReset = resetsStaffId !== null
      const person = isReset ? await findStaff(ctx.db, resetsStaffId) : undefined
      const email = person?.email ?? invitation.email
      const isPerson = invitation.isMailed || (await signedInNow(request))?.staff.email === email
      const hasAccount =
        !isReset && isPerson && email !== null && (await findStaffByEmail(ctx.db, email)) !== undefined
      const needsCode = keepsSecondFactor(invitation) && person?.hasSecondFactor === true
      return { email, merchant: merchantName, role, makesOperator, isReset, hasAccount, needsCode }
    },
  )

  app.post(
    '/api/v1/session/acceptance',
    {
      onRequest: limitSignIns,
      config: {
        refusals: [
          'invitation_invalid',
          'account_exists',
          'password_too_easy',
          'second_factor_needed',
          'second_factor_wrong',
          'sign_in_delayed',
          'rate_limited',
        ],
      },
      schema: {
        security: [],
        operationId: 'acceptInvitation',
        summary: 'Accept an invitation or a reset, and sign in',
        body: Type.Object({
          token: LinkToken,
          email: Type.Optional(Email),
          name: Type.Optional(PersonName),
          password: Type.Optional(Password),
          ...secondFactorFields,
        }),
        response: { 200: SessionAnswer },
      },
    },
    async (request, reply) => {
      const now = ctx.now()
      const signedIn = await signedInNow(request)
      const { token, email, name, password } = request.body
      const signedInStaffId = signedIn?.staff.staffId
      const staffId = await acceptInvitation(ctx.db, {
        token,
        email,
        name,
        password,
        ...secondFactor(request, request.body),
        signedInStaffId,
        now,
      })
      const staff = (await findStaff(ctx.db, staffId)) as Staff
      await mailRecoveryCodeUse(staff, request.body.recoveryCode)
      if (staffId !== signedInStaffId)
        setSessionCookies(ctx, reply, await admit(ctx.db, staffId, whereabouts(request)))
      return describeSession(ctx, staff)
    },
  )

  /** The proof of the second factor, and what is needed to check it. */
  function secondFactor(request: FastifyRequest, body: SecondFactorBody) {
    const { code, recoveryCode, passkey } = body
    return {
      proof: { code, recoveryCode, passkey: passkey as SecondFactorProof['passkey'] },
      rp: relyingParty(ctx),
      requestId: request.id,
    }
  }

  /** The owner gets a mail for each use, because somebody else may have found the code. */
  async function mailRecoveryCodeUse(staff: Staff, code: string | undefined): Promise<void> {
    if (code === undefined || ctx.mail === undefined || !staff.hasSecondFactor) return
    const left = await countRecoveryCodes(ctx.db, staff.staffId)
    void ctx.mail.send(methodMail(staff.email, { recoveryCodeUsed: { left } }))
  }

  async function signedInNow(request: FastifyRequest): Promise<SignedIn | undefined> {
    try {
      return await requireSignedIn(request)
    } catch (error) {
      // The caller may not have an account yet.
      if (error instanceof Refusal && error.code === 'session_missing') return undefined
      throw error
    }
  }
})
