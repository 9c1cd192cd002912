// A short run of `npm run fuzz` with a fixed seed. SEED=… sets another one; `npm run fuzz` runs longer.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type FuzzRun, fuzzSettings, makeFuzzRun } from '../../fuzz/fuzz-run.ts'
import { auditLedger } from '../../src/integrity/audit.ts'
import { makeServer, type Server, suiteLifetime } from '../scenes/scene.ts'
import { onLanding, runsAll } from '../scenes/selection.ts'

const seed = Number(process.env.SEED ?? 20261115)

describe(`fuzzing (SEED=${seed})`, onLanding, () => {
  const lifetime = suiteLifetime()
  let server: Server
  let fuzzRun: FuzzRun
  before(async () => {
    server = await makeServer(lifetime, { env: fuzzSettings })
    fuzzRun = await makeFuzzRun(server)
    lifetime.after(() => fuzzRun.close())
  })

  test('every response is declared in the OpenAPI document, contains no secret, and is the same for the same key', async () => {
    const requests = runsAll ? 6_000 : 700
    await fuzzRun.run({ requests, seed })
    assert.ok(fuzzRun.tally.requests >= requests)
    const { reached, byStatus } = fuzzRun.tally
    // A live merchant can't use the operations of test merchants, and has nothing to promote.
    const usable = fuzzRun.operations.filter(({ path }) => !path.startsWith('/api/v1/test'))
    assert.ok(
      reached.size > usable.length / (runsAll ? 2 : 3),
      `${reached.size} of ${usable.length} operations, ${JSON.stringify(byStatus)}`,
    )
  })

  test('invalid or nearly valid HTTP gets a response or a closed connection', async () => {
    await fuzzRun.runRaw({ exchanges: 150, seed })
  })

  test('the ledger passes the audit afterwards', async () => {
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  })
})
