import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { auditLedger } from '../../src/integrity/audit.ts'
import {
  databaseUrl,
  freePort,
  makeDatabase,
  makeMerchant,
  post,
  spawnServer,
  times,
  until,
} from '../scenes/scene.ts'

test('several processes share the port; a process that dies is replaced without loss, and all stop together', async (t) => {
  const { db, target } = await makeDatabase(t)
  const { token } = await makeMerchant(db)
  const metricsPort = await freePort()
  const server = await spawnServer(t, {
    DATABASE_URL: databaseUrl(target),
    PROCESSES: '2',
    METRICS_ADDRESS: `127.0.0.1:${metricsPort}`,
  })
  const workersOf = () =>
    readFileSync(`/proc/${server.child.pid}/task/${server.child.pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .map(Number)
  const give = (index: number) =>
    post(`${server.url}/api/player/increaseSpin`, token, { playerId: `p${index % 5}`, spinNumber: 1 })
  assert.ok((await Promise.all(times(40, give))).every(({ status }) => status === 200))
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  assert.match(metrics, /^wheelhouse_grants_total\{outcome="granted"\} 40$/m)

  const [first] = workersOf() as [number]
  process.kill(first, 'SIGKILL')
  await until(() => workersOf().length === 2 && !workersOf().includes(first))
  await until(async () => (await give(0).catch(() => undefined))?.status === 200)
  const { findings, entries } = await auditLedger(db)
  assert.deepEqual(findings, [])
  assert.ok(entries >= 41)

  const pids = workersOf()
  server.child.kill('SIGTERM')
  await server.stopped
  assert.equal(server.child.exitCode, 0, server.output())
  for (const pid of pids) assert.throws(() => process.kill(pid, 0))
})
