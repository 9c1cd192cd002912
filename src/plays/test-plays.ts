import { randomBytes, randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { untilDone } from '../db/database.ts'
import { findPlayer } from '../players/players.ts'
import { Refusal } from '../refusals.ts'
import { type Clocked, isTest, timeOf } from '../test-clock.ts'
import type { Trace } from '../tracing/trace.ts'
import { nextPlay, playerAfterVisit, playOnce } from './game-sessions.ts'

type TestPlay = {
  playerId: string
  campaign: string | undefined
  playId: string | undefined
  playerSeed: string | undefined
}

/**
 * Plays for a player of a test merchant, without a page: a visit, and one play with what the page would have been
 * shown. There is no link, so no link can have been revoked.
 */
export async function playForTest(
  ctx: Context,
  merchant: Clocked & { merchantId: number },
  { playerId, campaign, playId = randomUUID(), playerSeed = randomBytes(32).toString('hex') }: TestPlay,
  trace?: Trace,
) {
  if (!isTest(merchant)) throw new Refusal('test_merchant_needed')
  const { merchantId } = merchant
  const now = timeOf(merchant, ctx.now())
  const wheel = await ctx.wheels.current(merchantId, campaign)
  const known = await untilDone(() => findPlayer(ctx.db, { merchantId, playerId }, now))
  if (known === undefined) throw new Refusal('player_not_found')
  if (known.blockedAt !== null) throw new Refusal('player_blocked')
  const visit = { ...known, merchantId, wheel, clockAheadMs: wheel.clockAheadMs, timeZone: undefined }
  const player = await playerAfterVisit(ctx, visit, now)
  const { commitment } = await nextPlay(ctx, { merchantId, ...player })
  const claims = {
    merchantId,
    playerId,
    playerNo: player.playerNo,
    linkId: randomUUID(),
    issuedAt: now,
    expiresAt: now,
    campaign: wheel.campaign.slug,
    isTest: true as const,
  }
  return playOnce(ctx, claims, { playId, playerSeed, commitment, versionHash: wheel.sha256 }, trace)
}
