import { campaignOf, type CampaignRef } from '../campaign-ref.ts'
import type { Context } from '../context.ts'
import { type GameClaims, signGameToken } from '../crypto/game-token.ts'
import { untilDone } from '../db/database.ts'
import type { NewEvent } from '../events/event-pages.ts'
import { type FreeSpinVisit, isCollecting } from '../free-spins/collect-free-spins.ts'
import { readFreeSpins, shownFreeSpins } from '../free-spins/describe-free-spins.ts'
import { winsShownMax } from '../limits.ts'
import { type DescribedPlay, describePlay } from './describe-play.ts'
import { stockEventOf } from './play-events.ts'
import { firstChoice, lobbyCampaigns, lobbyCards } from './lobby.ts'
import type { DrawProof } from './play-types.ts'
import { type PlayRow, readLastPlay, readWins, type Win } from './plays.ts'
import { commitment } from './seeds.ts'
import { unavailablePrizes } from './unavailable-prizes.ts'
import { withholdPrizes } from './withheld-prizes.ts'
import { purseOf } from '../players/ledger.ts'
import { listLots } from '../players/lot-rows.ts'
import { findPlayer, type Player } from '../players/players.ts'
import { listPurses } from '../players/purses.ts'
import { compareLots, type SpinLot } from '../players/spin-lots.ts'
import { shardOf } from '../players/shard.ts'
import { Refusal, type RefusalCode } from '../refusals.ts'
import type { Trace } from '../tracing/trace.ts'
import { type CurrentWheel, openingOfWheel } from '../wheels/published-wheels.ts'
import { isTimeZone, openUntil } from '../wheel-document/schedule.ts'
import { makeFramePass } from '../links/embed-origins.ts'
import { readClaims, timeOfGame, type Visitor } from '../links/game-links.ts'

/**
 * Opens a link: everything that the page needs to show the game of one campaign, and a token to play with. Collects
 * free spins, if the campaign gives them to visitors. A new opening writes an event. A page that is already open sends
 * its session and writes none. A page that repeats its first request because the answer was lost has opened twice.
 */
export async function openSession(
  ctx: Context,
  visitor: Visitor,
  asked: { campaign?: string; session?: string; timeZone?: string } = {},
) {
  const { claims } = visitor
  const now = await timeOfGame(ctx, claims)
  const isOpenAlready = await isSessionOf(ctx, claims, asked.session)
  const { merchantId } = claims
  const slug = await campaignToOpen(ctx, visitor, asked.campaign)
  const wheel = await ctx.wheels.current(merchantId, slug)
  const { campaign } = wheel
  // The same claims as the link's: what revokes or ends the link ends the session too.
  const timeZone = [claims.timeZone, asked.timeZone].find((zone) => zone !== undefined && isTimeZone(zone))
  const session = { ...claims, campaign: slug, timeZone }
  const visit = { ...visitor.player, merchantId, wheel, clockAheadMs: wheel.clockAheadMs, timeZone }
  const player = await playerAfterVisit(ctx, visit, now)
  const here = { ...player, campaignId: campaign.campaignId }
  const balance = await balanceIn(ctx, player, { campaign, now })
  const [[last, wins, unavailable, lots, free]] = await Promise.all([
    untilDone(() =>
      Promise.all([
        readLastPlay(ctx.db, here),
        readWins(ctx.db, here, winsShownMax),
        unavailablePrizes(ctx.db, wheel, { ...player, merchantId, balance }, now),
        player.nextExpiry === null ? [] : listLots(ctx.db, player, now),
        readFreeSpins(ctx.db, visit, now),
      ]),
    ),
    isOpenAlready ? undefined : ctx.events.writer.submit(linkOpened(session, now)),
  ])
  ctx.playMemory.rememberPlayer(claims, player)
  ctx.openedVisits.add({ merchantId, wheelId: wheel.wheelId, ...here, at: now })
  return {
    // With the link's own key, also if there is a newer one: revoking a key ends the sessions of its links.
    session: signGameToken(session, visitor.key, 'session'),
    playerId: player.playerId,
    spinCount: balance,
    spinsExpire: spinsExpiring(lots, campaign),
    free: free === undefined ? null : shownFreeSpins(free),
    expiresAt: claims.expiresAt.toISOString(),
    campaign: {
      campaign: slug,
      name: wheel.nameForPlayers,
      texts: wheel.campaignTexts,
      hasLobby: claims.campaign === '*',
    },
    wheel: {
      ...shownWheel(wheel, now),
      unavailable: unavailable.map((prize) => ({ ...prize, until: prize.until?.toISOString() ?? null })),
    },
    next: await nextPlay(ctx, { merchantId, ...player }),
    ...(await shownPlays(ctx, { wheel, last, wins }, now)),
    parentOrigins: wheel.embedOrigins,
    framePass: await makeFramePass(ctx, merchantId),
  }
}

/** Collects free spins that are due for a visitor, and reads the player again if there were any. */
export async function playerAfterVisit(
  ctx: Context,
  visit: Player & Omit<FreeSpinVisit, 'isPlay'>,
  now: Date,
): Promise<Player> {
  if (!isCollecting({ ...visit, isPlay: false }, now)) return visit
  const free = await untilDone(() => readFreeSpins(ctx.db, visit, now))
  if (free === undefined || free.available === 0) return visit
  await ctx.visits.submit({ ...visit, isPlay: false })
  return (await untilDone(() => findPlayer(ctx.db, visit, now))) ?? visit
}

async function isSessionOf(ctx: Context, { linkId }: GameClaims, session?: string): Promise<boolean> {
  return session !== undefined && (await readClaims(ctx, session, 'session'))?.linkId === linkId
}

function shownWheel(wheel: CurrentWheel, now: Date) {
  const { state, opensAt, closesAt } = openingOfWheel(wheel, now)
  const until = state === 'open' ? openUntil(wheel.schedule, now) : null
  return {
    state,
    opensAt: opensAt?.toISOString() ?? null,
    closesAt: closesAt?.toISOString() ?? null,
    openUntil: until?.toISOString() ?? null,
    hash: wheel.sha256,
    published: wheel.published,
  }
}

/** The last play of the player, which may be the newest win, and the newest wins. */
async function shownPlays(
  ctx: Context,
  { wheel, last, wins }: { wheel: CurrentWheel; last: PlayRow | undefined; wins: readonly Win[] },
  now: Date,
) {
  const plays = await Promise.all(wins.map(async (row) => ({ row, play: await describeWin(ctx, row) })))
  const described = await withholdPrizes(ctx.db, wheel, plays)
  const lastWon = described.find(({ playNumber }) => playNumber === last?.playNo)
  return {
    lastPlay: last === undefined ? null : (lastWon ?? (await describe(ctx, last))),
    wins: described,
    // Spins that were won were given at once.
    settledWins: wins.flatMap((win, index) =>
      described[index]?.prize.kind === 'spins' ? [] : settledWin(win, now),
    ),
  }
}

/** The campaigns that a link leads to, for a page with a card for each. A link of one campaign has one card. */
export async function openLobby(ctx: Context, { claims, player }: Visitor, session?: string) {
  const now = await timeOfGame(ctx, claims)
  const { merchantId } = claims
  const cards = await untilDone(() => lobbyCards(ctx, { ...player, merchantId }, now))
  if (!(await isSessionOf(ctx, claims, session))) await ctx.events.writer.submit(linkOpened(claims, now))
  const main = await ctx.wheels.current(merchantId)
  return {
    playerId: player.playerId,
    expiresAt: claims.expiresAt.toISOString(),
    campaigns: cards.filter((card) => isInLink(claims, card.slug)),
    parentOrigins: main.embedOrigins,
    framePass: await makeFramePass(ctx, merchantId),
  }
}

/** A link to the lobby opens the campaign that the player chose, or the best one for the player. */
async function campaignToOpen(
  ctx: Context,
  { claims, player }: Visitor,
  asked: string | undefined,
): Promise<string> {
  if (asked !== undefined && !isInLink(claims, asked)) throw new Refusal('campaign_not_found')
  if (claims.campaign !== '*') return claims.campaign
  const now = await timeOfGame(ctx, claims)
  const { merchantId } = claims
  if (asked === undefined)
    return firstChoice(await untilDone(() => lobbyCards(ctx, { ...player, merchantId }, now)))
  const campaigns = await lobbyCampaigns(ctx.wheels, merchantId, now)
  if (!campaigns.some(({ slug }) => slug === asked)) throw new Refusal('campaign_not_found')
  return asked
}

function isInLink({ campaign }: GameClaims, slug: string): boolean {
  return campaign === '*' || campaign === slug
}

async function balanceIn(
  ctx: Context,
  player: Player,
  { campaign: { purseId }, now }: { campaign: CampaignRef; now: Date },
): Promise<number> {
  if (purseId === 0) return player.balance
  const purses = await untilDone(() => listPurses(ctx.db, player, now))
  return purses.find((purse) => purse.purseId === purseId)?.balance ?? 0
}

/** The spins of a campaign that expire, those that are used first at the front. All others never expire. */
function spinsExpiring(
  lots: readonly Pick<SpinLot, 'purseId' | 'spinsLeft' | 'expiresAt'>[],
  { purseId }: CampaignRef,
): { spins: number; expiresAt: string }[] {
  const own = lots.filter((lot) => lot.purseId === purseId && lot.spinsLeft > 0)
  return own.map(({ spinsLeft, expiresAt }) => ({ spins: spinsLeft, expiresAt: expiresAt.toISOString() }))
}

function linkOpened(claims: GameClaims, at: Date): NewEvent<'link.opened'> {
  const { merchantId, playerId, linkId, campaign: slug } = claims
  const data = { playerId, linkId, ...campaignOf({ slug }) }
  return { merchantId, shard: shardOf(claims), type: 'link.opened', at, data }
}

type PlayRequest = {
  playId: string
  playerSeed: string
  commitment: string
  versionHash: string
}

/** Plays once for a session. A repeat of the same id gives the same play, with the current balance. */
export async function playOnce(ctx: Context, claims: GameClaims, request: PlayRequest, trace?: Trace) {
  const { merchantId, playerId, linkId, issuedAt } = claims
  const wheel = await ctx.wheels.current(merchantId, claims.campaign)
  const order = {
    merchantId,
    playerId,
    shard: shardOf(claims),
    link: { linkId, issuedAt },
    playId: request.playId,
    playerSeed: request.playerSeed,
    commitment: request.commitment,
    versionHash: request.versionHash,
    timeZone: claims.timeZone,
    wheel,
    clockAheadMs: wheel.clockAheadMs,
  }
  const verdict = await ctx.plays.submit(order, trace)
  ctx.metrics.plays.inc({ outcome: verdict.outcome })
  if (verdict.outcome === 'refused') {
    await tellRefusal(ctx, claims, { playId: request.playId, code: verdict.code })
    const isClosed = verdict.code === 'wheel_closed'
    throw new Refusal(verdict.code, isClosed ? whyClosed(wheel, await timeOfGame(ctx, claims)) : {})
  }
  const stockEvent = verdict.outcome === 'played' ? stockEventOf(verdict.left) : undefined
  if (stockEvent !== undefined)
    ctx.metrics.stockEvents.inc({ state: stockEvent === 'prize.stock_out' ? 'out' : 'low' })
  const { player } = verdict
  const free =
    wheel.freeSpins === undefined
      ? undefined
      : await untilDone(async () =>
          readFreeSpins(ctx.db, { ...order, ...player }, await timeOfGame(ctx, claims)),
        )
  const play = { row: verdict.play, play: await describe(ctx, verdict.play, verdict.proof) }
  const [shown] = await withholdPrizes(ctx.db, wheel, [play])
  return {
    play: shown as DescribedPlay,
    spinCount: purseOf(player, order.wheel.campaign).balance,
    ...(player.lots === undefined
      ? {}
      : { spinsExpire: spinsExpiring(player.lots.toSorted(compareLots), order.wheel.campaign) }),
    ...(free === undefined ? {} : { free: shownFreeSpins(free) }),
    next: await nextPlay(ctx, player),
  }
}

/** Closed for good is another thing than closed until tomorrow. */
function whyClosed(wheel: CurrentWheel, now: Date): { detail?: string } {
  const { opensAt, closesAt } = openingOfWheel(wheel, now)
  if (opensAt !== null)
    return { detail: `The wheel is closed. It opens at ${opensAt.toISOString()}. Nothing was changed.` }
  if (wheel.campaign.archivedAt !== null || (closesAt !== null && closesAt <= now))
    return { detail: 'The campaign has ended. Nothing was changed.' }
  return {}
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
  const where = { merchantId, shard: shardOf(claims), at: await timeOfGame(ctx, claims) }
  await ctx.events.writer.submit({ ...where, type: 'play.refused', data: { playerId, playId, reason } })
}

const refusalsTold = ['play_outdated', 'wheel_paused', 'wheel_closed', 'no_spins'] as const

export async function nextPlay(
  ctx: Context,
  player: { merchantId: number; playerNo: number; playCount: number },
) {
  const playNumber = player.playCount + 1
  const key = await ctx.seedKeys.newest()
  return {
    playNumber,
    commitment: commitment(key, { merchantId: player.merchantId, playerNo: player.playerNo, playNumber }),
  }
}

/** A win that the player can't use any more. The worker that expires prizes may be late. */
function settledWin({ playNo, state, claimBefore }: Win, now: Date): SettledWin[] {
  if (state === null && claimBefore !== null && claimBefore <= now)
    return [{ playNumber: playNo, state: 'expired' }]
  return state === null || state === 'claimed' ? [] : [{ playNumber: playNo, state }]
}

type SettledWin = { playNumber: number; state: Exclude<Win['state'], 'claimed' | null> }

/** A prize that was claimed no longer expires, also one whose redemption was taken back. */
async function describeWin(ctx: Context, win: Win): Promise<DescribedPlay> {
  const play = await describe(ctx, win)
  return win.state === 'claimed' ? { ...play, prize: { ...play.prize, claimBefore: null } } : play
}

async function describe(ctx: Context, row: PlayRow, proof?: DrawProof): Promise<DescribedPlay> {
  const key = await ctx.seedKeys.everById(row.seedKeyId)
  if (key === undefined) throw new Error(`the key ${row.seedKeyId} of play ${row.playId} is gone`)
  return describePlay(row, await ctx.wheels.version(row.wheelId, row.wheelVersion), key, proof)
}
