import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { Whereabouts } from '../../staff/sign-in.ts'
import { listRoles, type Staff } from '../../staff/staff.ts'
import { RoleName } from './staff.ts'
import { browserTokenOf, sessionTokenOf } from '../console/staff-session.ts'

/** Who is signed in, and for which merchants. */
export const SessionAnswer = Type.Object(
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

export async function describeSession(ctx: Context, staff: Staff): Promise<Static<typeof SessionAnswer>> {
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

/** Where somebody signs in from. */
export function whereabouts(request: FastifyRequest): Whereabouts {
  return {
    address: request.ip,
    browser: request.headers['user-agent'] ?? 'unknown',
    browserToken: browserTokenOf(request),
    sessionToken: sessionTokenOf(request),
    now: request.server.ctx.now(),
  }
}
