import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { auditLedger } from '../../src/integrity/audit.ts'
import { uploadCodes } from '../../src/stock/code-pools.ts'
import { readStocks } from '../../src/stock/prize-stocks.ts'
import { draw } from '../../src/fairness/draw.ts'
import { playWheels } from '../../src/plays/play-wheels.ts'
import { hashing } from '../../src/fairness/hashing.ts'
import { shardOf } from '../../src/players/shard.ts'
import {
  defaultWheel,
  type WheelDocument,
  type WheelSegment,
} from '../../src/wheel-document/wheel-document.ts'
import { findWheel, publishWheel, saveDraft, setPause } from '../../src/wheels/wheels.ts'
import {
  type Answer,
  asSuperuser,
  databaseUrl,
  makeDatabase,
  makeMerchant,
  makeServer,
  post,
  type Server,
  spawnServer,
  suiteLifetime,
  times,
  until,
} from '../scenes/scene.ts'

type Session = {
  session: string
  spinCount: number
  next: { commitment: string }
  wheel: { hash: string; published: string; state: string }
}
type PlayBody = {
  session: string
  playId: string
  playerSeed: string
  commitment: string
  versionHash: string
}

async function openSession(url: string, token: string, playerId: string, initialSpin = 0): Promise<Session> {
  const link = await postUntilAnswered(`${url}/api/game/sso`, token, { playerId, initialSpin })
  assert.equal(link.status, 200, JSON.stringify(link.body))
  const opened = await postUntilAnswered(`${url}/api/v1/game/session`, undefined, { token: link.body.token })
  assert.equal(opened.status, 200, JSON.stringify(opened.body))
  return opened.body as unknown as Session
}

function newPlay(session: Session): PlayBody {
  return {
    session: session.session,
    playId: randomUUID(),
    playerSeed: randomBytes(32).toString('hex'),
    commitment: session.next.commitment,
    versionHash: session.wheel.hash,
  }
}

const send = (url: string, body: PlayBody): Promise<Answer> =>
  post(`${url}/api/v1/game/plays`, undefined, body)

/** Like merchants and the page: repeats a request unchanged if it may succeed later. */
async function postUntilAnswered(...request: Parameters<typeof post>): Promise<Answer> {
  const answer = await post(...request)
  return answer.body.retryable === true ? postUntilAnswered(...request) : answer
}

const compare = (one: unknown, other: unknown): number => (String(one) < String(other) ? -1 : 1)

/** A wheel that always draws the first segment, unless its prize is unavailable. */
function wheelWith(first: Partial<WheelSegment>, rest: Partial<WheelDocument> = {}): WheelDocument {
  return {
    ...defaultWheel,
    fallback: 'nothing',
    segments: [
      { id: 'first', label: 'First', color: '#112233', weight: 1, prize: { kind: 'handover' }, ...first },
      { id: 'nothing', label: 'Nothing', color: '#445566', weight: 0, prize: { kind: 'none' } },
    ],
    ...rest,
  }
}

async function publishFor(
  server: Pick<Server, 'ctx'>,
  merchantId: number,
  draft: WheelDocument,
): Promise<void> {
  await saveDraft(server.ctx.db, { merchantId, slug: 'main', draft, revision: undefined, now: new Date() })
  const version = await publishWheel(server.ctx.db, { merchantId, slug: 'main', now: new Date() })
  await until(async () => (await server.ctx.wheels.current(merchantId)).version === version.version)
}

describe('a play', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let now = new Date()
  before(async () => {
    server = await makeServer(lifetime, { now: () => now })
  })

  async function scene(draft?: WheelDocument, spins = 5) {
    const { merchant, token } = await makeMerchant(server.ctx.db)
    if (draft !== undefined) await publishFor(server, merchant.merchantId, draft)
    const session = await openSession(server.url, token, 'pia', spins)
    return { merchant, token, session, reopen: () => openSession(server.url, token, 'pia') }
  }

  test('spends one spin, shows the prize, and proves it against the commitment shown before', async () => {
    const { session } = await scene()
    const body = newPlay(session)
    const { status, body: answer } = await send(server.url, body)
    assert.equal(status, 200, JSON.stringify(answer))
    const { play, spinCount, next } = answer as any
    assert.equal(play.proof.commitment, session.next.commitment)
    assert.notEqual(next.commitment, session.next.commitment)
    assert.equal(play.proof.playerSeed, body.playerSeed)
    const published = JSON.parse(session.wheel.published) as { segments: { weight: number }[] }
    const again = draw(
      { ...play.proof, weights: published.segments.map((segment) => segment.weight) },
      hashing,
    )
    assert.deepEqual([again.segment, again.ticket], [play.proof.drawn, play.proof.ticket])
    assert.equal(play.segment, play.proof.drawn)
    assert.equal(spinCount, 4 + (play.prize.spins ?? 0))
  })

  test('the same play id always returns the same play, repeated or concurrent', async () => {
    const { session, reopen } = await scene(wheelWith({}))
    const body = newPlay(session)
    const answers = await Promise.all(times(30, () => send(server.url, body)))
    assert.equal(
      new Set(answers.map((answer) => JSON.stringify(answer.body))).size,
      1,
      JSON.stringify(answers[0]?.body),
    )
    assert.equal((await reopen()).spinCount, 4)
    await send(server.url, newPlay(await reopen()))
    const later = await send(server.url, body)
    assert.deepEqual(later.body.play, answers[0]?.body.play)
    assert.equal(later.body.spinCount, 3)
  })

  test('two copies of one command in one transaction are one play and cost one spin', async () => {
    const { merchant, session, reopen } = await scene(wheelWith({}))
    const { session: _, ...body } = newPlay(session)
    const wheel = await server.ctx.wheels.current(merchant.merchantId)
    const player = { merchantId: merchant.merchantId, playerId: 'pia' }
    const link = { linkId: 'any', issuedAt: now }
    const order = { ...body, ...player, shard: shardOf(player), link, wheel }
    const seedKeys = await server.ctx.seedKeys.live()
    const [first, second] = await playWheels(server.ctx.db, [order, { ...order }], { seedKeys, now })
    assert.deepEqual([first?.outcome, second?.outcome], ['played', 'replayed'])
    assert.equal((await reopen()).spinCount, 4)
  })

  test('two concurrent tabs make two plays, one after the other, and never share one spin', async () => {
    const { session, reopen } = await scene(wheelWith({}))
    const tabs = await Promise.all([send(server.url, newPlay(session)), send(server.url, newPlay(session))])
    assert.deepEqual(tabs.map((answer) => answer.body.code ?? 'played').toSorted(compare), [
      'play_outdated',
      'played',
    ])
    assert.equal((await reopen()).spinCount, 4)
  })

  test('without spins, while paused or closed, or on an outdated wheel is refused and changes nothing', async () => {
    const { merchant, session, token, reopen } = await scene(wheelWith({}), 1)
    const key = { merchantId: merchant.merchantId, slug: 'main' }
    const expectRefusal = async (code: string, on: Session = session) => {
      const answer = await send(server.url, newPlay(on))
      assert.deepEqual([answer.status, answer.body.code], [409, code])
      return String(answer.body.detail)
    }
    await setPause(server.ctx.db, { ...key, isPaused: true, now: new Date() })
    await until(async () => (await reopen()).wheel.state === 'paused')
    await expectRefusal('wheel_paused')
    await setPause(server.ctx.db, { ...key, isPaused: false, now: new Date() })
    await until(async () => (await reopen()).wheel.state === 'open')
    await publishFor(server, merchant.merchantId, wheelWith({ label: 'Other' }))
    await expectRefusal('play_outdated')
    await publishFor(server, merchant.merchantId, wheelWith({}, { closesAt: '2020-01-01T00:00:00Z' }))
    assert.match(await expectRefusal('wheel_closed', await reopen()), /^The campaign has ended/)
    await publishFor(server, merchant.merchantId, wheelWith({}))
    assert.equal((await reopen()).spinCount, 1)
    assert.equal((await send(server.url, newPlay(await reopen()))).status, 200)
    await expectRefusal('no_spins', await openSession(server.url, token, 'pia'))
  })

  test('with an invented commitment is refused', async () => {
    const { session } = await scene()
    const answer = await send(server.url, { ...newPlay(session), commitment: 'ab'.repeat(32) })
    assert.equal(answer.body.code, 'play_outdated')
  })

  test('a link token cannot play, and a session token cannot open a game', async () => {
    const { session, token } = await scene()
    const link = await post(`${server.url}/api/game/sso`, token, { playerId: 'pia' })
    const played = await send(server.url, { ...newPlay(session), session: link.body.token as string })
    assert.equal(played.body.code, 'game_token_invalid')
    const opened = await post(`${server.url}/api/v1/game/session`, undefined, { token: session.session })
    assert.equal(opened.body.code, 'game_token_invalid')
  })

  test('extra spins, a fixed code, a link and a claim date are returned as published', async () => {
    const prizes: [Partial<WheelSegment>, object][] = [
      [{ prize: { kind: 'spins', spins: 7 } }, { kind: 'spins', spins: 7 }],
      [
        { prize: { kind: 'fixed', code: 'SAVE10' }, title: 'Ten off', instructions: 'Use it' },
        { kind: 'code', code: 'SAVE10', title: 'Ten off', instructions: 'Use it' },
      ],
      [
        { prize: { kind: 'link', url: 'https://example.com/x' } },
        { kind: 'link', url: 'https://example.com/x' },
      ],
      [
        { prize: { kind: 'handover' }, claimWithinSeconds: 3600 },
        { kind: 'handover', claimBefore: new Date(now.getTime() + 3_600_000).toISOString() },
      ],
    ]
    for (const [first, expected] of prizes) {
      const { session } = await scene(wheelWith(first))
      const { body } = await send(server.url, newPlay(session))
      const { play, spinCount } = body as any
      assert.deepEqual({ ...play.prize, ...expected }, play.prize)
      assert.equal(play.won, true)
      assert.equal(spinCount, 4 + (play.prize.spins ?? 0))
    }
  })

  test('a prize that is unavailable, or at its limit per player, is replaced by the published fallback', async () => {
    const cases: [Partial<WheelSegment>, string, number][] = [
      [{ winnableFrom: '2099-01-01T00:00:00Z' }, 'not_winnable_now', 0],
      [{ winnableUntil: '2020-01-01T00:00:00Z' }, 'not_winnable_now', 0],
      [{ limitPerPlayer: 2 }, 'player_limit', 2],
      [{ stock: 0 }, 'out_of_stock', 0],
      [{ stock: 3 }, 'out_of_stock', 3],
      [{ stockPerDay: 1 }, 'out_of_stock_today', 1],
    ]
    for (const [first, reason, wins] of cases) {
      const { reopen } = await scene(wheelWith(first))
      const plays = []
      for (const _ of times(5, () => 0))
        plays.push((await send(server.url, newPlay(await reopen()))).body.play as any)
      assert.deepEqual(
        plays.map((play) => play.won),
        times(5, (index) => index < wins),
        JSON.stringify(first),
      )
      const lost = plays.at(-1)
      assert.deepEqual([lost.fallbackReason, lost.segment, lost.proof.drawn], [reason, 1, 0])
      assert.equal((await reopen()).spinCount, 0, 'every play cost one spin')
    }
  })

  test("daily stock resets at midnight in the wheel's time zone", async () => {
    now = new Date('2026-11-15T10:59:59Z')
    const { reopen } = await scene(wheelWith({ stockPerDay: 1 }, { timeZone: 'Pacific/Auckland' }))
    const won = async () => ((await send(server.url, newPlay(await reopen()))).body.play as any).won
    assert.deepEqual([await won(), await won()], [true, false])
    now = new Date('2026-11-15T11:00:00Z')
    assert.deepEqual([await won(), await won()], [true, false])
    now = new Date()
  })

  test('after a rotation of the seed key, earlier commitments still play and old plays stay verifiable', async () => {
    const { session, reopen } = await scene(wheelWith({}))
    const first = newPlay(session)
    const played = await send(server.url, first)
    const { rotateSigningKeys } = await import('../../src/crypto/signing-keys.ts')
    const shownBefore = newPlay(await reopen())
    await rotateSigningKeys(server.ctx.db, 'seeds', new Date(Date.now() + 1000))
    await until(async () => (await reopen()).next.commitment !== shownBefore.commitment)
    assert.equal((await send(server.url, shownBefore)).status, 200)
    assert.deepEqual((await send(server.url, first)).body.play, played.body.play)
  })
})

test('64 concurrent players over two processes win exactly the 100 prizes in stock, each code once, with no spin lost', async (t) => {
  const { target, db } = await makeDatabase(t)
  const { merchant, token } = await makeMerchant(db)
  const codes = times(150, (index) => `CODE-${index}`)
  await uploadCodes(db, { merchantId: merchant.merchantId, pool: 'summer' }, codes, new Date())
  await saveDraft(db, {
    merchantId: merchant.merchantId,
    slug: 'main',
    draft: wheelWith({ prize: { kind: 'pool', pool: 'summer' }, stock: 100 }),
    revision: undefined,
    now: new Date(),
  })
  await publishWheel(db, { merchantId: merchant.merchantId, slug: 'main', now: new Date() })
  const env = { DATABASE_URL: databaseUrl(target) }
  const servers = await Promise.all([spawnServer(t, env), spawnServer(t, env)])
  const playsEach = 15
  const results = await Promise.all(
    times(64, async (player) => {
      const url = servers[player % 2]?.url ?? ''
      let session = await openSession(url, token, `player-${player}`, playsEach)
      const plays: any[] = []
      for (const _ of times(playsEach, () => 0)) {
        const { status, body } = await postUntilAnswered(
          `${url}/api/v1/game/plays`,
          undefined,
          newPlay(session),
        )
        assert.equal(status, 200, JSON.stringify(body))
        plays.push(body.play)
        session = { ...session, next: body.next as Session['next'] }
      }
      return plays
    }),
  )
  const wins = results.flat().filter((play) => play.won)
  assert.equal(results.flat().length, 64 * playsEach)
  assert.equal(wins.length, 100)
  assert.equal(new Set(wins.map((play) => play.prize.code)).size, 100)
  assert.ok(wins.every((play) => codes.includes(play.prize.code)))
  const wheel = await findWheel(db, merchant.merchantId, 'main')
  assert.equal((await readStocks(db, wheel))[0]?.given, 100)
  const audit = await auditLedger(db)
  assert.deepEqual(audit.findings, [])
  assert.equal(audit.entries, 64 * (1 + playsEach))

  // The audit detects each of these edits.
  const damages: Record<string, string> = {
    'limited prize': 'update prize_stocks set given = 99',
    'was won once': `update plays set code = 'CODE-0' where code = 'CODE-1'`,
    'spent one spin': `delete from plays where play_no = 15 and segment = 1`,
  }
  for (const [check, damage] of Object.entries(damages)) {
    await asSuperuser(target.database, (client) => client.query(damage))
    const { findings } = await auditLedger(db)
    assert.ok(
      findings.some((finding) => finding.check.includes(check)),
      check,
    )
  }
})
