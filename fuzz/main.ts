// `npm run fuzz -- --requests 100000 --seed 1`: sends requests made from the OpenAPI document, and raw bytes, to a real
// server with its own PostgreSQL. Every answer is checked (fuzz/judge.ts), and at the end the ledger is audited.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { EmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
})
const [requests, seed] = [Number(values.requests), Number(values.seed)]
const dataDir = mkdtempSync(join(tmpdir(), 'wheelhouse-fuzz-'))
chmodSync(dataDir, 0o711)
const database = await EmbeddedPostgres.start({ dataDir, sharingAllowed: false, onTrouble: console.error })
process.env.TEST_DATABASE_HOST = database.target.host
const ends: (() => unknown)[] = []
const lifetime = { after: (end: () => unknown) => void ends.push(end) }
try {
  // Imported here, because it reads TEST_DATABASE_HOST when it is loaded.
  const { makeServer } = await import('../test/scenes/scene.ts')
  const { fuzzSettings, makeFuzzRun } = await import('./fuzz-run.ts')
  const { auditLedger } = await import('../src/integrity/audit.ts')
  console.log(`${requests} requests, seed ${seed}`)
  const server = await makeServer(lifetime, { env: fuzzSettings })
  const fuzzRun = await makeFuzzRun(server)
  lifetime.after(() => fuzzRun.close())
  const startedAt = performance.now()
  const seconds = () => Math.round((performance.now() - startedAt) / 1000)
  let shown = 0
  await fuzzRun.run({
    requests,
    seed,
    onRound: (tally) => {
      if (tally.requests - shown < 10_000) return
      shown = tally.requests
      console.log(`${tally.requests} requests, ${seconds()} s, ${JSON.stringify(tally.byStatus)}`)
    },
  })
  await fuzzRun.runRaw({ exchanges: Math.ceil(requests / 10), seed })
  const { findings } = await auditLedger(server.ctx.db)
  const { tally, operations } = fuzzRun
  console.log(
    `${tally.requests} requests and ${tally.rawExchanges} raw exchanges in ${seconds()} s; ${tally.reached.size} of ${operations.length} operations succeeded at least once`,
  )
  console.log(`by status: ${JSON.stringify(tally.byStatus)}`)
  console.log(`memory: ${Math.round(process.memoryUsage().rss / 2 ** 20)} MB, server and driver together`)
  console.log(findings.length === 0 ? 'the audit is clean' : `AUDIT: ${JSON.stringify(findings)}`)
  if (findings.length > 0) process.exitCode = 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  for (const end of ends.toReversed()) await end()
  await database.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
process.exit()
