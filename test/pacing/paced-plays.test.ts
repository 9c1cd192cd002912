import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { auditLedger } from '../../src/integrity/audit.ts'
import { statement } from '../../src/db/database.ts'
import { hashing } from '../../src/fairness/hashing.ts'
import { momentOf, type Pace } from '../../src/fairness/pace.ts'
import { ExportVerifier, type VerifiedLine } from '../../src/fairness/verify-export.ts'
import type { Gate } from '../../src/fairness/verify-gates.ts'
import type { RevealedRun } from '../../src/fairness/verify-run.ts'
import { keyOfRun, revealWholeRun } from '../../src/pacing/reveal-run.ts'
import { settlePrize } from '../../src/prizes/settle-prizes.ts'
import { watchDraws } from '../../src/reports/draw-drift.ts'
import { uploadCodes } from '../../src/stock/code-pools.ts'
import { findRun, type PaceRun } from '../../src/pacing/pace-runs.ts'
import { readStockLeft } from '../../src/stock/stock-left.ts'
import {
  defaultWheel,
  type WheelDocument,
  type WheelSegment,
} from '../../src/wheel-document/wheel-document.ts'
import { publishWheel, saveDraft } from '../../src/wheels/wheels.ts'
import {
  databaseUrl,
  makeFolder,
  makeMerchant,
  makeServer,
  post,
  repository,
  runCli,
  type Server,
  suiteLifetime,
  until,
} from '../scenes/scene.ts'

/** Long ago, so that commands, which have no other clock, see runs that have ended. */
const start = Date.parse('2026-06-01T10:00:00Z')
const hour = 3_600_000
const period = { from: new Date(start + hour).toISOString(), until: new Date(start + 2 * hour).toISOString() }

type Played = { play: any; session: any }

describe('a paced prize', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let now = start
  before(async () => {
    server = await makeServer(lifetime, { now: () => new Date(now) })
  })

  async function scene(first: Partial<WheelSegment>, rest: Partial<WheelDocument> = {}, weights = [1, 0]) {
    now = start
    const { merchant, token } = await makeMerchant(server.ctx.db)
    const { merchantId } = merchant
    const draft = (label = 'First'): WheelDocument => ({
      ...defaultWheel,
      fallback: 'nothing',
      segments: [
        {
          id: 'first',
          label,
          color: '#112233',
          weight: weights[0] ?? 0,
          prize: { kind: 'handover' },
          ...first,
        },
        {
          id: 'nothing',
          label: 'Nothing',
          color: '#445566',
          weight: weights[1] ?? 0,
          prize: { kind: 'none' },
        },
      ],
      ...rest,
    })
    const publish = async (document: WheelDocument) => {
      const order = { merchantId, slug: 'main', now: new Date(now) }
      await saveDraft(server.ctx.db, { ...order, draft: document, revision: undefined })
      const version = await publishWheel(server.ctx.db, order)
      await until(async () => (await server.ctx.wheels.current(merchantId)).version === version.version)
      return JSON.parse(version.published) as { segments: { pace: Pace }[]; budget: Pace }
    }
    const play = async (playerId = 'pia'): Promise<Played> => {
      const link = await post(`${server.url}/api/game/sso`, token, { playerId, initialSpin: 50 })
      const opened = await post(`${server.url}/api/v1/game/session`, undefined, { token: link.body.token })
      const session = opened.body as any
      const { body } = await post(`${server.url}/api/v1/game/plays`, undefined, {
        session: session.session,
        playId: randomUUID(),
        playerSeed: randomBytes(32).toString('hex'),
        commitment: session.next.commitment,
        versionHash: session.wheel.hash,
      })
      return { play: body.play, session }
    }
    const published = await publish(draft())
    return { merchant, token, draft, publish, play, published }
  }

  const runOf = async ({ commitment }: Pace) => (await findRun(server.ctx.db, commitment)) as PaceRun
  const momentsOf = async (pace: Pace) => {
    const key = await keyOfRun(server.ctx, await runOf(pace))
    return (unit: number) => momentOf(pace, key, unit, hashing)
  }
  const shown = async ({ commitment }: Pace): Promise<any> => {
    const answer = await fetch(`${server.url}/api/v1/game/runs/${commitment}`)
    return answer.json()
  }
  /** The numbers of the gates are stored, and not shown. */
  const outcome = async ({ play }: Played) => {
    const [stored] = await server.ctx.db.query(
      statement<{ gates: Required<Gate>[] | null }>('select gates from plays where play_id = $1'),
      [play.playId],
    )
    const told = play.proof.gates?.map(({ segment, run, head, reason, ...rest }: any) => {
      assert.deepEqual(rest, {}, 'what was released and given stays secret')
      return { segment, run, head, ...(reason && { reason }) }
    })
    const gates = stored?.gates?.map(({ released: _r, awards: _a, returned: _b, ...gate }) => gate)
    assert.deepEqual(told, gates)
    return [
      play.fallbackReason,
      stored?.gates?.map(({ released, awards, returned }) => [released, awards, returned]),
    ]
  }

  test('is given as its units are released, and the whole run can be verified after its end', async (t) => {
    const { merchant, token, draft, publish, play, published } = await scene({
      pace: { units: 3, periods: [period] },
    })
    const pace = published.segments[0]?.pace as Pace
    const moment = await momentsOf(pace)
    const early = await play()
    assert.deepEqual(await outcome(early), ['not_winnable_now', undefined])
    assert.deepEqual(early.session.wheel.unavailable, [
      { segment: 0, reason: 'not_winnable_now', until: period.from },
    ])
    now = moment(1) - 1
    assert.deepEqual(await outcome(await play()), ['not_released', [[0, 0, 0]]])
    now = moment(1)
    const won = await play()
    assert.deepEqual(await outcome(won), [null, [[1, 0, 0]]])
    assert.deepEqual(await outcome(await play('paul')), ['not_released', [[1, 1, 0]]])
    const { wheelId } = await server.ctx.wheels.current(merchant.merchantId)
    const leftOn = async (today: number) => {
      const limits = { revealedIfEndedBy: new Date(today) }
      return readStockLeft(server.ctx.db, [{ wheelId, today: new Date(today) }], limits)
    }
    const stock = { wheelId, prizeId: 'first', label: 'First', total: 3 }
    assert.deepEqual(await leftOn(now), [{ ...stock, left: 3 }])
    assert.deepEqual(await leftOn(now + 1), [{ ...stock, left: 2 }])
    assert.deepEqual(
      (await play()).session.wheel.unavailable,
      [],
      'players do not see whether a unit is released',
    )

    const order = { merchantId: merchant.merchantId, playId: won.play.playId, playerId: undefined }
    const cause = {
      actor: { kind: 'command' as const, id: 'test', name: null },
      requestId: null,
      now: new Date(now),
    }
    await settlePrize(
      server.ctx,
      { ...order, action: 'cancel', key: 'k', reason: null, returnsStock: true, reversalHours: 0 },
      cause,
    )
    assert.deepEqual(await outcome(await play()), [null, [[1, 1, 1]]], 'a returned unit can be won again')

    const carried = (await publish(draft('Renamed'))).segments[0]?.pace
    assert.deepEqual(carried, pace, 'another version carries the run on')
    now = moment(3)
    assert.deepEqual(await outcome(await play()), [null, [[3, 2, 1]]])
    assert.deepEqual(await outcome(await play()), [null, [[3, 3, 1]]])
    const soldOut = await play()
    assert.deepEqual(await outcome(soldOut), ['not_released', [[3, 4, 1]]])
    assert.deepEqual(soldOut.session.wheel.unavailable, [{ segment: 0, reason: 'out_of_stock', until: null }])

    const running = await shown(pace)
    assert.deepEqual(
      [running.key, running.head, running.entries],
      [null, null, []],
      'nothing is revealed before',
    )
    now = start + 2 * hour + 60_000
    assert.deepEqual(await outcome(await play()), ['not_winnable_now', undefined])
    const ended = await shown(pace)
    assert.deepEqual(
      ended.entries.map(({ kind, unit }: any) => [kind, unit]),
      [
        ['award', 1],
        ['return', 1],
        ['award', 2],
        ['award', 3],
        ['award', 4],
      ],
    )
    assert.equal(ended.head, (await runOf(pace)).head)

    const env = { DATABASE_URL: databaseUrl(server.target) }
    const exported = await runCli(['plays', 'export', merchant.slug], env)
    const file = join(makeFolder(lifetime), 'plays.ndjson')
    writeFileSync(file, exported.stdout)
    const verified = await runCli(['verify', file, '--json'], env)
    assert.deepEqual(JSON.parse(verified.stdout), { plays: 10, runs: 1, later: 0, wrong: 0, complaints: [] })
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])

    const read = async (path: string): Promise<any> =>
      (await fetch(`${server.url}/api/v1/wheels/main/${path}`, { headers: { Authorization: token } })).json()
    const stated = await read('paces/first/certificate')
    assert.deepEqual(
      [stated.units, stated.released, stated.awards, stated.returned, stated.left],
      [3, 3, 4, 1, 0],
    )
    assert.deepEqual(
      stated.checks.map(({ holds }: any) => holds),
      [true, true, true, true, true],
    )
    const [report] = (await read('paces')).paces
    assert.deepEqual([report.released, report.awards, report.returned, report.left], [3, 4, 1, 0])
    assert.deepEqual([report.points.at(0).given, report.points.at(-1).given], [0, 3])
    assert.ok(report.points.every(({ released, given }: any) => given <= released))

    const byPython = spawnSync('python3', [join(repository, 'test', 'pacing', 'verify.py'), file], {
      encoding: 'utf8',
    })
    if (byPython.error !== undefined) t.diagnostic('python3 is missing: the verifier in Python was not run')
    else assert.equal(byPython.stdout, '10 plays and 1 runs checked, 0 wrong.\n')

    const later = new Date(Date.parse(won.play.playedAt) + 1).toISOString()
    const lines = exported.stdout.trim().split('\n')
    const isWin = (line: string) => line.includes(won.play.playId)
    const forgeries = {
      'a win is moved in time': lines.map((line) =>
        isWin(line) ? line.replaceAll(won.play.playedAt, later) : line,
      ),
      'the play of an award is left out': lines.filter((line) => !isWin(line)),
    }
    for (const [name, forged] of Object.entries(forgeries)) {
      const verifier = new ExportVerifier(hashing)
      for (const line of forged) verifier.add(JSON.parse(line) as VerifiedLine)
      assert.equal(verifier.finish().wrong, 1, name)
      writeFileSync(file, forged.join('\n'))
      const found = spawnSync('python3', [join(repository, 'test', 'pacing', 'verify.py'), file])
      if (found.error === undefined) assert.equal(found.status, 2, name)
    }
  })

  test('gives what is left in its last call, to plays that draw the fallback', async () => {
    const { play, published } = await scene(
      { pace: { units: 2, periods: [period], lastCallSeconds: 600 }, limitPerPlayer: 1 },
      {},
      [0, 1],
    )
    const pace = published.segments[0]?.pace as Pace
    now = start + 2 * hour - 600_000 - 1
    assert.deepEqual(await outcome(await play()), [null, undefined])
    now = start + 2 * hour - 1
    const won = await play()
    assert.deepEqual(await outcome(won), [null, [[2, 0, 0]]])
    assert.deepEqual([won.play.segment, won.play.proof.drawn, won.play.won], [0, 1, true])
    const again = await play()
    assert.deepEqual([again.play.segment, again.play.proof.gates[0].reason], [1, 'player_limit'])
    assert.deepEqual(await outcome(await play('paul')), [null, [[2, 1, 0]]])
    const late = await play('paula')
    assert.deepEqual([late.play.segment, await outcome(late)], [1, [null, [[2, 2, 0]]]])
    assert.equal((await runOf(pace)).entries, 2)
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  })

  test('a version that carries the run on needs codes only for the units that are left', async () => {
    const prize = { kind: 'pool', pool: 'codes' } as const
    const { merchant, draft, publish, play, published } = await scene({}, {}, [1, 1])
    assert.equal(published.segments[0]?.pace, undefined)
    const { merchantId } = merchant
    await uploadCodes(server.ctx.db, { merchantId, pool: 'codes' }, ['A', 'B', 'C'], new Date(now))
    const paced = (label: string, units = 3): WheelDocument => {
      const [first, nothing] = draft(label).segments as [WheelSegment, WheelSegment]
      const pace = { units, periods: [period], lastCallSeconds: 3_600 }
      return { ...draft(label), segments: [{ ...first, prize, pace }, nothing] }
    }
    await assert.rejects(publish(paced('First', 4)), /pool has 3 codes left, and 4 could be won/)
    await publish(paced('First'))
    now = start + 2 * hour - 1
    assert.deepEqual(await outcome(await play()), [null, [[3, 0, 0]]])
    const again = await publish(paced('Renamed'))
    assert.equal(again.segments[0]?.pace.run, 1, 'two codes are left, and two units')
    const { pace, ...stocked } = paced('Stocked').segments[0] as WheelSegment
    const other = {
      ...draft(),
      segments: [{ ...stocked, stock: pace?.units ?? 0 }, draft().segments[1] as WheelSegment],
    }
    await assert.rejects(publish(other), /pool has 2 codes left, and 3 could be won/)
  })

  test('a wheel whose draws chance does not explain is told once a day', async () => {
    const { merchant } = await scene({}, {}, [1, 9])
    const { wheelId, version } = await server.ctx.wheels.current(merchant.merchantId)
    // Beyond the server's own clock, so that its own comparison does not come between.
    const day = start + 2400 * hour
    const counted = [
      [0, 100],
      [1, 900],
    ]
    const count = statement(`
      insert into play_counts (quarter, plays, merchant_id, wheel_id, wheel_version, drawn, segment)
      values ($1, $2, $3, $4, $5, $6, $6)`)
    const of = [merchant.merchantId, wheelId, version]
    for (const [drawn, plays] of counted)
      await server.ctx.db.query(count, [new Date(day), plays, ...of, drawn])
    assert.equal(await watchDraws(server.ctx.db, new Date(day)), 0, 'as often as expected')
    await server.ctx.db.query(count, [new Date(day + 900_000), 80, ...of, 0])
    const tomorrow = new Date(day + 24 * hour)
    assert.equal(await watchDraws(server.ctx.db, tomorrow), 2, 'one too often, so the other too rarely')
    assert.equal(await watchDraws(server.ctx.db, new Date(day + 25 * hour)), 0, 'told once a day')
  })

  test('is paid from the budget, and a changed pace begins a new run', async () => {
    const budget = { amount: 25, periods: [period] }
    const { draft, publish, play, published } = await scene({ cost: 10 }, { budget })
    // 10.00 of 25.00 can't be released before 999/2500 of the hour, as anyone can compute.
    const earliest = start + hour + (999 / 2500) * hour - 1
    now = earliest - 1
    const tooEarly = await play()
    assert.deepEqual((await outcome(tooEarly))[0], 'budget')
    assert.deepEqual(tooEarly.session.wheel.unavailable, [
      { segment: 0, reason: 'budget', until: new Date(earliest).toISOString() },
    ])
    now = earliest
    assert.deepEqual((await play('paula')).session.wheel.unavailable, [])
    now = start + 2 * hour - 1
    assert.deepEqual(await outcome(await play()), [null, [[2500, 0, 0]]])
    assert.deepEqual(await outcome(await play()), [null, [[2500, 1000, 0]]])
    assert.deepEqual(await outcome(await play()), ['budget', [[2500, 2000, 0]]])
    now += 1
    const after = await play()
    assert.deepEqual(await outcome(after), ['budget', undefined])
    const next = { from: new Date(now + hour).toISOString(), until: new Date(now + 2 * hour).toISOString() }
    const second = await publish({ ...draft(), budget: { ...budget, periods: [next] } })
    assert.deepEqual([published.budget.run, second.budget.run], [1, 2])
    assert.notEqual(second.budget.commitment, published.budget.commitment)
    assert.ok((await runOf(published.budget)).endedAt !== null)
    const wrong = { ...draft(), budget: { ...budget, amount: 30 } }
    await assert.rejects(publish(wrong), /periods\/0\/from is in the past/)
    assert.equal((await fetch(`${server.url}/api/v1/game/runs/${'0'.repeat(64)}`)).status, 404)
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  })

  test('two servers whose clocks differ by a second give no unit twice, and every proof holds', async () => {
    const database = { target: server.target, db: server.ctx.db }
    const ahead = await makeServer(lifetime, { database, now: () => new Date(now + 1_000) })
    const units = 6
    const { merchant, token, published } = await scene({ pace: { units, periods: [period] } })
    const pace = published.segments[0]?.pace as Pace
    await until(async () => (await ahead.ctx.wheels.current(merchant.merchantId)).version === 2)
    const moment = await momentsOf(pace)
    const playAt = async ({ url }: { url: string }, playerId: string) => {
      const link = await post(`${url}/api/game/sso`, token, { playerId, initialSpin: 50 })
      const { body } = await post(`${url}/api/v1/game/session`, undefined, { token: link.body.token })
      const { session, next, wheel } = body as any
      const { commitment } = next
      const order = { session, playId: randomUUID(), playerSeed: randomBytes(32).toString('hex'), commitment }
      await post(`${url}/api/v1/game/plays`, undefined, { ...order, versionHash: wheel.hash })
    }
    for (const unit of [1, 2, 3, 4, 5, 6]) {
      now = moment(unit) - 500
      await Promise.all(
        ['a', 'b', 'c', 'd'].map((player, index) => playAt(index % 2 === 0 ? server : ahead, player)),
      )
    }
    now = start + 3 * hour
    const run = await revealWholeRun({ ...server.ctx, now: new Date(now) }, pace.commitment)
    assert.equal(run?.entries.length, units, 'only the server that is ahead sees each unit')
    const verifier = new ExportVerifier(hashing)
    verifier.add({ run: { ...(run as RevealedRun), isBudget: false } })
    const exported = await runCli(['plays', 'export', merchant.slug], {
      DATABASE_URL: databaseUrl(server.target),
    })
    for (const line of exported.stdout.trim().split('\n').slice(1)) verifier.add(JSON.parse(line))
    const { plays, wrong, complaints } = verifier.finish()
    assert.deepEqual([plays, wrong, complaints], [4 * units, 0, []])
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  })
})
