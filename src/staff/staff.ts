import { type Queryable, statement } from '../db/database.ts'
import type { Role } from './roles.ts'

export type Staff = {
  staffId: number
  email: string
  name: string
  isOperator: boolean
  hasSecondFactor: boolean
  createdAt: Date
  /** When a link that only the mailbox got was used; null for never. */
  emailProvenAt: Date | null
}

/** Fields that only sign-in needs. */
export type StaffSecrets = {
  passwordHash: string
  totpSecret: string | null
  totpLastStep: number
  /** The owner id that authenticators store with a passkey. */
  passkeyHandle: string
}

export type StaffOfMerchant = Staff & { role: Role; lastSeenAt: Date | null }

/** Addresses are compared without case, so that a person has one account. */
export function foldEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}

/** Undefined if there is already an account with this address. */
export async function insertStaff(
  db: Queryable,
  staff: { email: string; name: string; passwordHash: string; isOperator: boolean; now: Date },
): Promise<number | undefined> {
  const { email, name, passwordHash, isOperator, now } = staff
  const [inserted] = await db.query(insert, [email, name, passwordHash, isOperator, now])
  return inserted?.staffId
}

export async function findStaffByEmail(
  db: Queryable,
  email: string,
): Promise<(Staff & StaffSecrets) | undefined> {
  const [found] = await db.query(byEmail, [email])
  return found
}

export async function findStaff(db: Queryable, staffId: number): Promise<(Staff & StaffSecrets) | undefined> {
  const [found] = await db.query(byId, [staffId])
  return found
}

export async function listStaff(db: Queryable): Promise<(Staff & { merchants: string[] })[]> {
  return db.query(list)
}

export async function listStaffOfMerchant(db: Queryable, merchantId: number): Promise<StaffOfMerchant[]> {
  return db.query(listOfMerchant, [merchantId])
}

type RoleAt = {
  merchantId: number
  slug: string
  name: string
  role: Role
  isSuspended: boolean
  isTest: boolean
  timeZone: string
  currency: string | null
}

/** The merchants that a person works for, and their test merchants. For an operator: all, as an owner. */
export async function listRoles(db: Queryable, staff: Staff): Promise<RoleAt[]> {
  return staff.isOperator ? db.query(rolesOfOperator, [staff.staffId]) : db.query(rolesOf, [staff.staffId])
}

/** The merchants where the person has an own role; an operator may have none. */
export async function listMemberships(
  db: Queryable,
  staffId: number,
): Promise<Pick<RoleAt, 'merchantId' | 'slug' | 'role'>[]> {
  return db.query(memberships, [staffId])
}

export async function setRole(
  db: Queryable,
  order: { staffId: number; merchantId: number; role: Role; now: Date },
): Promise<void> {
  await db.query(upsertRole, [order.staffId, order.merchantId, order.role, order.now])
}

export async function removeRole(
  db: Queryable,
  key: { staffId: number; merchantId: number },
): Promise<boolean> {
  return (await db.query(deleteRole, [key.staffId, key.merchantId])).length > 0
}

/** Locks the owners of a merchant, so that two of them can't remove each other at the same time. */
export async function lockOwners(tx: Queryable, merchantId: number): Promise<number[]> {
  return (await tx.query(lockRoles, [merchantId]))
    .filter((row) => row.role === 'owner')
    .map((row) => row.staffId)
}

export async function setPassword(db: Queryable, staffId: number, passwordHash: string): Promise<void> {
  await db.query(updatePassword, [staffId, passwordHash])
}

export async function setOperator(db: Queryable, staffId: number, isOperator: boolean): Promise<void> {
  await db.query(updateOperator, [staffId, isOperator])
}

/** Records that the person reads the mailbox of the account. The first time counts. */
export async function proveEmail(db: Queryable, staffId: number, now: Date): Promise<void> {
  await db.query(updateProof, [staffId, now])
}

/** Locks the operators, so that two of them can't be removed at the same time. */
export async function lockOperators(tx: Queryable): Promise<number[]> {
  return (await tx.query(lockAllOperators)).map((row) => row.staffId)
}

export async function setName(db: Queryable, staffId: number, name: string): Promise<void> {
  await db.query(updateName, [staffId, name])
}

export async function setTotpSecret(db: Queryable, staffId: number, secret: string | null): Promise<void> {
  await db.query(updateTotp, [staffId, secret])
}

/** Locks an account, so that changes to its sign-in methods come one after the other. */
export async function lockStaff(tx: Queryable, staffId: number): Promise<(Staff & StaffSecrets) | undefined> {
  await tx.query(lock, [staffId])
  return findStaff(tx, staffId)
}

/**
 * Uses up a time step. False if this or a later step was used before. Of two concurrent requests with one code, one
 * succeeds.
 */
export async function useTotpStep(db: Queryable, staffId: number, step: number): Promise<boolean> {
  return (await db.query(updateTotpStep, [staffId, step])).length > 0
}

export async function deleteStaff(db: Queryable, staffId: number): Promise<void> {
  await db.query(remove, [staffId])
}

/** An account has a second factor as soon as it has an authenticator app or a passkey. */
export const staffColumns = `
  staff.staff_id as "staffId",
  staff.email,
  staff.name,
  staff.is_operator as "isOperator",
  (
    staff.totp_secret is not null
    or exists (select from staff_passkeys where staff_passkeys.staff_id = staff.staff_id)
  ) as "hasSecondFactor",
  staff.created_at as "createdAt",
  staff.email_proven_at as "emailProvenAt"`

const secretColumns = `
  staff.password_hash as "passwordHash",
  staff.totp_secret as "totpSecret",
  staff.totp_last_step as "totpLastStep",
  staff.passkey_handle as "passkeyHandle"`

const insert = statement<{ staffId: number }>(`
insert into staff (email, name, password_hash, is_operator, created_at)
values ($1, $2, $3, $4, $5)
on conflict (email) do nothing
returning staff_id as "staffId"`)

const updateProof = statement(`
update staff
set email_proven_at = coalesce(email_proven_at, $2)
where staff_id = $1`)

const byEmail = statement<Staff & StaffSecrets>(`
select ${staffColumns}, ${secretColumns}
from staff
where email = $1`)

const byId = statement<Staff & StaffSecrets>(`
select ${staffColumns}, ${secretColumns}
from staff
where staff_id = $1`)

const lock = statement(`
select
from staff
where staff_id = $1
for no key update`)

const list = statement<Staff & { merchants: string[] }>(`
select
  ${staffColumns},
  array(
    select merchants.slug || ':' || staff_roles.role
    from staff_roles
    join merchants using (merchant_id)
    where staff_roles.staff_id = staff.staff_id
    order by merchants.slug
  ) as merchants
from staff
order by email`)

const listOfMerchant = statement<StaffOfMerchant>(`
select
  ${staffColumns},
  staff_roles.role,
  (select max(last_seen_at) from staff_sessions where staff_sessions.staff_id = staff.staff_id) as "lastSeenAt"
from staff_roles
join staff using (staff_id)
where staff_roles.merchant_id = $1
order by staff.email`)

const rolesOf = statement<RoleAt>(`
select
  merchants.merchant_id as "merchantId",
  merchants.slug,
  merchants.name,
  staff_roles.role,
  merchants.suspended_at is not null as "isSuspended",
  merchants.test_of is not null as "isTest",
  merchants.time_zone as "timeZone",
  merchants.currency
from staff_roles
cross join lateral (
  select merchant_id, slug, name, suspended_at, test_of, time_zone, currency
  from merchants
  where merchants.merchant_id = staff_roles.merchant_id
  union all
  select merchant_id, slug, name, suspended_at, test_of, time_zone, currency
  from merchants
  where merchants.test_of = staff_roles.merchant_id
  and replaced_at is null
) as merchants
where staff_roles.staff_id = $1
order by merchants.name, merchants.slug`)

const rolesOfOperator = statement<RoleAt>(`
select
  merchants.merchant_id as "merchantId",
  merchants.slug,
  merchants.name,
  'owner' as role,
  merchants.suspended_at is not null as "isSuspended",
  merchants.test_of is not null as "isTest",
  merchants.time_zone as "timeZone",
  merchants.currency
from merchants
where exists (select from staff where staff_id = $1 and is_operator)
and replaced_at is null
order by merchants.name, merchants.slug`)

const memberships = statement<Pick<RoleAt, 'merchantId' | 'slug' | 'role'>>(`
select merchant_id as "merchantId", slug, role
from staff_roles
join merchants using (merchant_id)
where staff_id = $1
order by merchant_id`)

const upsertRole = statement(`
insert into staff_roles (staff_id, merchant_id, role, created_at)
values ($1, $2, $3, $4)
on conflict (staff_id, merchant_id) do update
set role = excluded.role`)

const deleteRole = statement<{ staffId: number }>(`
delete from staff_roles
where staff_id = $1
and merchant_id = $2
returning staff_id as "staffId"`)

const lockRoles = statement<{ staffId: number; role: Role }>(`
select staff_id as "staffId", role
from staff_roles
where merchant_id = $1
order by staff_id
for update`)

const lockAllOperators = statement<{ staffId: number }>(`
select staff_id as "staffId"
from staff
where is_operator
order by staff_id
for update`)

const updatePassword = statement(`
update staff
set password_hash = $2
where staff_id = $1`)

const updateOperator = statement(`
update staff
set is_operator = $2
where staff_id = $1`)

const updateName = statement(`
update staff
set name = $2
where staff_id = $1`)

const updateTotp = statement(`
update staff
set totp_secret = $2
where staff_id = $1`)

const updateTotpStep = statement<{ staffId: number }>(`
update staff
set totp_last_step = $2
where staff_id = $1
and totp_last_step < $2
returning staff_id as "staffId"`)

const remove = statement(`
delete from staff
where staff_id = $1`)
