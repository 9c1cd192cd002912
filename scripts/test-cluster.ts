// `DATABASE_URL=… npm run test:cluster [-- files]`: migrates and distributes the database of a Citus cluster, and runs tests
// on it. They share that database: to distribute one takes half a minute. Use one that holds nothing else.
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'

// oxfmt-ignore
const files = [
  'cluster', 'cluster-operations', 'increase-spin', 'ledger', 'game-link', 'plays', 'purses', 'spin-expiry', 'free-spins', 'prize-reversal', 'manage-players', 'manage-prizes',
  'manage-batches', 'manage-exports', 'staff-grants', 'events', 'event-routes', 'seals', 'paced-plays', 'campaigns',
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
