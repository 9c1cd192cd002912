import { randomUUIDv7 } from 'node:crypto'
import { actorText, type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { type CampaignRef, refusalOfNewLink } from '../campaign-ref.ts'
import { readCampaignRef } from '../campaigns/campaigns.ts'
import { type Database, untilDone } from '../db/database.ts'
import type { PageAddresses } from '../events/event-pages.ts'
import { linkListsMax, listedLinksAtOnce } from '../link-list-limits.ts'
import type { Merchant } from '../merchants/merchants.ts'
import { Refusal, type RefusalCode } from '../refusals.ts'
import { timeOf } from '../test-clock.ts'
import { createInTransaction } from './create-links.ts'
import {
  findUnmadeShard,
  finishLinkList,
  insertLinkList,
  insertListedPlayers,
  type LinkList,
  type ListedPlayer,
  lockUnmade,
  readLinkLists,
  readUnfinishedList,
  recordVerdicts,
} from './link-lists.ts'

/** A request for a list. `listId` makes it safe to repeat. */
type ListOrder = {
  merchant: Merchant
  listId: string
  campaign: CampaignRef | '*'
  language: string | undefined
  lifetimeSeconds: number
  playerIds: readonly string[]
}

/** Stores who gets a link. `makeNextLinks` makes them. A repeat of the request gets the list as it is. */
export async function createLinkList(db: Database, order: ListOrder, cause: Cause): Promise<LinkList> {
  const { merchant, listId, campaign, language = null } = order
  const { merchantId } = merchant
  const { now } = cause
  const refusal = campaign === '*' ? undefined : refusalOfNewLink(campaign, now)
  if (refusal !== undefined) throw new Refusal(refusal)
  const players = [...new Set(order.playerIds)].map((playerId) => ({ playerId, linkId: randomUUIDv7() }))
  const list = {
    merchantId,
    listId,
    campaign: campaign === '*' ? '*' : campaign.slug,
    language,
    createdAt: now,
    expiresAt: new Date(now.getTime() + order.lifetimeSeconds * 1000),
    createdBy: actorText(cause.actor),
    players: players.length,
  }
  return untilDone(() =>
    db.transaction(async (tx) => {
      const lists = await readLinkLists(tx, { merchantId }, now)
      const before = lists.find((one) => one.listId === listId)
      if (before !== undefined) return before
      if (lists.length >= linkListsMax) throw new Refusal('link_list_limit_reached')
      if (!(await insertLinkList(tx, list))) {
        // Another request has made it in the meantime; or a list with this id has ended.
        const [made] = await readLinkLists(tx, { merchantId, listId }, now)
        if (made === undefined) throw new Refusal('link_list_not_found')
        return made
      }
      await insertListedPlayers(tx, list, players)
      const { campaign: slug, expiresAt } = list
      const after = { campaign: slug, expiresAt: expiresAt.toISOString(), players: players.length }
      const subject = { kind: 'link_list', id: listId }
      await recordChanges(tx, [{ merchantId, action: 'link_list.create', subject, after }], cause)
      return { ...list, finishedAt: null, made: 0, refused: 0 }
    }),
  )
}

type Unfinished = NonNullable<Awaited<ReturnType<typeof readUnfinishedList>>>

/**
 * Makes some links of one list, as single links are made: with their events, for new players too, and refused
 * by the same rules. A link and its row are written together, so that a crash neither loses nor repeats one.
 */
export async function makeNextLinks(db: Database, realTime: Date): Promise<'more' | 'done'> {
  const list = await readUnfinishedList(db)
  if (list === undefined) return 'done'
  const now = timeOf(list, realTime)
  const shard = await findUnmadeShard(db, list)
  if (shard === undefined) {
    await finishLinkList(db, list, now)
    return 'more'
  }
  const refusal = await refusalOf(db, list, now)
  const addresses: PageAddresses = new Map()
  const count = await untilDone(() =>
    db.transaction(async (tx) => {
      const players = await lockUnmade(tx, { ...list, shard, limit: listedLinksAtOnce })
      if (players.length === 0) return 0
      const place = { ...list, shard }
      if (refusal !== undefined) {
        const refused = players.map(() => ({ outcome: 'refused' as const, code: refusal }))
        await recordVerdicts(tx, place, players, refused)
        return players.length
      }
      await createInTransaction(
        tx,
        players.map((player) => orderOf(place, player)),
        {
          now,
          known: undefined,
          addresses,
          keep: (verdicts) => recordVerdicts(tx, place, players, verdicts),
        },
      )
      return players.length
    }),
  )
  // Another process has the others.
  return count > 0 ? 'more' : 'done'
}

async function refusalOf(db: Database, list: Unfinished, now: Date): Promise<RefusalCode | undefined> {
  if (list.isSuspended) return 'merchant_suspended'
  if (list.expiresAt <= now) return 'game_token_expired'
  if (list.campaign === '*') return undefined
  const campaign = await readCampaignRef(db, list.merchantId, list.campaign)
  return campaign === undefined ? 'campaign_not_found' : refusalOfNewLink(campaign, now)
}

function orderOf(list: Unfinished & { shard: number }, { playerId, linkId }: ListedPlayer) {
  const { merchantId, shard, campaign, expiresAt, createdBy: by, clockAheadMs } = list
  return { merchantId, shard, playerId, linkId, expiresAt, campaign, by, clockAheadMs, initial: undefined }
}
