import { createHmac } from 'node:crypto'
import { type Queryable, statement } from '../db/database.ts'
import { bytesArray } from '../db/parameters.ts'
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

/** What one visitor does: it uses each of these budgets once, or none. */
type BudgetUse = { merchantId: number; budgets: readonly Budget[] }

/** How often each budget was used before, in the order given; and the refusal, if one of them is used up. */
type UsedBudgets = { before: number[]; refusal: Refusal | undefined }

/**
 * Uses the budgets of several visitors, in the order given. Addresses and networks are stored as keyed hashes. Rows are
 * locked in one order. Those of refused visitors are used as well, so their transaction must not be committed.
 */
export async function useBudgets(
  tx: Queryable,
  { secret, now }: { secret: Buffer; now: Date },
  uses: readonly BudgetUse[],
): Promise<UsedBudgets[]> {
  const wanted = uses.map(({ merchantId, budgets }) =>
    budgets.map((budget) => rowOf(budget, { merchantId, secret, now })),
  )
  const rows = new Map<string, BudgetRow & { times: number }>()
  for (const row of wanted.flat()) {
    const same = rows.get(row.name)
    if (same === undefined) rows.set(row.name, { ...row, times: 1 })
    else same.times++
  }
  const given = [...rows.values()]
  const used = await tx.query(use, [
    given.map(({ merchantId }) => merchantId),
    given.map(({ counted }) => counted),
    bytesArray(given.map(({ hash }) => hash)),
    given.map(({ endsAt }) => endsAt),
    given.map(({ times }) => times),
  ])
  const before = new Map(used.map((row) => [nameOf(row), row.used - (rows.get(nameOf(row))?.times ?? 0)]))
  return wanted.map((own) => takeEach(own, before, now))
}

/** Takes one visitor's share of the budgets, which are counted in memory. */
function takeEach(own: readonly BudgetRow[], used: Map<string, number>, now: Date): UsedBudgets {
  const before = own.map(({ name }) => used.get(name) ?? 0)
  const ends = own.filter(({ max }, index) => (before[index] as number) >= max).map(({ endsAt }) => +endsAt)
  if (ends.length > 0) return { before, refusal: tooMany(new Date(Math.max(...ends)), now) }
  for (const { name } of own) used.set(name, (used.get(name) ?? 0) + 1)
  return { before, refusal: undefined }
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

type BudgetRow = Budget & { merchantId: number; hash: string; endsAt: Date; name: string }

function rowOf(
  budget: Budget,
  { merchantId, secret, now }: { merchantId: number; secret: Buffer; now: Date },
): BudgetRow {
  const row = { ...budget, merchantId, hash: hashOf(secret, budget).toString('hex') }
  return { ...row, endsAt: endOf(budget, now), name: nameOf(row) }
}

/** Names a row. All uses are at one time, so each budget has one end. */
function nameOf({
  merchantId,
  counted,
  hash,
}: {
  merchantId: number
  counted: string
  hash: string
}): string {
  return `${merchantId} ${counted} ${hash}`
}

function hashOf(secret: Buffer, { counted, subject }: Budget): Buffer {
  return createHmac('sha256', secret).update(`${counted}\0${subject}`).digest()
}

function endOf({ windowMs }: Budget, now: Date): Date {
  return new Date((Math.floor(now.getTime() / windowMs) + 1) * windowMs)
}

const use = statement<{ merchantId: number; counted: string; hash: string; used: number }>(`
insert into entry_budgets (merchant_id, counted, subject, ends_at, used)
select *
from unnest($1::int[], $2::text[], $3::bytea[], $4::timestamptz[], $5::int[])
  as given (merchant_id, counted, subject, ends_at, times)
order by merchant_id, counted, subject
on conflict (merchant_id, counted, subject, ends_at) do update
set used = entry_budgets.used + excluded.used
returning merchant_id as "merchantId", counted, encode(subject, 'hex') as hash, used`)

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
