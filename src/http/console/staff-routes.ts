import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Refusal } from '../../refusals.ts'
import { changeRole, removeFromMerchant } from '../../staff/change-roles.ts'
import { findInvitation, invitationLink, listInvitations } from '../../staff/invitations.ts'
import { inviteStaff, resetStaff, withdrawFromStaff } from '../../staff/invite-staff.ts'
import { mayAdminister } from '../../staff/roles.ts'
import { invitationMail, resetMail } from '../../staff/staff-mails.ts'
import { findStaffByEmail, foldEmail, listStaffOfMerchant } from '../../staff/staff.ts'
import { invitationsPerHourMax } from '../../merchant-quotas.ts'
import { RateLimit } from '../transport/rate-limit.ts'
import { requireOperator } from './operator-routes.ts'
import {
  Done,
  Email,
  LinkAnswer,
  RoleName,
  shownInvitation,
  shownStaffMember,
  StaffAnswer,
} from '../answers/staff.ts'
import { requireStaff, roleMissing, type StaffCaller, staffCause } from './staff-session.ts'
import { consoleOnlyRoutes } from '../route-groups.ts'

const StaffId = Type.Object({ staffId: Type.Integer({ minimum: 0, maximum: 999_999_999 }) })
const refusals = ['merchant_not_found', 'role_missing'] as const

/** The staff of a merchant. Needs a console session; service tokens cannot change it. */
export const staffRoutes = consoleOnlyRoutes(async (app) => {
  const { ctx } = app
  const hour = { name: 'invitations', windowSeconds: 3_600 }
  const { perAddress, perMerchant } = invitationsPerHourMax
  const ofAddresses = new RateLimit({ ...hour, counted: 'invitations to this address', max: perAddress })
  const ofMerchants = new RateLimit({ ...hour, counted: 'invitations of this merchant', max: perMerchant })
  const limitInvitations = ({ merchantId, email }: { merchantId: number; email: string }) => {
    ofMerchants.refuseOver(ofMerchants.use(String(merchantId)))
    ofAddresses.refuseOver(ofAddresses.use(`${merchantId}:${email}`))
  }

  app.get(
    '/api/v1/staff',
    {
      config: { refusals: refusals },
      schema: {
        operationId: 'listStaff',
        summary: 'List staff and open invitations',
        response: { 200: StaffAnswer },
      },
    },
    async (request) => {
      const caller = await requireStaff(request)
      const staff = await listStaffOfMerchant(ctx.db, caller.merchantId)
      const invitations = await listInvitations(ctx.db, caller.merchantId, ctx.now())
      return {
        staff: staff.map((one) => shownStaffMember(one, caller.staff.staffId)),
        invitations: invitations.map(shownInvitation),
      }
    },
  )

  app.post(
    '/api/v1/staff-invitations',
    {
      config: { refusals: [...refusals, 'rate_limited', 'mail_not_sent'] },
      schema: {
        operationId: 'inviteStaff',
        summary: 'Invite a staff member',
        description:
          'If an SMTP server is configured, the link is sent by mail, and nobody else gets it. Otherwise the answer has the link: send it yourself. It works once and is not shown again.',
        body: Type.Object({ email: Email, role: RoleName }),
        response: { 200: LinkAnswer },
      },
    },
    async (request) => {
      const caller = await requireOwner(request)
      const { merchantId } = caller
      const { role } = request.body
      const { mail } = ctx
      const isMailed = mail !== undefined
      const order = { email: foldEmail(request.body.email), merchantId, role, makesOperator: false, isMailed }
      limitInvitations(order)
      const cause = staffCause(request, caller)
      const token = await inviteStaff(ctx.db, order, cause)
      const link = invitationLink(ctx.config.publicUrl, token)
      if (mail === undefined) return { link, mailed: false }
      const facts = { link, merchant: caller.merchantName, by: caller.staff.name }
      if (await mail.send(invitationMail(order.email, facts))) return { link: null, mailed: true }
      const invitation = await findInvitation(ctx.db, token, cause.now)
      if (invitation !== undefined) await withdrawFromStaff(ctx.db, { ...invitation, merchantId }, cause)
      throw new Refusal('mail_not_sent')
    },
  )

  app.delete(
    '/api/v1/staff-invitations/:invitationId',
    {
      config: { refusals: [...refusals, 'staff_not_found'] },
      schema: {
        operationId: 'withdrawInvitation',
        summary: 'Withdraw an invitation',
        params: Type.Object({ invitationId: Type.String({ format: 'uuid' }) }),
        response: { 200: Done },
      },
    },
    async (request) => {
      const caller = await requireOwner(request)
      const key = { merchantId: caller.merchantId, invitationId: request.params.invitationId }
      if (!(await withdrawFromStaff(ctx.db, key, staffCause(request, caller))))
        throw new Refusal('staff_not_found')
      return { done: true }
    },
  )

  app.put(
    '/api/v1/staff/:staffId/role',
    {
      config: { refusals: [...refusals, 'staff_not_found', 'last_owner'] },
      schema: {
        operationId: 'changeRole',
        summary: 'Change the role of a staff member',
        params: StaffId,
        body: Type.Object({ role: RoleName }),
        response: { 200: Done },
      },
    },
    async (request) => {
      const caller = await requireOwner(request)
      const order = { staffId: request.params.staffId, merchantId: caller.merchantId }
      await changeRole(ctx.db, { ...order, role: request.body.role }, staffCause(request, caller))
      return { done: true }
    },
  )

  app.delete(
    '/api/v1/staff/:staffId',
    {
      config: { refusals: [...refusals, 'staff_not_found', 'last_owner'] },
      schema: {
        operationId: 'removeStaff',
        summary: 'Remove a staff member from the merchant',
        description: 'Also withdraws the open invitations of the person to the merchant.',
        params: StaffId,
        response: { 200: Done },
      },
    },
    async (request) => {
      const caller = await requireOwner(request)
      const order = { staffId: request.params.staffId, merchantId: caller.merchantId }
      await removeFromMerchant(ctx.db, order, staffCause(request, caller))
      return { done: true }
    },
  )

  app.post(
    '/api/v1/staff/resets',
    {
      config: { refusals: ['role_missing', 'staff_not_found'] },
      schema: {
        operationId: 'resetStaff',
        summary: 'Reset the password of a staff member',
        description:
          'For operators only, because the account may belong to several merchants. Returns a link that works once, and mails it if an SMTP server is configured.',
        body: Type.Object({ email: Email }),
        response: { 200: LinkAnswer },
      },
    },
    async (request) => {
      const caller = await requireOperator(request)
      const person = await findStaffByEmail(ctx.db, foldEmail(request.body.email))
      if (person === undefined) throw new Refusal('staff_not_found')
      const token = await resetStaff(ctx.db, person, staffCause(request, caller))
      const link = invitationLink(ctx.config.publicUrl, token)
      return { link, mailed: (await ctx.mail?.send(resetMail(person.email, link, 'seven days'))) === true }
    },
  )
})

async function requireOwner(request: FastifyRequest): Promise<StaffCaller> {
  const caller = await requireStaff(request)
  if (!mayAdminister(caller.role)) throw roleMissing(caller.role)
  return caller
}
