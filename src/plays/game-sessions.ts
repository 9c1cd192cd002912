import type { Context } from '../context.ts'
import { type GameClaims, signGameToken } from '../crypto/game-token.ts'
import { untilDone } from '../db/database.ts'
import type { NewEvent } from '../events/event-pages.ts'
import { winsShownMax } from '../limits.ts'
import { type DescribedPlay, describePlay } from './describe-play.ts'
import { stockEventOf } from './play-events.ts'
import { type PlayRow, readLastPlay, readWins } from './plays.ts'
import { commitment } from './seeds.ts'
import { unavailablePrizes } from './unavailable-prizes.ts'
import { shardOf } from '../players/shard.ts'
import { Refusal, type RefusalCode } from '../refusals.ts'
import type { Trace } from '../tracing/trace.ts'
import { openingAt, openUntil } from '../wheels/schedule.ts'
import { makeFramePass } from '../links/embed-origins.ts'
import { readClaims, type Visitor } from '../links/game-links.ts'

/**
 * Opens a link: everything that the page needs to show the game, and a token to play with. Changes nothing, but writes an
 * event, unless a page that is already open asks again; it shows that by the session that it has. A page that repeats its
 * first request because the answer was lost has opened twice.
 */
export async function openSession(ctx: Context, { claims, player }: Visitor, earlierSession?: string) {
  const now = ctx.now()
  const isOpenAlready = await isSessionOf(ctx, claims, earlierSession)
  const { merchantId } = claims
  const wheel = await ctx.wheels.current(merchantId)
  const opening = openingAt(wheel.document, now)
  const [[last, wins, unavailable]] = await Promise.all([
    untilDone(() =>
      Promise.all([
        readLastPlay(ctx.db, player),
        readWins(ctx.db, player, winsShownMax),
        unavailablePrizes(ctx.db, wheel, { ...player, merchantId }, now),
      ]),
    ),
    isOpenAlready ? undefined : ctx.events.writer.submit(linkOpened(claims, now)),
  ])
  ctx.playMemory.rememberPlayer(claims, player)
  ctx.openedVisits.add({ merchantId, wheelId: wheel.wheelId, ...player, at: now })
  return {
    // The same claims as the link's: what revokes or ends the link ends the session too.
    session: signGameToken(claims, await ctx.linkKeys.newest(), 'session'),
    playerId: player.playerId,
    spinCount: player.balance,
    expiresAt: claims.expiresAt.toISOString(),
    wheel: {
      state:
        wheel.pausedAt !== null
          ? ('paused' as const)
          : opening.isOpen
            ? ('open' as const)
            : ('closed' as const),
      opensAt: opening.opensAt?.toISOString() ?? null,
      closesAt: opening.closesAt?.toISOString() ?? null,
      openUntil: (opening.isOpen ? openUntil(wheel.document, now) : null)?.toISOString() ?? null,
      hash: wheel.sha256,
      published: wheel.published,
      unavailable: unavailable.map((prize) => ({ ...prize, until: prize.until?.toISOString() ?? null })),
    },
    next: await nextPlay(ctx, { merchantId, ...player }),
    lastPlay: last === undefined ? null : await describe(ctx, last),
    wins: await Promise.all(wins.map((win) => describe(ctx, win))),
    parentOrigins: wheel.embedOrigins,
    framePass: await makeFramePass(ctx, merchantId),
  }
}

async function isSessionOf(ctx: Context, { linkId }: GameClaims, session?: string): Promise<boolean> {
  return session !== undefined && (await readClaims(ctx, session, 'session'))?.linkId === linkId
}

function linkOpened(claims: GameClaims, at: Date): NewEvent<'link.opened'> {
  const { merchantId, playerId, linkId } = claims
  return { merchantId, shard: shardOf(claims), type: 'link.opened', at, data: { playerId, linkId } }
}

type PlayRequest = {
  playId: string
  playerSeed: string
  commitment: string
  versionHash: string
}

/** Plays once for a session. A repeat of the same id gives the same play, with the balance of now. */
export async function playOnce(ctx: Context, claims: GameClaims, request: PlayRequest, trace?: Trace) {
  const { merchantId, playerId, linkId, issuedAt } = claims
  const order = {
    merchantId,
    playerId,
    shard: shardOf(claims),
    link: { linkId, issuedAt },
    playId: request.playId,
    playerSeed: request.playerSeed,
    commitment: request.commitment,
    versionHash: request.versionHash,
    wheel: await ctx.wheels.current(merchantId),
  }
  const verdict = await ctx.plays.submit(order, trace)
  ctx.metrics.plays.inc({ outcome: verdict.outcome })
  if (verdict.outcome === 'refused') {
    await tellRefusal(ctx, claims, { playId: request.playId, code: verdict.code })
    throw new Refusal(verdict.code)
  }
  const stockEvent = verdict.outcome === 'played' ? stockEventOf(verdict.left) : undefined
  if (stockEvent !== undefined)
    ctx.metrics.stockEvents.inc({ state: stockEvent === 'prize.stock_out' ? 'out' : 'low' })
  const { player } = verdict
  return {
    play: await describe(ctx, verdict.play, verdict.ticket),
    spinCount: player.balance,
    next: await nextPlay(ctx, player),
  }
}

/**
 * The page has sent its seed, so the server could have known the outcome. The event makes such refusals countable; a
 * refusal of the link itself is none.
 */
async function tellRefusal(
  ctx: Context,
  claims: GameClaims,
  { playId, code }: { playId: string; code: RefusalCode },
): Promise<void> {
  const reason = refusalsTold.find((one) => one === code)
  if (reason === undefined) return
  const { merchantId, playerId } = claims
  const where = { merchantId, shard: shardOf(claims), at: ctx.now() }
  await ctx.events.writer.submit({ ...where, type: 'play.refused', data: { playerId, playId, reason } })
}

const refusalsTold = ['play_outdated', 'wheel_paused', 'wheel_closed', 'no_spins'] as const

async function nextPlay(ctx: Context, player: { merchantId: number; playerNo: number; playCount: number }) {
  const playNumber = player.playCount + 1
  const key = await ctx.seedKeys.newest()
  return {
    playNumber,
    commitment: commitment(key, { merchantId: player.merchantId, playerNo: player.playerNo, playNumber }),
  }
}

async function describe(ctx: Context, row: PlayRow, ticket?: number): Promise<DescribedPlay> {
  const key = await ctx.seedKeys.everById(row.seedKeyId)
  if (key === undefined) throw new Error(`the key ${row.seedKeyId} of play ${row.playId} is gone`)
  return describePlay(row, await ctx.wheels.version(row.wheelId, row.wheelVersion), key, ticket)
}
