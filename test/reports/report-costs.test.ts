import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { readPosition } from '../../src/db/work-positions.ts'
import { activityLagMs } from '../../src/limits.ts'
import { countActivity } from '../../src/reports/count-activity.ts'
import { alwaysWins, makeManagementApi } from '../scenes/management-scene.ts'
import { makeServer, type Server, suiteLifetime, until } from '../scenes/scene.ts'

const dayMs = 86_400_000

describe('costs in reports', () => {
  const lifetime = suiteLifetime()
  let server: Server
  // In the future, since counting only moves forward in time, and the database has its own clock.
  const start = Math.ceil(Date.now() / dayMs) * dayMs + 2 * dayMs
  let now = new Date(start)
  before(async () => {
    server = await makeServer(lifetime, { now: () => now })
  })

  test('are exact sums of decimal numbers: three prizes of 0.1 cost 0.3', async () => {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({ cost: 0.1 }))
    for (const player of ['ann']) await api.play(player)
    now = new Date(start + dayMs)
    for (const player of ['bob', 'cid']) await api.play(player)
    await until(async () => {
      while (await countActivity(server.ctx.db, new Date(now.getTime() + activityLagMs + 1), 5 * dayMs));
      return ((await readPosition(server.ctx.db, 'counts')) ?? new Date(0)) > now
    })
    const [from, to] = [start, now.getTime()].map((ms) => new Date(ms).toISOString().slice(0, 10))
    const read = async (path: string) => (await api.call('GET', path)).body
    const span = `from=${from}&to=${to}`
    const { days } = await read(`/reports/days?${span}`)
    assert.deepEqual(
      days.map(({ cost }: any) => cost),
      [0.1, 0.2],
    )
    assert.equal((await read(`/reports/performance?${span}`)).totals.cost, 0.3)
    assert.equal((await read(`/reports/prizes?${span}`)).prizes[0].cost, 0.3)
    assert.equal((await read('/campaigns/main?figures=true')).figures.cost, 0.3)
  })
})
