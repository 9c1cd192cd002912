import { randomUUIDv7 } from 'node:crypto'
import { type Queryable, statement } from '../db/database.ts'
import { shardIndexOf, shardValues } from '../players/shard.ts'
import { merchantTime } from '../test-clock.ts'
import { type MailKind, marketingKinds, prizeKinds, staffKinds } from './mail-kinds.ts'

/**
 *   planned ──► sending ──► sent | refused | unknown
 *      ▲ └─────────┼──────► dropped
 *      └───────────┘ a temporary refusal; or unknown, for a kind that is sent once more
 *
 * `sending` is committed before the connection is used, `sent` after the reply to the final dot. A process that dies in
 * between leaves a mail of which nobody knows whether it arrived.
 */
export type MailState = 'planned' | 'sending' | 'sent' | 'refused' | 'unknown' | 'dropped'

export type NewMail = {
  shard: number
  merchantId: number
  campaignId: number
  /** 0 for mail to staff. */
  playerNo: number
  kind: MailKind
  /** The event and its recipient. */
  cause: string
  plannedAt: Date
  dueAt: Date
  expiresAt: Date
  data: object
}

export type DueMail = Omit<NewMail, 'dueAt'> & {
  mailId: string
  state: 'planned' | 'sending'
  tries: number
  unknowns: number
}

/** Where a mail is: links and reports of bounces name it by its id alone, which begins with its time. */
function newMailId(shard: number): string {
  const id = Buffer.from(randomUUIDv7().replaceAll('-', ''), 'hex')
  id[15] = ((id[15] as number) & 0xc0) | shardIndexOf(shard)
  const hex = id.toString('hex')
  return [0, 8, 12, 16, 20].map((from, at) => hex.slice(from, [8, 12, 16, 20, 32][at])).join('-')
}

export function shardOfMail(mailId: string): number {
  return shardValues[Number.parseInt(mailId.slice(-2), 16) & 63] as number
}

/** A mail that was planned before is left as it is. */
export async function insertMails(tx: Queryable, mails: readonly NewMail[]): Promise<void> {
  if (mails.length === 0) return
  await tx.query(insert, [
    mails.map(({ shard }) => shard),
    mails.map(({ shard }) => newMailId(shard)),
    mails.map(({ plannedAt }) => plannedAt),
    mails.map(({ expiresAt }) => expiresAt),
    mails.map(({ dueAt }) => dueAt),
    mails.map(({ playerNo }) => playerNo),
    mails.map(({ merchantId }) => merchantId),
    mails.map(({ campaignId }) => campaignId),
    mails.map(({ kind }) => kind),
    mails.map(({ cause }) => cause),
    mails.map(({ data }) => JSON.stringify(data)),
  ])
}

/** Merchants with mail that is due, by their own clocks: those that may send to staff, about prizes, and marketing. */
export async function listMerchantsDue(
  db: Queryable,
  { staff, prizes, marketing }: Record<'staff' | 'prizes' | 'marketing', readonly number[]>,
  now: Date,
): Promise<number[]> {
  if (staff.length === 0) return []
  const found = [
    ...(await db.query(dueToStaff.merchants, [staff, now])),
    ...(await db.query(duePrizes.merchants, [prizes, now])),
    ...(await db.query(dueMarketing.merchants, [marketing, now])),
  ]
  return [...new Set(found.map(({ merchantId }) => merchantId))]
}

/**
 * Staff and prizes come first, then the oldest. `players`: how many may be to players; `marketing`: how many of those
 * may be marketing.
 */
export async function readDueMails(
  db: Queryable,
  order: { merchantId: number; now: Date; limit: number; players: number; marketing: number },
): Promise<DueMail[]> {
  const { merchantId, now, limit } = order
  const staff = await db.query(dueToStaff.mails, [merchantId, now, limit])
  const players = Math.min(limit - staff.length, order.players)
  const prizes = players <= 0 ? [] : await db.query(duePrizes.mails, [merchantId, now, players])
  const rest = Math.min(players - prizes.length, order.marketing)
  const marketing = rest <= 0 ? [] : await db.query(dueMarketing.mails, [merchantId, now, rest])
  return [...staff, ...prizes, ...marketing]
}

/** With what a link in it must name, for a request without any other proof. */
export async function readMail(db: Queryable, mailId: string): Promise<DueMail | undefined> {
  const [found] = await db.query(readOne, [shardOfMail(mailId), mailId])
  return found
}

type MailKey = Pick<DueMail, 'shard' | 'mailId'>

/** False if another process took it. Until `until`, nobody calls it unknown. */
export async function beginSending(
  db: Queryable,
  { shard, mailId }: MailKey,
  until: Date,
  remember: object = {},
): Promise<boolean> {
  return (await db.query(begin, [shard, mailId, until, JSON.stringify(remember)])).length === 1
}

export async function renewSending(db: Queryable, { shard, mailId }: MailKey, until: Date): Promise<void> {
  await db.query(renew, [shard, mailId, until])
}

export type Settlement = {
  state: MailState
  /** For `planned`. */
  dueAt: Date | null
  settledAt: Date | null
  tries: number
  unknowns: number
  reason: string | null
  reply: string | null
}

/** False, and nothing is changed, if it is in another state by now. */
export async function settleMail(
  tx: Queryable,
  { shard, mailId, state }: MailKey & { state: string },
  to: Settlement,
): Promise<boolean> {
  const { dueAt, settledAt, tries, unknowns, reason, reply } = to
  const columns = [to.state, dueAt, settledAt, tries, unknowns, reason, reply]
  return (await tx.query(settle, [shard, mailId, state, ...columns])).length === 1
}

/** The days on which a player's mailbox answered like this, newest first. */
export async function listRefusals(
  db: Queryable,
  { shard, playerNo, reason, since }: { shard: number; playerNo: number; reason: string; since: Date },
): Promise<Date[]> {
  return (await db.query(refusals, [shard, playerNo, reason, since])).map(({ settledAt }) => settledAt)
}

/** A player is erased. What is being sent at this moment can't be called back. */
export async function dropWaitingMails(
  tx: Queryable,
  { shard, playerNo }: { shard: number; playerNo: number },
  now: Date,
): Promise<void> {
  await tx.query(dropWaiting, [shard, playerNo, now])
}

/** Those that were planned, or dropped, before a time. */
export async function deleteOldMails(
  db: Queryable,
  { plannedBefore, droppedBefore }: { plannedBefore: Date; droppedBefore: Date },
): Promise<void> {
  for (const shard of shardValues) {
    await db.query(removeOld, [shard, plannedBefore])
    await db.query(removeDropped, [shard, droppedBefore])
  }
}

const insert = statement(
  `
insert into mails (
  shard, mail_id, planned_at, expires_at, due_at, player_no, merchant_id, campaign_id, kind, cause, data, state
)
select *, 'planned'
from unnest(
  $1::int[], $2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::bigint[], $7::int[], $8::int[],
  $9::text[], $10::text[], $11::jsonb[]
)
on conflict (merchant_id, kind, cause, shard) do nothing`,
  [1, 11],
)

const dueColumns = `
  mail_id as "mailId",
  shard,
  merchant_id as "merchantId",
  campaign_id as "campaignId",
  player_no as "playerNo",
  kind,
  cause,
  state,
  planned_at as "plannedAt",
  expires_at as "expiresAt",
  tries,
  unknowns,
  data`

/** The kinds are part of the text, as in the conditions of the indexes. */
function dueOf(kinds: readonly MailKind[]) {
  const isOne = `kind in (${kinds.map((kind) => `'${kind}'`).join(', ')})`
  return {
    merchants: statement<{ merchantId: number }>(`
select mails.merchant_id as "merchantId"
from mails
join merchants on merchants.merchant_id = mails.merchant_id
where merchants.merchant_id = any($1::int[])
and due_at <= ${merchantTime('$2')}
and ${isOne}
group by 1`),
    mails: statement<DueMail>(`
select ${dueColumns}
from mails
where merchant_id = $1
and due_at <= $2
and ${isOne}
order by due_at
limit $3`),
  }
}

const dueToStaff = dueOf(staffKinds)
const duePrizes = dueOf(prizeKinds)
const dueMarketing = dueOf(marketingKinds)

const readOne = statement<DueMail>(`
select ${dueColumns}
from mails
where shard = $1
and mail_id = $2`)

const begin = statement<{ mailId: string }>(`
update mails
set state = 'sending', due_at = $3, data = data || $4::jsonb
where shard = $1
and mail_id = $2
and state = 'planned'
returning mail_id as "mailId"`)

const renew = statement(`
update mails
set due_at = $3
where shard = $1
and mail_id = $2
and state = 'sending'`)

const settle = statement<{ mailId: string }>(`
update mails
set
  state = $4,
  due_at = $5,
  settled_at = $6,
  tries = $7,
  unknowns = $8,
  reason = $9,
  reply = $10
where shard = $1
and mail_id = $2
and state = $3
returning mail_id as "mailId"`)

const refusals = statement<{ settledAt: Date }>(`
select settled_at as "settledAt"
from mails
where shard = $1
and player_no = $2
and settled_at >= $4
and state = 'refused'
and reason = $3
order by settled_at desc`)

const dropWaiting = statement(`
update mails
set state = 'dropped', due_at = null, settled_at = $3, reason = 'player_erased'
where shard = $1
and player_no = $2
and state = 'planned'`)

const removeOld = statement(`
delete from mails
where shard = $1
and planned_at < $2
and due_at is null`)

const removeDropped = statement(`
delete from mails
where shard = $1
and settled_at < $2
and state = 'dropped'`)
