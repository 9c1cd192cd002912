import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { type Context, makeContext } from '../../context.ts'
import { statement } from '../../db/database.ts'
import { admitVisitor, createGameLink } from '../../links/game-links.ts'
import { openSession, playOnce } from '../../plays/game-sessions.ts'
import { findMerchant, type Merchant } from '../../merchants/merchants.ts'
import { Mistake } from '../../mistake.ts'
import { shardOf } from '../../players/shard.ts'
import { uploadCodes } from '../../stock/code-pools.ts'
import { Refusal } from '../../refusals.ts'
import { settlePrize } from '../../prizes/settle-prizes.ts'
import { countActivity, recountActivity } from '../../reports/count-activity.ts'
import { countVisits, recountVisits } from '../../reports/count-visits.ts'
import { publishWheel, saveDraft } from '../../wheels/wheels.ts'
import { demoWheel } from './demo-wheel.ts'
import { firstStart } from '../server/first-start.ts'
import { counting, type JsonOption, print, withDatabase } from '../output.ts'
import { refuseRealMerchant } from './refuse-real-merchant.ts'

const dayMs = 86_400_000
const playersMax = 5_000
const demoKey = 'demo-data'

/**
 * Creates realistic data for a demonstration: players over the last weeks, of whom some return often and most do not.
 * It calls the real operations, with a clock that is set back.
 */
export function addDemoCommand(program: Command): void {
  program
    .command('demo [merchant]')
    .description(
      'replace and publish the wheel main of a merchant (default: demo), and add players and plays of the last weeks',
    )
    .option('--days <days>', 'how many days back', Number, 28)
    .option('--players <players>', 'how many players', Number, 120)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nEach run adds grants and plays. A merchant that has players, or a wheel that somebody has edited or published, is refused, unless it is demo or a test merchant.',
    )
    .action(async (slug = 'demo', options: JsonOption & { days: number; players: number }) => {
      const { days, players } = options
      if (!(Number.isInteger(days) && days >= 1 && days <= 90)) throw new Mistake('--days must be 1 to 90.')
      if (!(Number.isInteger(players) && players >= 1 && players <= playersMax))
        throw new Mistake(`--players must be 1 to ${playersMax}.`)
      const counts = await withDatabase(async (db, config, log) => {
        const merchant = await findMerchant(db, slug)
        // Before its first start, a server has no keys.
        await firstStart(db, new Date())
        const everybody = makePeople(playersMax).map(({ playerId }) => playerId)
        await refuseRealMerchant(db, merchant, everybody)
        const clock = { now: new Date() }
        const ctx = makeContext({ config, db, log, now: () => clock.now })
        try {
          return await fill(ctx, clock, { merchant, days, players })
        } finally {
          await ctx.close()
        }
      })
      print(
        counts,
        options,
        `Added ${counting(counts.players, 'player')} to ${slug}, and ${counting(counts.grants, 'grant')} and ` +
          `${counting(counts.plays, 'play')} over ${counting(days, 'day')}` +
          (counts.players === players ? '.' : ', also of players of an earlier run.'),
      )
    })
}

type Order = { merchant: Merchant; days: number; players: number }
type Counts = { players: number; grants: number; plays: number }

async function fill(ctx: Context, clock: { now: Date }, order: Order): Promise<Counts> {
  const end = clock.now.getTime()
  clock.now = new Date(end - order.days * dayMs)
  await publishDemoWheel(ctx, order.merchant)
  const people = makePeople(order.players)
  const playerIds = people.map(({ playerId }) => playerId)
  const [before] = await ctx.db.query(countKnown, [order.merchant.merchantId, playerIds])
  const counts: Counts = { players: order.players - (before?.count ?? 0), grants: 0, plays: 0 }
  const visits = people.flatMap((person) => visitsOf(person, order.days, end)).toSorted((a, b) => a.at - b.at)
  const wins: Win[] = []
  for (const { person, at } of visits) {
    clock.now = new Date(at)
    const played = await visit(ctx, order.merchant, person)
    counts.plays += played.length
    counts.grants++
    wins.push(
      ...played.filter((play) => play.isPrize).map((play) => ({ ...play, playerId: person.playerId, at })),
    )
  }
  await redeemSome(ctx, clock, { merchantId: order.merchant.merchantId, wins, end })
  clock.now = new Date(end)
  await recount(ctx, new Date(end - (order.days + 1) * dayMs))
  return counts
}

/** The reports have already counted these days, before the demo data existed. */
async function recount({ db, now }: Context, from: Date): Promise<void> {
  while (!(await recountActivity(db, from))) await sleep(100)
  while (!(await recountVisits(db, from))) await sleep(100)
  while (await countActivity(db, now()));
  while (await countVisits(db, now()));
}

async function publishDemoWheel(ctx: Context, { merchantId }: Merchant): Promise<void> {
  const now = ctx.now()
  const codes = Array.from(
    { length: 400 },
    (_, index) => `SUMMER-${(index * 7919 + 104_729).toString(36).toUpperCase()}`,
  )
  await uploadCodes(ctx.db, { merchantId, pool: 'summer-codes' }, codes, now)
  await saveDraft(ctx.db, { merchantId, slug: 'main', draft: demoWheel, revision: undefined, now })
  await publishWheel(ctx.db, { merchantId, slug: 'main', now })
}

type Person = { playerId: string; visits: number; firstDay: number }

const names =
  'ada ben cleo dana emil fay gus hana ivo jana kofi lena milo nora otis pia quinn rosa sami tara uma vera wim xenia yara zoe'.split(
    ' ',
  )

/** As in real games, a few players come nearly every day, and most once or twice. */
function makePeople(count: number): Person[] {
  return Array.from({ length: count }, (_, index) => ({
    playerId: `${names[index % names.length]}-${1000 + index * 37}`,
    visits: Math.max(1, Math.round(16 / (1 + index * 0.12))),
    firstDay: (index * 0.618) % 1,
  }))
}

/** Spreads visits over the day, with more from week to week. */
function visitsOf(person: Person, days: number, end: number): { person: Person; at: number }[] {
  return Array.from({ length: person.visits }, (_, index) => {
    const share =
      person.firstDay ** 0.7 * 0.85 + (index / person.visits) * (1 - person.firstDay ** 0.7 * 0.85)
    const day = Math.floor(share * days)
    const hour = 8 + ((index * 5 + person.playerId.length * 3 + Math.floor(person.firstDay * 100)) % 14)
    const minute = (index * 13 + person.playerId.charCodeAt(0)) % 60
    const midnight = end - (end % dayMs) - (days - 1 - day) * dayMs
    return {
      person,
      at: Math.min(midnight + hour * 3_600_000 + minute * 60_000, end - 60_000 - index * 1_000),
    }
  })
}

/** A player gets spins, opens a game link and plays: the calls that a merchant and a browser would make. */
async function visit(ctx: Context, merchant: Merchant, { playerId }: Person): Promise<Played[]> {
  const { merchantId } = merchant
  const spins = 1 + (ctx.now().getUTCMinutes() % 4)
  const verdict = await ctx.grants.submit({
    merchantId,
    playerId,
    shard: shardOf({ merchantId, playerId }),
    kind: 'grant',
    amount: spins,
    key: `${demoKey}-${randomUUIDv7()}`,
    reason: null,
    mayCreatePlayer: true,
    callMax: merchant.grantMax,
    dailyMax: null,
  })
  if (verdict.outcome === 'refused') throw new Refusal(verdict.code)
  const { token } = await createGameLink(ctx, { merchant, playerId, initialSpin: 0 })
  const visitor = await admitVisitor(ctx, token)
  const session = await openSession(ctx, visitor)
  let { next } = session
  // Some players keep a spin.
  const count = Math.max(1, spins - (ctx.now().getUTCHours() % 3 === 0 ? 1 : 0))
  const played: Played[] = []
  for (let number = 0; number < count; number++) {
    const request = {
      playId: randomUUIDv7(),
      playerSeed: randomBytes(32).toString('hex'),
      commitment: next.commitment,
      versionHash: session.wheel.hash,
    }
    const { play, ...after } = await playOnce(ctx, visitor.claims, request)
    next = after.next
    played.push({ playId: play.playId, isPrize: play.won && play.prize.kind !== 'spins' })
  }
  return played
}

type Played = { playId: string; isPrize: boolean }
type Win = Played & { playerId: string; at: number }

/** Two of three prizes are redeemed, a day or two later. */
async function redeemSome(
  ctx: Context,
  clock: { now: Date },
  { merchantId, wins, end }: { merchantId: number; wins: Win[]; end: number },
): Promise<void> {
  for (const [index, { playId, playerId, at }] of wins.entries()) {
    const redeemedAt = at + (1 + (index % 5) / 4) * dayMs
    if (index % 3 === 2 || redeemedAt >= end) continue
    clock.now = new Date(redeemedAt)
    const actor = { kind: 'command' as const, id: 'demo', name: 'wheelhouse demo' }
    await settlePrize(
      ctx,
      {
        merchantId,
        playId,
        playerId,
        action: 'redeem',
        key: randomUUIDv7(),
        reason: null,
        returnsStock: false,
        reversalHours: 0,
      },
      { actor, requestId: null, now: clock.now },
    )
  }
}

const countKnown = statement<{ count: number }>(`
select count(*)::int as count
from players
where merchant_id = $1
and player_id = any($2::text[])`)
