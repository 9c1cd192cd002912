import { type Static, Type } from 'typebox'
import type { Context } from '../../context.ts'
import { listRoles, type Staff } from '../../staff/staff.ts'
import { describeBuild, readBuild } from '../../version.ts'
import { nullable } from './shapes.ts'
import { RoleName } from './staff.ts'

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
          live: Type.Boolean({ description: 'False for a test merchant.' }),
          timeZone: Type.String(),
          currency: nullable(Type.String()),
        },
        { title: 'StaffMerchant' },
      ),
    ),
    build: Type.String({ description: 'The version and the commit of the server.' }),
  },
  { title: 'Session' },
)
export type SessionAnswer = Static<typeof SessionAnswer>

/** The session, or `staff: null` if there is none, and the ways to sign in that this server offers. */
export const SessionStateAnswer = Type.Object({
  staff: Type.Union([SessionAnswer.properties.staff, Type.Null()]),
  merchants: SessionAnswer.properties.merchants,
  build: Type.Union([SessionAnswer.properties.build, Type.Null()]),
  resetsByMail: Type.Boolean({ description: 'Whether a new password can be asked for by mail.' }),
  passkeys: Type.Enum(['offered', 'ip_address', 'no_https'], {
    description: 'Whether passkeys work at the public URL, or why not.',
  }),
})
export type SessionStateAnswer = Static<typeof SessionStateAnswer>

export const InvitationAnswer = Type.Object({
  email: Type.Union([Type.String(), Type.Null()]),
  merchant: Type.Union([Type.String(), Type.Null()]),
  role: Type.Union([RoleName, Type.Null()]),
  makesOperator: Type.Boolean(),
  isReset: Type.Boolean(),
  hasAccount: Type.Boolean({
    description:
      'Whether the account exists, so that the user must sign in first. Told only to the person: with a link from a mail, or signed in. Otherwise false.',
  }),
  needsCode: Type.Boolean({ description: 'Whether two-factor authentication is required too.' }),
})
export type InvitationAnswer = Static<typeof InvitationAnswer>

export async function describeSession(ctx: Context, staff: Staff): Promise<SessionAnswer> {
  const merchants = await listRoles(ctx.db, staff)
  const { email, name, isOperator, hasSecondFactor } = staff
  return {
    staff: { email, name, isOperator, hasSecondFactor },
    merchants: merchants.map((one) => ({
      merchant: one.slug,
      name: one.name,
      role: one.role,
      isSuspended: one.isSuspended,
      live: !one.isTest,
      timeZone: one.timeZone,
      currency: one.currency,
    })),
    build: describeBuild(readBuild()),
  }
}
