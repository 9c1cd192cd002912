// Free spins of a test merchant, collected and played over HTTP by a random clock, beside a plain list of lots. Five
// players live in five time zones. SEED=… repeats a run; STEPS=1000 makes it longer (a step is up to three days).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditLedger } from '../../src/integrity/audit.ts'
import { SeededRandom } from '../../faults/seeded-random.ts'
import { DayModel } from './day-model.ts'
import { alwaysWins, callApi, makeManagementApi } from '../scenes/management-scene.ts'
import { makeServer } from '../scenes/scene.ts'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000_000)
const steps = Number(process.env.STEPS ?? 14)
const zones = {
  berlin: 'Europe/Berlin',
  paulo: 'America/Sao_Paulo',
  howe: 'Australia/Lord_Howe',
  apia: 'Pacific/Apia',
  kiri: 'Pacific/Kiritimati',
}
// Berlin changes its clocks on 28 March, Lord Howe on 4 April.
const start = Date.parse('2027-03-24T00:00:00Z')
const streaks = [
  { length: 2, spins: 1 },
  { length: 4, spins: 2 },
]

test(`free spins over time are those of a list of lots (SEED=${seed})`, async (t) => {
  const random = new SeededRandom(seed)
  const server = await makeServer(t)
  const live = await makeManagementApi(server)
  await live.publish(alwaysWins({ prize: { kind: 'none' } }))
  const { token } = (await live.call('POST', '/test-merchant', {})).body
  const call = async (method: string, path: string, body?: unknown) => {
    const reply = await callApi(server, token, method, `/api/v1${path}`, body === undefined ? {} : { body })
    assert.equal(reply.status, 200, reply.text)
    return reply.body
  }
  const bank = 1 + random.below(3)
  await call('PUT', '/test/clock', { now: new Date(start).toISOString() })
  await call('PATCH', '/campaigns/main', { freeSpins: { every: 'day', zone: 'player', bank, streaks } })
  const extra = new Map(streaks.map(({ length, spins }) => [length, spins]))
  const players = Object.entries(zones).map(([playerId, timeZone]) => ({
    playerId,
    timeZone,
    model: new DayModel(timeZone, bank, extra),
  }))

  /** A player opens the game, and plays some of the spins. */
  async function visit({ playerId, timeZone, model }: (typeof players)[number], now: number): Promise<void> {
    const before = model.spins
    const given = model.visit(now)
    const due = given.reduce((sum, { spins }) => sum + spins, 0)
    const link = await call('POST', '/links', { playerId, timeZone })
    if (random.happens(0.3)) {
      const { spinCount, free } = await call('GET', `/players/${playerId}`)
      const isKnown = free[0].streak.best > 0
      // Before the first visit, the time zone is not known.
      if (isKnown) assert.deepEqual([spinCount, free[0].available], [before, due], 'a read collects nothing')
    }
    const session = await call('POST', '/game/session', { token: link.token })
    const { spinCount, free } = session
    const at = `${playerId} at ${new Date(now).toISOString()}, bank ${bank}`
    assert.deepEqual([spinCount, free.available, free.streak.length], [model.spins, 0, model.streak], at)
    let next = session
    for (let use = random.below(3); use > 0 && model.use(1) === 1; use--) {
      const playerSeed = random.hex(32)
      const [{ commitment }, versionHash] = [next.next, session.wheel.hash]
      const order = { session: session.session, playId: random.uuid(), playerSeed, commitment, versionHash }
      next = await call('POST', '/game/plays', order)
      assert.equal(next.spinCount, model.spins, at)
    }
  }

  for (let step = 0, now = start; step < steps; step++) {
    const then = now
    now += (1 + random.below(3 * 1_440)) * 60_000
    await call('PUT', '/test/clock', { now: new Date(now).toISOString() })
    for (const player of players) {
      player.model.pass(then, now)
      if (random.happens(0.7)) await visit(player, now)
    }
  }
  for (const { playerId, model } of players)
    assert.equal((await call('GET', `/players/${playerId}`)).spinCount, model.spins, playerId)
  assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
})
