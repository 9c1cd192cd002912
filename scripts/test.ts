// `npm test [-- files]`: builds the pages, finds or installs Chromium, starts one private PostgreSQL for all test files, runs
// them with Node's test runner, and stops the database. The last lines of output are the runner's.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { openCluster } from '../src/db/embedded/cluster.ts'
import { EmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts'
import { findChromium } from './chromium.ts'

/**
 * Each list is a process. Loading and warming up takes two seconds per process, and three with a browser, so browser tests
 * share a process where they can. The longest start first; otherwise one of them would still run alone at the end.
 */
// oxfmt-ignore
const longest = [
  ['console-accessibility', 'operator', 'browser'], ['console-fields', 'console-campaigns'], ['game-states', 'game-embed'],
  ['console-tasks', 'console-import', 'console-campaign-figures', 'console-paces'], ['console-roles', 'console-passkeys', 'console-typed-text'],
  ['game-page', 'game-effects', 'game-engines'], ['webhook-crash', 'failover', 'webhook-delivery'], ['game-look', 'game-changed', 'embed-element'],
  ['first-start', 'quick-start', 'embedded', 'embedded-obstacles'], ['docs', 'openapi', 'client-package'], ['cli', 'tenants', 'event-routes'],
  ['crash', 'demo', 'backup', 'archive'], ['house', 'fuzz', 'operation'], ['play-processes', 'batch-processes', 'bench', 'faults'],
].map((names) => names.map((name) => `test/${name}.test.ts`))
/** The number of processes for all other files. */
const sharedProcesses = 4

execFileSync(process.execPath, [join(import.meta.dirname, 'build.ts')], { stdio: 'inherit' })
const files = process.argv.slice(2)
const chromium = findChromium()
const dataDir = mkdtempSync(join(tmpdir(), 'wheelhouse-test-'))
chmodSync(dataDir, 0o711)
const cluster = await openCluster({ dataDir, onTrouble: console.error })
// Tests that crash PostgreSQL use one of their own.
const database = await EmbeddedPostgres.run({
  ...cluster,
  settings: { fsync: 'off', full_page_writes: 'off', max_connections: '200' },
})
let exitCode: number | null = null
try {
  const admin = new pg.Client({ ...database.target, user: 'postgres', database: 'postgres' })
  await admin.connect()
  await admin.query('alter role wheelhouse createdb')
  // Tests copy this template database, which takes a third of the time of migrating a new one.
  await admin.query('create database migrated owner wheelhouse')
  const { host, port, user } = database.target
  execFileSync(process.execPath, [join(import.meta.dirname, '..', 'src', 'main.ts'), 'migrate'], {
    env: { DATABASE_URL: `postgresql://${user}@${encodeURIComponent(host)}:${port}/migrated` },
  })
  await admin.query('alter database migrated allow_connections false')
  await admin.end()
  const runner = spawn(
    process.execPath,
    [
      '--test',
      '--test-reporter=spec',
      // Most tests spend most of their time waiting.
      `--test-concurrency=${Math.min(8, 3 * availableParallelism())}`,
      ...(files.length > 0 ? files : inFewProcesses(dataDir)),
    ],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        TEST_DATABASE_HOST: host,
        TEST_DATABASE_TEMPLATE: 'migrated',
        TEST_CHROMIUM: chromium,
        NODE_COMPILE_CACHE: join(import.meta.dirname, '..', 'node_modules', '.cache', 'wheelhouse'),
      },
    },
  )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.kill(signal))
  const [code, signal] = (await once(runner, 'exit')) as [number | null, string | null]
  if (signal !== null) console.error(`The test runner was ended by ${signal}; its last lines are missing.`)
  exitCode = code
} finally {
  await database.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
process.exit(exitCode === 0 ? 0 : 1)

/** Writes one file per process to `folder`, which imports that process's tests. The runner starts them in order of name. */
function inFewProcesses(folder: string): string[] {
  const others = globSync('test/**/*.test.ts')
    .toSorted()
    .filter((file) => !longest.flat().includes(file))
  const groups = Array.from({ length: sharedProcesses }, (_, group) =>
    others.filter((_file, index) => index % sharedProcesses === group),
  )
  // Interleaved, because the shared processes mostly wait, which leaves the CPU to the tests with a browser.
  const processes = longest.flatMap((long, index) => [long, ...groups.slice(index, index + 1)])
  return processes.map((group, index) => {
    const path = join(folder, `${String(index).padStart(2, '0')}.test.mjs`)
    writeFileSync(path, group.map((file) => `await import(${JSON.stringify(resolve(file))})\n`).join(''))
    return path
  })
}
