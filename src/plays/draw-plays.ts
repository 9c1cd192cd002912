import assert from 'node:assert/strict'
import type { SigningKey } from '../crypto/signing-key.ts'
import { enter, type LockedPlayer, purseOf } from '../players/ledger.ts'
import type { RefusalCode } from '../refusals.ts'
import type { CodePool, PoolKey } from '../stock/code-pools.ts'
import type { LockedRun } from '../pacing/pace-runs.ts'
import { isLimited, type PrizeStock } from '../stock/prize-stocks.ts'
import { openingOfWheel } from '../wheels/published-wheels.ts'
import { localDay } from '../wheel-document/schedule.ts'
import type { WheelSegment } from '../wheel-document/wheel-document.ts'
import { forcedOutcome } from './forced-outcomes.ts'
import { offersOf, passGates, takeUnits, unitsLeft } from '../pacing/pace-gates.ts'
import { hasReachedLimit, leftOf, takeFromStock, whyNot } from './prize-availability.ts'
import { draw } from '../fairness/draw.ts'
import type { Gate } from '../fairness/verify-gates.ts'
import type { PlayOrder, PlayResult, DrawnPlay } from './play-types.ts'
import type { PlayerPrize, PlayRow } from './plays.ts'
import { hashing } from '../fairness/hashing.ts'
import { type PlayNumber, sealedSeed } from './seeds.ts'

/** Why an order can't be played, as far as wheel and balance tell; undefined if it can. */
export function refusalOfPlay(
  order: PlayOrder,
  purse: { balance: number },
  now: Date,
): RefusalCode | undefined {
  if (order.versionHash !== order.wheel.sha256) return 'play_outdated'
  if (forcedOutcome(order) === 'unknown') return 'forced_outcome_unknown'
  const { state } = openingOfWheel(order.wheel, now)
  if (state !== 'open') return state === 'paused' ? 'wheel_paused' : 'wheel_closed'
  return purse.balance < 1 ? 'no_spins' : undefined
}

/** Draws the player's next play. Undefined if the order's commitment is not the one of that play. */
export function drawPlay(
  order: PlayOrder,
  player: LockedPlayer,
  seedKeys: readonly SigningKey[],
): DrawnPlay | undefined {
  const { merchantId, playerNo } = player
  const number = { merchantId, playerNo, playNumber: player.playCount + 1 }
  const sealed = seedWith(order.commitment, number, seedKeys)
  if (sealed === undefined) return undefined
  const { key, seed } = sealed
  const { document, sha256 } = order.wheel
  const forced = forcedOutcome(order)
  const { ticket, segment: owner } = draw(
    {
      serverSeed: seed.serverSeed,
      playerSeed: order.playerSeed,
      playNumber: number.playNumber,
      versionHash: sha256,
      weights: document.segments.map((segment) => segment.weight),
    },
    hashing,
  )
  const drawn = typeof forced === 'object' ? forced.segment : owner
  const segment = document.segments[drawn] as WheelSegment
  return { order, player, seedKeyId: key.keyId, proof: { ...seed, ticket }, drawn, segment, forced }
}

function seedWith(shown: string, number: PlayNumber, keys: readonly SigningKey[]) {
  for (const key of keys) {
    const seed = sealedSeed(key, number)
    if (seed.commitment === shown) return { key, seed }
  }
  return undefined
}

export type PlayLimits = {
  runs: Map<string, LockedRun>
  stocks: Map<string, PrizeStock>
  pools: Map<string, PoolKey & CodePool>
  playerPrizes: Map<string, PlayerPrize>
}

/** Gives the drawn prize if possible, otherwise the fallback, and updates player, runs, stock and pool. */
export function settle(drawnPlay: DrawnPlay, limits: PlayLimits, now: Date): PlayResult {
  const { order, player, drawn } = drawnPlay
  const { document, campaign } = order.wheel
  const { offer, reason, gates, passage, stock, pool } = choosePrize(drawnPlay, limits, now)
  const givenId = reason === undefined ? offer.segment.id : document.fallback
  const segment = document.segments.findIndex((one) => one.id === givenId)
  const given = document.segments[segment] as WheelSegment

  player.playCount += 1
  const playNo = String(player.playCount)
  const spent = { kind: 'play', amount: -1, key: playNo, keyHash: null, reason: null, campaign } as const
  const entries = [enter(player, spent)]
  if (given.prize.kind === 'spins' && given.prize.spins !== undefined) {
    const extra = { kind: 'prize', amount: given.prize.spins, key: order.playId, reason: null } as const
    const rule = order.wheel.spinExpiry
    entries.push(enter(player, { ...extra, campaign, expires: rule && { rule, now } }))
  }
  if (reason === undefined && stock !== undefined) takeFromStock(stock, localDay(document, now))
  const codePlace =
    reason === undefined && pool !== undefined
      ? { ...poolKey(offer), position: (pool.taken += 1) }
      : undefined
  const play: PlayRow = {
    shard: player.shard,
    playerNo: player.playerNo,
    merchantId: player.merchantId,
    playNo: player.playCount,
    playId: order.playId,
    playerSeed: Buffer.from(order.playerSeed, 'hex'),
    seedKeyId: drawnPlay.seedKeyId,
    wheelId: order.wheel.wheelId,
    wheelVersion: order.wheel.version,
    drawn,
    segment,
    won: given.prize.kind !== 'none',
    fallbackReason: reason ?? null,
    code: null,
    claimBefore:
      given.claimWithinSeconds === undefined
        ? null
        : new Date(now.getTime() + given.claimWithinSeconds * 1000),
    createdAt: now,
    gates: gates.length === 0 ? null : gates,
    campaignId: campaign.campaignId,
    isForced: drawnPlay.forced !== undefined,
  }
  const paceEntries = reason === undefined ? takeUnits(passage.takes, order.playId, now) : []
  const left = reason === undefined ? (unitsLeft(offer, passage) ?? leftOf(stock, pool)) : undefined
  return { drawnPlay: offer, play, entries, left, codePlace, paceEntries }
}

const playerLimit = { reason: 'player_limit', gates: [], takes: [] } as const

/** The first offer that can be given, or the last one with the reason why it can't. */
function choosePrize(drawnPlay: DrawnPlay, limits: PlayLimits, now: Date) {
  const gates: Gate[] = []
  const balance = purseOf(drawnPlay.player, drawnPlay.order.wheel.campaign).balance - 1
  const offers = offersOf(drawnPlay, now)
  for (const offer of offers) {
    const stock = limits.stocks.get(stockName(prizeKey(offer)))
    assert(!isLimited(offer.segment) || stock !== undefined, `the stock of ${offer.segment.id} is not there`)
    const pool = limits.pools.get(poolName(poolKey(offer)))
    const wonByPlayer = limits.playerPrizes.get(playerPrizeName(prizeKey(offer)))?.won ?? 0
    const met = passGates(offer, limits.runs, now)
    const isLast = offer === offers.at(-1)
    // If the reason showed whether the gate was open, a player who can't win would know when others can.
    const isUnasked = isLast && met.gates.length > 0 && hasReachedLimit(offer.segment, wonByPlayer)
    const passage = isUnasked ? playerLimit : met
    const reason =
      (drawnPlay.forced === 'out_of_stock' ? drawnPlay.forced : undefined) ??
      passage.reason ??
      whyNot(drawnPlay.order.wheel.document, offer.segment, { stock, pool, wonByPlayer, balance }, now)
    gates.push(...passage.gates)
    if (reason === undefined || isLast) return { offer, reason, gates, passage, stock, pool }
    const gate = gates.at(-1)
    // The last call passes over this prize for another reason than its gates.
    if (gate !== undefined && passage.reason === undefined) gate.reason = reason
  }
  throw new Error('a play without offers')
}

export function prizeKey({ order, player, segment }: DrawnPlay) {
  return {
    shard: player.shard,
    playerNo: player.playerNo,
    merchantId: order.merchantId,
    wheelId: order.wheel.wheelId,
    prizeId: segment.id,
  }
}

export function poolKey({ order, segment }: DrawnPlay): PoolKey {
  return { merchantId: order.merchantId, pool: segment.prize.pool ?? '' }
}

export function stockName(key: { merchantId: number; wheelId: number; prizeId: string }): string {
  return `${key.merchantId}:${key.wheelId}:${key.prizeId}`
}

export function poolName(key: PoolKey): string {
  return `${key.merchantId}:${key.pool}`
}

export function playerPrizeName(key: {
  shard: number
  playerNo: number
  wheelId: number
  prizeId: string
}): string {
  return `${key.shard}:${key.playerNo}:${key.wheelId}:${key.prizeId}`
}
