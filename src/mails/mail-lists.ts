/** What became of mails to players: without their texts and addresses, which are stored nowhere. */
import { slugOf } from '../campaign-ref.ts'
import { type Queryable, statement } from '../db/database.ts'
import { rowsScannedMax } from '../limits.ts'
import type { PlayerKind } from './mail-kinds.ts'
import { type MailState, shardOfMail } from './mail-rows.ts'

export type ListedMail = {
  mailId: string
  shard: number
  merchantId: number
  campaignId: number
  campaign: string
  playerNo: number | null
  playerId: string | null
  kind: PlayerKind
  state: MailState
  plannedAt: Date
  dueAt: Date | null
  settledAt: Date | null
  tries: number
  reason: string | null
  reply: string | null
}

/** The position of a mail in a list, newest first. */
type MailPlace = Pick<ListedMail, 'plannedAt' | 'mailId'>

type MailFilter = {
  campaignId: number | null
  kind: PlayerKind | null
  state: MailState | null
  from: Date | null
  to: Date | null
}

type Page = { before: MailPlace; limit: number; filter: MailFilter }
type Stretch = { items: ListedMail[]; next: MailPlace | undefined }

/**
 * A merchant's mails before a position, newest first. It scans at most `rowsScannedMax` rows. If few of them match the
 * filter, the page has few items, or none, and the position to continue from.
 */
export async function listMails(
  db: Queryable,
  merchantId: number,
  { before, limit, filter }: Page,
): Promise<Stretch> {
  const { campaignId, kind, state, from, to } = filter
  const { page, lastScanned } = state === 'refused' || state === 'unknown' ? failedScan : wholeScan
  const end = to !== null && to <= before.plannedAt ? { plannedAt: to, mailId: idBeforeAll } : before
  const place = [merchantId, end.plannedAt, end.mailId, from ?? new Date(0)]
  const items = await db.query(page, [...place, rowsScannedMax, limit, campaignId, kind, state])
  if (items.length === limit) return { items, next: items.at(-1) }
  const [last] = await db.query(lastScanned, [...place, rowsScannedMax - 1])
  return { items, next: last }
}

/** The same of one player, who has few. */
export async function listMailsOfOne(
  db: Queryable,
  player: { shard: number; playerNo: number },
  { before, limit, filter }: Page,
): Promise<Stretch> {
  const { campaignId, kind, state, from, to } = filter
  const items = (await listMailsOfPlayer(db, player))
    .filter(
      (mail) =>
        isBefore(mail, before) &&
        (campaignId === null || mail.campaignId === campaignId) &&
        (kind === null || mail.kind === kind) &&
        (state === null || mail.state === state) &&
        (from === null || mail.plannedAt >= from) &&
        (to === null || mail.plannedAt < to),
    )
    .slice(0, limit)
  return { items, next: items.length === limit ? items.at(-1) : undefined }
}

function isBefore(mail: MailPlace, { plannedAt, mailId }: MailPlace): boolean {
  const apart = mail.plannedAt.getTime() - plannedAt.getTime()
  return apart < 0 || (apart === 0 && mail.mailId < mailId)
}

export async function findMail(db: Queryable, mailId: string): Promise<ListedMail | undefined> {
  const [found] = await db.query(find, [shardOfMail(mailId), mailId])
  return found
}

/** The mails of one player, newest first. */
export async function listMailsOfPlayer(
  db: Queryable,
  { shard, playerNo }: { shard: number; playerNo: number },
): Promise<ListedMail[]> {
  return db.query(listOfPlayer, [shard, playerNo])
}

const idBeforeAll = '00000000-0000-0000-0000-000000000000'

const listed = (source: string, join = 'left join') => `
select
  mail_id as "mailId",
  mails.shard,
  mails.merchant_id as "merchantId",
  mails.campaign_id as "campaignId",
  ${slugOf('mails.campaign_id')} as campaign,
  mails.player_no as "playerNo",
  player_id as "playerId",
  kind,
  state,
  planned_at as "plannedAt",
  due_at as "dueAt",
  settled_at as "settledAt",
  tries,
  reason,
  reply
from ${source} as mails
${join} players
  on players.shard = mails.shard
  and players.player_no = mails.player_no`

/** `filter` is part of the text, as in the condition of an index. */
function scanOf(filter: string) {
  const source = `
from mails
where merchant_id = $1
and player_no > 0
and planned_at <= $2
and (planned_at, mail_id) < ($2::timestamptz, $3::uuid)
and planned_at >= $4${filter}
order by planned_at desc, mail_id desc`
  return {
    // A cluster can't keep rows without a player here, and every mail that is left has one.
    page: statement<ListedMail>(`${listed(`(select * ${source} limit $5)`, 'join')}
where ($7::int is null or mails.campaign_id = $7)
and ($8::text is null or kind = $8)
and ($9::text is null or state = $9)
order by planned_at desc, mail_id desc
limit $6`),
    lastScanned: statement<MailPlace>(`
select planned_at as "plannedAt", mail_id as "mailId"
${source}
offset $5
limit 1`),
  }
}

const wholeScan = scanOf('')
const failedScan = scanOf(`
and state in ('refused', 'unknown')`)

const find = statement<ListedMail>(`${listed('mails')}
where mails.shard = $1
and mail_id = $2`)

const listOfPlayer = statement<ListedMail>(`${listed('mails')}
where mails.shard = $1
and mails.player_no = $2
order by planned_at desc, mail_id desc`)
