import { createHmac } from 'node:crypto'
import { type Queryable, statement } from '../db/database.ts'
import { Refusal } from '../refusals.ts'
import { entryCodesPerDay, entryCodesPerHour, entriesPerHour } from './entry-limits.ts'

/** How often something may happen in an hour or a day of the clock (UTC). */
type Budget = { counted: string; subject: string; max: number; windowMs: number }

const hourMs = 3_600_000

/** One code for an address, asked for from a network. */
export function codeBudgets({ fold, network }: { fold: string; network: string }): Budget[] {
  const { addressAndNetwork, network: ofNetwork, merchant } = entryCodesPerHour
  return [
    {
      counted: 'codes of address and network',
      subject: `${fold} ${network}`,
      max: addressAndNetwork,
      windowMs: hourMs,
    },
    { counted: 'codes of address', subject: fold, max: entryCodesPerDay.address, windowMs: 24 * hourMs },
    { counted: 'codes of network', subject: network, max: ofNetwork, windowMs: hourMs },
    { counted: 'codes', subject: '', max: merchant, windowMs: hourMs },
  ]
}

/** One submission from a network. */
export function entryBudget(network: string): Budget {
  return { counted: 'entries of network', subject: network, max: entriesPerHour.network, windowMs: hourMs }
}

/**
 * Uses each of these budgets once, or refuses. Addresses and networks are stored as keyed hashes. The rows are locked
 * in one order, and a refusal takes nothing.
 */
export async function useBudgets(
  tx: Queryable,
  { merchantId, secret, now }: { merchantId: number; secret: Buffer; now: Date },
  budgets: readonly Budget[],
): Promise<void> {
  const rows = budgets
    .map((budget) => ({ ...budget, hash: hashOf(secret, budget), endsAt: endOf(budget, now) }))
    .toSorted((one, other) => (one.counted < other.counted ? -1 : 1))
  const used = await tx.query(use, [
    merchantId,
    rows.map(({ counted }) => counted),
    rows.map(({ hash }) => hash),
    rows.map(({ endsAt }) => endsAt),
  ])
  const over = rows.find(({ counted, max }) => (used.find((row) => row.counted === counted)?.used ?? 0) > max)
  if (over !== undefined) throw tooMany(over.endsAt, now)
}

/** How often something was done in this hour. */
export async function readUsed(
  db: Queryable,
  { merchantId, secret, now }: { merchantId: number; secret: Buffer; now: Date },
  budget: Budget,
): Promise<number> {
  const [found] = await db.query(read, [
    merchantId,
    budget.counted,
    hashOf(secret, budget),
    endOf(budget, now),
  ])
  return found?.used ?? 0
}

export async function deleteEndedBudgets(db: Queryable, now: Date): Promise<void> {
  await db.query(deleteEnded, [now])
}

export function tooMany(until: Date, now: Date): Refusal {
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))
  return new Refusal('entry_limit_reached', { headers: { 'Retry-After': String(seconds) } })
}

function hashOf(secret: Buffer, { counted, subject }: Budget): Buffer {
  return createHmac('sha256', secret).update(`${counted}\0${subject}`).digest()
}

function endOf({ windowMs }: Budget, now: Date): Date {
  return new Date((Math.floor(now.getTime() / windowMs) + 1) * windowMs)
}

const use = statement<{ counted: string; used: number }>(`
insert into entry_budgets (merchant_id, counted, subject, ends_at, used)
select $1::int, counted, subject, ends_at, 1
from unnest($2::text[], $3::bytea[], $4::timestamptz[]) as given (counted, subject, ends_at)
order by counted
on conflict (merchant_id, counted, subject, ends_at) do update
set used = entry_budgets.used + 1
returning counted, used`)

const read = statement<{ used: number }>(`
select used
from entry_budgets
where merchant_id = $1
and counted = $2
and subject = $3
and ends_at = $4`)

const deleteEnded = statement(`
delete from entry_budgets
where ends_at < $1`)
