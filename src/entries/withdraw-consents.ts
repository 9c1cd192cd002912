import { type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { campaignOf } from '../campaign-ref.ts'
import { type Database, type Queryable, untilDone } from '../db/database.ts'
import { insertEvents, type NewEvent } from '../events/event-pages.ts'
import { lockPlayers } from '../players/ledger.ts'
import { findPlayer, type Player } from '../players/players.ts'
import { shardOf } from '../players/shard.ts'
import { listConsents, type VisitorConsent, withdrawGiven } from './consents.ts'
import { findEntryIds } from './visitor-entries.ts'

type Withdrawal = {
  merchantId: number
  playerId: string
  /** Undefined: in all campaigns. */
  campaignId: number | undefined
  /** Undefined: to everything. */
  field: string | undefined
  /** Only consents for this; undefined for any. */
  purpose?: 'marketing'
}

/** Withdraws consents of a visitor. Returns all that the visitor ever gave; undefined if there is no such player. */
export async function withdrawConsents(
  db: Database,
  order: Withdrawal,
  cause: Cause,
): Promise<VisitorConsent[] | undefined> {
  return untilDone(() => db.transaction((tx) => withdrawInTransaction(tx, order, cause)))
}

async function withdrawInTransaction(
  tx: Queryable,
  order: Withdrawal,
  cause: Cause,
): Promise<VisitorConsent[] | undefined> {
  const { merchantId, playerId, campaignId, field, purpose } = order
  await lockPlayers(tx, [{ merchantId, playerId, shard: shardOf(order) }])
  const player = await findPlayer(tx, order, cause.now)
  if (player === undefined) return undefined
  const withdrawn = await withdrawGiven(tx, player, { campaignId, field, purpose, now: cause.now })
  const consents = await listConsents(tx, player)
  if (withdrawn.length === 0) return consents
  const subject = { kind: 'player' as const, shard: player.shard, playerNo: player.playerNo }
  const change = { merchantId, action: 'consent.withdraw', subject, after: { campaignId, field, purpose } }
  await recordChanges(tx, [change], cause)
  const entries = await findEntryIds(tx, player)
  const events = entries.flatMap(({ entryId, campaign, ...entry }): NewEvent<'consent.withdrawn'>[] => {
    const own = withdrawn.filter((one) => one.campaignId === entry.campaignId)
    return own.length === 0 ? [] : [eventOf({ ...player, merchantId }, { entryId, campaign, own }, cause.now)]
  })
  await insertEvents(tx, events)
  return consents
}

type EntryWithdrawn = {
  entryId: string
  campaign: string
  own: readonly { field: string; purpose: 'marketing' | 'other' }[]
}

function eventOf(
  { merchantId, shard, playerId }: Player & { merchantId: number },
  { entryId, campaign, own }: EntryWithdrawn,
  now: Date,
): NewEvent<'consent.withdrawn'> {
  const consents = own.map(({ field, purpose }) => ({ field, purpose }))
  const data = { playerId, entryId, consents, ...campaignOf({ slug: campaign }) }
  return { merchantId, shard, type: 'consent.withdrawn', at: now, data }
}
