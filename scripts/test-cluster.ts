// `DATABASE_URL=… npm run test:cluster [-- files]`: runs tests on a Citus cluster, or on another PostgreSQL than the
// embedded one. The address is that of a superuser; of a cluster, at a database of the coordinator that knows the
// workers. Each test gets databases of its own.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createOnNodes, dropOnNodes, nodesOf } from '../test/scenes/database-nodes.ts'

// Left out: tests that make clusters of their own (upgrades, backups, failover), stop PostgreSQL (crashes, `npm run
// faults`), look at its plans or locks by name, archive, or need a browser. `seals` counts seals, and on a cluster each
// shard has its own.
// oxfmt-ignore
const files = [
  'cluster/cluster', 'cluster/operations', 'grants/increase-spin', 'players/ledger', 'links/game-link',
  'links/link-at-once', 'plays/plays', 'players/purses', 'players/spin-expiry', 'free-spins/free-spins',
  'free-spins/model', 'campaigns/interruptions', 'prizes/prize-reversal', 'players/players', 'prizes/manage-prizes',
  'grants/batches', 'reports/exports', 'reports/reports', 'grants/staff-grants', 'events/events', 'events/routes',
  'events/retention', 'events/erasure', 'events/partitions', 'webhooks/delivery', 'pacing/paced-plays',
  'campaigns/campaigns', 'test-mode/test-mode', 'test-mode/promotion',
].map((name) => `test/${name}.test.ts`)

const url = process.env.DATABASE_URL
if (url === undefined) {
  console.log('Skipped: DATABASE_URL names no Citus cluster, nor another PostgreSQL (docs/scale.md).')
  process.exit(0)
}
const chosen = process.argv.slice(2)
const template = 'wheelhouse_template'
const nodes = await nodesOf(url)
await dropOnNodes(nodes, template)
try {
  const { host, port } = await createOnNodes(nodes, template)
  const own = { DATABASE_URL: `postgresql://wheelhouse@${host}:${port}/${template}` }
  const main = join(import.meta.dirname, '..', 'src', 'main.ts')
  run([main, 'migrate'], own)
  if (nodes.length > 1) run([main, 'distribute'], own)
  const hosts = nodes.map((node) => `${node.host}:${node.port}`).join(',')
  const tests = { TEST_DATABASE_NODES: url.replace(/@[^/]*/, `@${hosts}`), TEST_DATABASE_TEMPLATE: template }
  const options = ['--test', '--test-concurrency=1', '--test-reporter=spec']
  run([...options, ...(chosen.length > 0 ? chosen : files)], tests)
} finally {
  await dropOnNodes(nodes, template)
}

function run(args: string[], env: Record<string, string>): void {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  if (status !== 0) process.exitCode = 1
}
