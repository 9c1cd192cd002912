import { type Queryable, statement } from '../db/database.ts'
import type { AlertCause } from './alert-causes.ts'

type ToldKey = { merchantId: number; staffId: number; cause: AlertCause; subject: string }

/** `toldOn`: the merchant's day. `isOver`: it was not so any more, or the mail did not arrive. */
export type Told = ToldKey & { toldOn: string; isOver: boolean }

export async function listTold(tx: Queryable, merchantIds: readonly number[]): Promise<Told[]> {
  return tx.query(list, [merchantIds])
}

export async function insertTold(tx: Queryable, told: readonly Omit<Told, 'isOver'>[]): Promise<void> {
  await tx.query(insert, [...columnsOf(told), told.map(({ toldOn }) => toldOn)])
}

/** From the next day on it can be told again. */
export async function markOver(tx: Queryable, keys: readonly ToldKey[]): Promise<void> {
  await tx.query(over, columnsOf(keys))
}

export async function deleteTold(tx: Queryable, keys: readonly ToldKey[]): Promise<void> {
  await tx.query(remove, columnsOf(keys))
}

function columnsOf(keys: readonly ToldKey[]): unknown[] {
  return [
    keys.map(({ merchantId }) => merchantId),
    keys.map(({ staffId }) => staffId),
    keys.map(({ cause }) => cause),
    keys.map(({ subject }) => subject),
  ]
}

const list = statement<Told>(`
select
  merchant_id as "merchantId",
  staff_id as "staffId",
  cause,
  subject,
  told_on::text as "toldOn",
  is_over as "isOver"
from staff_alerts_told
where merchant_id = any($1::int[])`)

const insert = statement(`
insert into staff_alerts_told (merchant_id, staff_id, cause, subject, told_on)
select *
from unnest($1::int[], $2::int[], $3::text[], $4::text[], $5::date[])
on conflict (merchant_id, staff_id, cause, subject) do update
set told_on = excluded.told_on, is_over = false`)

const among = `
from unnest($1::int[], $2::int[], $3::text[], $4::text[]) as named (merchant_id, staff_id, cause, subject)
where staff_alerts_told.merchant_id = named.merchant_id
and staff_alerts_told.staff_id = named.staff_id
and staff_alerts_told.cause = named.cause
and staff_alerts_told.subject = named.subject`

const over = statement(`
update staff_alerts_told
set is_over = true${among}`)

const remove = statement(`
delete from staff_alerts_told
using${among.replace('\nfrom', '')}`)
