// `DATABASE_URL=… npm run test:cluster [-- files]`: migrates and distributes the database of a Citus cluster, and runs tests
// on it. They share that database: to distribute one takes half a minute. Use one that holds nothing else.
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'

// Left out: tests that make databases of their own (upgrades, backups, archives, two merchants' databases), stop PostgreSQL
// (crashes, failover, `npm run faults`), look at its plans or locks by name, or need a browser.
// `seals` damages rows by statements that Citus refuses, and counts seals: on a cluster each shard has one of its own.
// oxfmt-ignore
const files = [
  'cluster', 'cluster-operations', 'increase-spin', 'ledger', 'game-link', 'link-at-once', 'plays', 'purses', 'spin-expiry', 'free-spins',
  'free-spin-model', 'interruptions', 'prize-reversal', 'manage-players', 'manage-prizes', 'manage-batches', 'manage-exports', 'manage-reports',
  'staff-grants', 'events', 'event-routes', 'event-retention', 'event-erasure', 'webhook-delivery', 'paced-plays', 'campaigns', 'test-mode',
  'promotion',
].map((name) => `test/${name}.test.ts`)

const url = process.env.DATABASE_URL
if (url === undefined) {
  console.log('Skipped: DATABASE_URL does not name the coordinator of a Citus cluster (docs/scale.md).')
  process.exit(0)
}
for (const command of ['migrate', 'distribute'])
  execFileSync(process.execPath, [join(import.meta.dirname, '..', 'src', 'main.ts'), command], {
    stdio: 'inherit',
  })
const chosen = process.argv.slice(2)
const { status } = spawnSync(
  process.execPath,
  ['--test', '--test-concurrency=1', '--test-reporter=spec', ...(chosen.length > 0 ? chosen : files)],
  { stdio: 'inherit', env: { ...process.env, TEST_CLUSTER_URL: url } },
)
process.exit(status ?? 1)
