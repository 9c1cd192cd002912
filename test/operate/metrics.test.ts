import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metricTable } from '../../src/monitoring/metric-table.ts'
import {
  asSuperuser,
  freePort,
  makeDatabase,
  makeMerchant,
  makeServer,
  openTestDatabase,
  post,
  type Server,
  setDeadlines,
  until,
} from '../scenes/scene.ts'

/** The value of a series, as Prometheus would read it. */
async function valueOf({ ctx }: Server, series: string): Promise<number> {
  const lines = (await ctx.metrics.registry.metrics()).split('\n')
  return Number(lines.find((line) => line.startsWith(`${series} `))?.split(' ')[1])
}

test('every metric of the table is served, and refusals, hanging batches and wrong clocks show in theirs', async (t) => {
  const server = await makeServer(t, { now: () => new Date(Date.now() + 3_600_000) })
  const { token } = await makeMerchant(server.ctx.db)
  const text = await server.ctx.metrics.registry.metrics()
  for (const { name, help } of Object.values(metricTable))
    assert.ok(text.includes(`# HELP ${name} ${help}\n`), name)

  await until(async () => Math.round(await valueOf(server, 'wheelhouse_clock_offset_seconds')) === 3_600)
  assert.equal(await valueOf(server, 'wheelhouse_database_up'), 1)
  const sealed = 'wheelhouse_background_success_timestamp_seconds{work="seal_ledger"}'
  assert.ok(Math.abs((await valueOf(server, sealed)) - Date.now() / 1000) < 60)

  const give = (spinNumber: number) =>
    post(`${server.url}/api/player/increaseSpin`, token, { playerId: 'ann', spinNumber })
  const refused = 'wheelhouse_refusals_total{code="validation_failed"}'
  assert.equal(await valueOf(server, refused), 0)
  await give(0)
  assert.equal(await valueOf(server, refused), 1)

  const age = 'wheelhouse_batch_in_flight_seconds{kind="grants"}'
  assert.equal(await valueOf(server, age), 0)
  const granted = await asSuperuser(server.target.database, async (client) => {
    await client.query('begin; lock table players in exclusive mode')
    const answer = give(1)
    await until(async () => (await valueOf(server, age)) > 0.1)
    await client.query('rollback')
    return answer
  })
  assert.equal(granted.status, 200)
  assert.equal(await valueOf(server, age), 0)
  assert.equal(await valueOf(server, 'wheelhouse_batch_seconds_count{kind="grants"}'), 1)
})

test('a database that does not answer shows in its metric', async (t) => {
  const { target } = await makeDatabase(t)
  setDeadlines(t, { operationMs: 2_000, connectMs: 1_000, queueWaitMs: 1_000 })
  const nowhere = { ...target, host: '127.0.0.1', port: await freePort() }
  const server = await makeServer(t, { database: { target, db: openTestDatabase(t, nowhere) } })
  await until(async () => (await valueOf(server, 'wheelhouse_database_up')) === 0)
})
