// `npm run fuzz -- --requests 100000 --seed 1`: requests made from the OpenAPI document, and raw bytes, against a real server on a
// PostgreSQL of its own; every answer is judged (fuzz/judge.ts), and in the end the ledger is audited.
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
const database = await EmbeddedPostgres.start({ dataDir, guestAllowed: false, onTrouble: console.error })
process.env.TEST_DATABASE_HOST = database.target.host
const ends: (() => unknown)[] = []
const lifetime = { after: (end: () => unknown) => void ends.push(end) }
try {
  // Looks for the database as soon as it is loaded.
  const { makeServer } = await import('../test/scene.ts')
  const { campaignSettings, makeCampaign } = await import('./campaign.ts')
  const { auditLedger } = await import('../src/audit/audit.ts')
  console.log(`${requests} requests, seed ${seed}`)
  const server = await makeServer(lifetime, { env: campaignSettings })
  const campaign = await makeCampaign(server)
  lifetime.after(() => campaign.close())
  const begunAt = performance.now()
  const seconds = () => Math.round((performance.now() - begunAt) / 1000)
  let shown = 0
  await campaign.run({
    requests,
    seed,
    onLeg: (tally) => {
      if (tally.requests - shown < 10_000) return
      shown = tally.requests
      console.log(`${tally.requests} requests, ${seconds()} s, ${JSON.stringify(tally.byStatus)}`)
    },
  })
  await campaign.runRaw({ exchanges: Math.ceil(requests / 10), seed })
  const { findings } = await auditLedger(server.ctx.db)
  const { tally, operations } = campaign
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
