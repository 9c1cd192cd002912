import { randomUUIDv7 } from 'node:crypto'
import { hashSecretText, isSecretText, makeSecretText } from '../crypto/secret-text.ts'
import { type Queryable, statement } from '../db/database.ts'
import { invitationLifetimeSeconds } from '../limits.ts'
import type { Role } from './roles.ts'

export type Invitation = {
  invitationId: string
  email: string | null
  merchantId: number | null
  merchantName: string | null
  merchantSlug: string | null
  role: Role | null
  makesOperator: boolean
  resetsStaffId: number | null
  madeBy: string
  /** Whether only the mailbox of the address got the link. Using it proves the address. */
  isMailed: boolean
  createdAt: Date
  expiresAt: Date
}

/** What a link grants. */
type InvitationOrder = {
  email: string | null
  merchantId: number | null
  role: Role | null
  makesOperator: boolean
  resetsStaffId: number | null
  madeBy: string
  isMailed?: boolean
  lifetimeSeconds?: number
  now: Date
}

/** Creates a link's secret. It is not stored, and can't be shown again. */
export async function insertInvitation(db: Queryable, order: InvitationOrder): Promise<string> {
  const token = makeSecretText()
  await db.query(insert, [
    randomUUIDv7(),
    hashSecretText(token),
    order.email,
    order.merchantId,
    order.role,
    order.makesOperator,
    order.resetsStaffId,
    order.madeBy,
    order.isMailed ?? false,
    order.now,
    new Date(order.now.getTime() + (order.lifetimeSeconds ?? invitationLifetimeSeconds) * 1000),
  ])
  return token
}

/** The URL that a person opens. The secret is in the fragment, which browsers don't send and logs don't contain. */
export function invitationLink(publicUrl: string, token: string): string {
  return `${publicUrl}/console/welcome#${token}`
}

export async function findInvitation(
  db: Queryable,
  token: string,
  now: Date,
): Promise<Invitation | undefined> {
  if (!isSecretText(token)) return undefined
  const [found] = await db.query(find, [hashSecretText(token), now])
  return found
}

/**
 * Uses up a link. Undefined if it does not exist, has expired, or was used. Of two concurrent requests, one gets it.
 */
export async function takeInvitation(
  tx: Queryable,
  token: string,
  now: Date,
): Promise<Invitation | undefined> {
  const found = await findInvitation(tx, token, now)
  const taken = found === undefined ? [] : await tx.query(take, [found.invitationId, now])
  return taken.length === 0 ? undefined : found
}

/** Who invited the person whose account was made then, and to which merchant. Undefined for the first start. */
export async function findInviter(
  db: Queryable,
  account: { email: string; createdAt: Date },
): Promise<Pick<Invitation, 'madeBy' | 'merchantSlug'> | undefined> {
  const [found] = await db.query(findUsed, [account.email, account.createdAt])
  return found
}

/** The unused links of a merchant. */
export async function listInvitations(db: Queryable, merchantId: number, now: Date): Promise<Invitation[]> {
  return db.query(list, [merchantId, now])
}

/** The open invitations of all merchants, and of operators. */
export async function listAllInvitations(db: Queryable, now: Date): Promise<Invitation[]> {
  return db.query(listAll, [now])
}

type Withdrawal = {
  email: string
  /** All of the address, or those to this merchant together with those that make an operator, if so. */
  scope: 'all' | Pick<Invitation, 'merchantId' | 'makesOperator'>
  keptId?: string
  now: Date
}

/**
 * Ends open invitations of an address. It first locks all of them, in order, so that two links of one person can be
 * used at the same time without a deadlock. So call it before anything locks accounts or roles.
 */
export async function withdrawInvitationsOf(
  tx: Queryable,
  { email, scope, keptId, now }: Withdrawal,
): Promise<Pick<Invitation, 'merchantId' | 'role'>[]> {
  const { merchantId, makesOperator } = scope === 'all' ? { merchantId: null, makesOperator: false } : scope
  return tx.query(withdrawOf, [email, now, scope === 'all', merchantId, makesOperator, keptId ?? null])
}

/** Ends the open invitations that name no address: the link of the first start. */
export async function withdrawUnaddressed(
  tx: Queryable,
  now: Date,
): Promise<Pick<Invitation, 'merchantId' | 'role'>[]> {
  return tx.query(endUnaddressed, [now])
}

/** Whether the link of the first start was ever made or prevented. */
export async function hasUnaddressed(tx: Queryable): Promise<boolean> {
  return (await tx.query(findUnaddressed)).length > 0
}

/** Undefined if there is none, or it was used. */
export async function withdrawInvitation(
  db: Queryable,
  key: { merchantId: number; invitationId: string },
): Promise<Pick<Invitation, 'email' | 'role'> | undefined> {
  const [withdrawn] = await db.query(withdraw, [key.merchantId, key.invitationId])
  return withdrawn
}

/** Ends all unused password reset links of a person. */
export async function withdrawResets(db: Queryable, staffId: number): Promise<void> {
  await db.query(removeResets, [staffId])
}

const columns = `
  invitation_id as "invitationId",
  email,
  staff_invitations.merchant_id as "merchantId",
  merchants.name as "merchantName",
  merchants.slug as "merchantSlug",
  role,
  makes_operator as "makesOperator",
  resets_staff_id as "resetsStaffId",
  made_by as "madeBy",
  is_mailed as "isMailed",
  staff_invitations.created_at as "createdAt",
  expires_at as "expiresAt"`

const insert = statement(`
insert into staff_invitations (
  invitation_id, token_sha256, email, merchant_id, role, makes_operator, resets_staff_id, made_by, is_mailed,
  created_at, expires_at
)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`)

const find = statement<Invitation>(`
select ${columns}
from staff_invitations
left join merchants using (merchant_id)
where token_sha256 = $1
and used_at is null
and expires_at > $2`)

const findUsed = statement<Pick<Invitation, 'madeBy' | 'merchantSlug'>>(`
select made_by as "madeBy", merchants.slug as "merchantSlug"
from staff_invitations
left join merchants using (merchant_id)
where email = $1
and used_at >= $2
order by used_at
limit 1`)

const take = statement<{ invitationId: string }>(`
update staff_invitations
set used_at = $2
where invitation_id = $1
and used_at is null
returning invitation_id as "invitationId"`)

const list = statement<Invitation>(`
select ${columns}
from staff_invitations
left join merchants using (merchant_id)
where staff_invitations.merchant_id = $1
and used_at is null
and expires_at > $2
order by staff_invitations.created_at desc`)

const listAll = statement<Invitation>(`
select ${columns}
from staff_invitations
left join merchants using (merchant_id)
where resets_staff_id is null
and used_at is null
and expires_at > $1
order by email, staff_invitations.created_at`)

const withdrawOf = statement<Pick<Invitation, 'merchantId' | 'role'>>(`
delete from staff_invitations
where invitation_id in (
  select invitation_id
  from staff_invitations
  where email = $1
  and used_at is null
  and expires_at > $2
  order by invitation_id
  for update
)
and ($3 or merchant_id = $4 or (makes_operator and $5))
and invitation_id is distinct from $6
returning merchant_id as "merchantId", role`)

const removeResets = statement(`
delete from staff_invitations
where resets_staff_id = $1
and used_at is null`)

const endUnaddressed = statement<Pick<Invitation, 'merchantId' | 'role'>>(`
update staff_invitations
set used_at = $1
where email is null
and resets_staff_id is null
and used_at is null
and expires_at > $1
returning merchant_id as "merchantId", role`)

const findUnaddressed = statement(`
select
from staff_invitations
where email is null
and resets_staff_id is null
limit 1`)

const withdraw = statement<Pick<Invitation, 'email' | 'role'>>(`
delete from staff_invitations
where merchant_id = $1
and invitation_id = $2
and used_at is null
returning email, role`)
