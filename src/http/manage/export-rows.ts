import type { Context } from '../../context.ts'
import { untilDone } from '../../db/database.ts'
import { exportPageSize } from '../../limits.ts'
import { type AuditPage, readAuditLog } from '../../audit-log/audit-log.ts'
import { type ListedPlayer, readEntriesAfter, readPlayersOfShard } from '../../players/player-lists.ts'
import { shardValues } from '../../players/shard.ts'
import { type PlayPlace, readPlaysSince } from '../../plays/play-lists.ts'
import { readPrizesSince } from '../../prizes/prize-lists.ts'
import { shownAuditEntry } from '../answers/audit-log.ts'
import { shownPlay } from '../answers/plays.ts'
import { shownEntry, shownPlayer } from '../answers/players.ts'
import { shownPrize } from '../answers/prizes.ts'

/**
 * Everything of a kind that a merchant has, page by page. No snapshot and no connection is held while a slow reader makes up
 * its mind: each page is a query of its own, from where the last one ended.
 */

export type ExportRange = { merchantId: number; from: Date; to: Date }

export async function* playersOf(ctx: Context, { merchantId }: ExportRange): AsyncGenerator<object> {
  for await (const players of playerPages(ctx, merchantId)) yield* players.map(shownPlayer)
}

async function* playerPages(ctx: Context, merchantId: number): AsyncGenerator<ListedPlayer[]> {
  for (const shard of shardValues) {
    for (let after = ''; ;) {
      const page = { after, limit: exportPageSize }
      const players = await untilDone(() => readPlayersOfShard(ctx.db, { merchantId, shard }, page))
      if (players.length > 0) yield players
      if (players.length < exportPageSize) break
      after = players.at(-1)?.playerId ?? after
    }
  }
}

/** The ledger has no index by merchant, and needs none: its players lead to it. */
export async function* entriesOf(ctx: Context, { merchantId }: ExportRange): AsyncGenerator<object> {
  for await (const players of playerPages(ctx, merchantId)) {
    const names = new Map(players.map((player) => [player.playerNo, player.playerId]))
    let open = players.map((player) => ({ ...player, after: 0 }))
    while (open.length > 0) {
      // As many players at once as fit into a page, and then on with those who have more.
      const some = open.splice(0, playersAtOnce)
      const entries = await untilDone(() => readEntriesAfter(ctx.db, some, entriesAtOnce))
      for (const entry of entries) yield { playerId: names.get(entry.playerNo), ...shownEntry(entry) }
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

const entriesAtOnce = 100
const playersAtOnce = 20

export async function* playsOf(ctx: Context, { merchantId, from, to }: ExportRange): AsyncGenerator<object> {
  for (let after = firstPlace(from); ;) {
    const page = { after, to, limit: exportPageSize }
    const plays = await untilDone(() => readPlaysSince(ctx.db, merchantId, page))
    for (const play of plays) yield await shownPlay(ctx, play)
    const last = plays.at(-1)
    if (last === undefined || plays.length < exportPageSize) return
    after = last
  }
}

export async function* prizesOf(ctx: Context, { merchantId, from, to }: ExportRange): AsyncGenerator<object> {
  let after: PlayPlace = firstPlace(from)
  for (;;) {
    const page = { after, to, limit: exportPageSize, now: ctx.now() }
    const prizes = await untilDone(() => readPrizesSince(ctx.db, merchantId, page))
    yield* prizes.items.map(shownPrize)
    if (prizes.next === undefined) return
    after = prizes.next
  }
}

function firstPlace(from: Date): PlayPlace {
  return { createdAt: from, playerNo: -1, playNo: -1 }
}

export async function* auditEntriesOf(ctx: Context, { merchantId }: ExportRange): AsyncGenerator<object> {
  for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined;) {
    const page: { before: number; limit: number } = { before, limit: exportPageSize }
    const { entries, next }: AuditPage = await untilDone(() => readAuditLog(ctx.db, merchantId, page))
    yield* entries.map(shownAuditEntry)
    before = next
  }
}
