import type { Context } from '../../../context.ts'
import { untilDone } from '../../../db/database.ts'
import { exportPageSize } from '../../../limits.ts'
import { type AuditFilter, type AuditPage, readAuditLog } from '../../../audit-log/audit-log.ts'
import { type ListedPlayer, readEntriesAfter, readPlayersOfShard } from '../../../players/player-lists.ts'
import type { Player } from '../../../players/players.ts'
import { shardValues } from '../../../players/shard.ts'
import {
  type ListedPlay,
  listPlaysOfPlayer,
  type PlayPosition,
  readPlaysSince,
} from '../../../plays/play-lists.ts'
import { type ListedPrize, listPrizesOfPlayer, readPrizesSince } from '../../../prizes/prize-lists.ts'
import { listCodes, type PoolKey } from '../../../stock/code-pools.ts'
import { shownAuditEntry } from '../../answers/audit-log.ts'
import { shownPlay } from '../../answers/plays.ts'
import { shownEntry } from '../../answers/players.ts'
import { shownPrize } from '../../answers/prizes.ts'

/**
 * Everything of a kind that a merchant has, page by page. No snapshot and no connection is held for a slow reader:
 * each page is a query of its own, from where the last one ended.
 */

type Owner = { merchantId: number }
/** All plays of a merchant, or those of one of its players. */
type Whose = Owner & { player: Player | undefined }

export async function* playersOf(
  ctx: Context,
  { merchantId, shown }: Owner & { shown: (page: ListedPlayer[]) => Promise<object[]> },
): AsyncGenerator<object> {
  for await (const players of playerPages(ctx, merchantId)) yield* await shown(players)
}

async function* playerPages(ctx: Context, merchantId: number): AsyncGenerator<ListedPlayer[]> {
  for (const shard of shardValues) {
    for (let after = ''; ;) {
      const page = { after, limit: exportPageSize, now: ctx.now() }
      const players = await untilDone(() => readPlayersOfShard(ctx.db, { merchantId, shard }, page))
      if (players.length > 0) yield players
      if (players.length < exportPageSize) break
      after = players.at(-1)?.playerId ?? after
    }
  }
}

/** The ledger has no index by merchant, and needs none: its players lead to it. */
export async function* entriesOf(
  ctx: Context,
  {
    merchantId,
    player: only,
    campaignId,
    from,
    to,
  }: Whose & { campaignId: number | null; from: Date; to: Date },
): AsyncGenerator<object> {
  for await (const players of only === undefined ? playerPages(ctx, merchantId) : [[only]]) {
    const names = new Map(players.map((player) => [player.playerNo, player.playerId]))
    let open = players.map((player) => ({ ...player, after: 0 }))
    while (open.length > 0) {
      // As many players at once as fit into a page, and then on with those who have more.
      const some = open.splice(0, playersAtOnce)
      const entries = await untilDone(() => readEntriesAfter(ctx.db, some, entriesAtOnce))
      for (const entry of entries)
        if (entry.createdAt >= from && entry.createdAt < to && isOf(entry, campaignId))
          yield { playerId: names.get(entry.playerNo), ...shownEntry(entry) }
      const byPlayer = Map.groupBy(entries, (entry) => entry.playerNo)
      const unfinished = some.filter((player) => byPlayer.get(player.playerNo)?.length === entriesAtOnce)
      open = [
        ...unfinished.map((player) => ({
          ...player,
          after: byPlayer.get(player.playerNo)?.at(-1)?.entryNo ?? 0,
        })),
        ...open,
      ]
    }
  }
}

/** Whether an entry belongs to the campaign of a filter. */
function isOf(entry: { campaignId: number }, campaignId: number | null): boolean {
  return campaignId === null || entry.campaignId === campaignId
}

const entriesAtOnce = 100
const playersAtOnce = 20

/** Oldest first; the plays of one player newest first. */
export async function* playsOf(
  ctx: Context,
  whose: Whose & { from: Date; to: Date; isWanted: (play: ListedPlay) => boolean },
): AsyncGenerator<object> {
  for await (const plays of whose.player === undefined ? playPages(ctx, whose) : ownPlays(ctx, whose.player))
    for (const play of plays.filter(whose.isWanted)) yield await shownPlay(ctx, play)
}

async function* playPages(
  ctx: Context,
  { merchantId, from, to }: Owner & { from: Date; to: Date },
): AsyncGenerator<ListedPlay[]> {
  for (let after = firstPosition(from); ;) {
    const page = { after, to, limit: exportPageSize }
    const plays = await untilDone(() => readPlaysSince(ctx.db, merchantId, page))
    yield plays
    const last = plays.at(-1)
    if (last === undefined || plays.length < exportPageSize) return
    after = last
  }
}

export async function* ownPlays(ctx: Context, player: Player): AsyncGenerator<ListedPlay[]> {
  for (let before = playNoMax; ;) {
    const page = { before, limit: exportPageSize }
    const plays = await untilDone(() => listPlaysOfPlayer(ctx.db, player, page))
    yield plays
    if (plays.length < exportPageSize) return
    before = plays.at(-1)?.playNo ?? 0
  }
}

/** Oldest first; the prizes of one player newest first. */
export async function* prizesOf(
  ctx: Context,
  whose: Whose & { from: Date; to: Date; isWanted: (prize: ListedPrize) => boolean },
): AsyncGenerator<object> {
  const { player, isWanted } = whose
  for await (const prizes of player === undefined ? prizePages(ctx, whose) : ownPrizes(ctx, player))
    yield* prizes.filter(isWanted).map(shownPrize)
}

async function* prizePages(
  ctx: Context,
  { merchantId, from, to }: Owner & { from: Date; to: Date },
): AsyncGenerator<ListedPrize[]> {
  let after: PlayPosition = firstPosition(from)
  for (;;) {
    const page = { after, to, limit: exportPageSize, now: ctx.now() }
    const prizes = await untilDone(() => readPrizesSince(ctx.db, merchantId, page))
    yield prizes.items
    if (prizes.next === undefined) return
    after = prizes.next
  }
}

export async function* ownPrizes(ctx: Context, player: Player): AsyncGenerator<ListedPrize[]> {
  for (let before = playNoMax; ;) {
    const page = { before, limit: exportPageSize, now: ctx.now() }
    const prizes = await untilDone(() => listPrizesOfPlayer(ctx.db, player, page))
    yield prizes
    if (prizes.length < exportPageSize) return
    before = prizes.at(-1)?.playNo ?? 0
  }
}

const playNoMax = 2 ** 31 - 1

function firstPosition(from: Date): PlayPosition {
  return { createdAt: from, playerNo: -1, playNo: -1 }
}

export async function* auditEntriesOf(
  ctx: Context,
  { merchantId, filter }: Owner & { filter: AuditFilter },
): AsyncGenerator<object> {
  for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined;) {
    const page: Parameters<typeof readAuditLog>[2] = { before, limit: exportPageSize, filter }
    const { entries, next }: AuditPage = await untilDone(() => readAuditLog(ctx.db, merchantId, page))
    yield* entries.map(shownAuditEntry)
    before = next
  }
}

/** The codes of a pool in the order in which they are given out. */
export async function* codesOf(ctx: Context, key: PoolKey & { taken: number }): AsyncGenerator<object> {
  for (let after = 0; ;) {
    const page = { after, limit: exportPageSize }
    const codes = await untilDone(() => listCodes(ctx.db, key, page))
    for (const { position, code } of codes)
      yield { pool: key.pool, position, code, isGiven: position <= key.taken }
    if (codes.length < exportPageSize) return
    after = codes.at(-1)?.position ?? after
  }
}
