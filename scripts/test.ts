// `npm test [-- files]`: builds the pages, finds or installs Chromium, starts one private PostgreSQL for all test
// files, runs them with Node's test runner, and stops the database. The last lines of output are the runner's.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, freemem, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { openCluster } from '../src/db/embedded/cluster.ts'
import { EmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts'
import { findChromium } from './chromium.ts'
import { installPackages } from './install-packages.ts'
import { allTools, everydayTools, installTools } from './languages.ts'

/** The seconds that each test file took in the run that last wrote them down: `TIMES=write npm test`. */
const timesFile = join(
  import.meta.dirname,
  '..',
  'test',
  'times',
  process.env.TESTS === 'landing' ? 'landing.json' : 'everyday.json',
)
/** Loading and warming up takes two seconds per process. With more processes, fewer would be idle at the end. */
const processes = 16
// Most tests spend most of their time waiting.
const concurrency = Math.min(8, 4 * availableParallelism())

/** The type of a file system in memory on Linux. */
const tmpfs = 0x01021994

execFileSync(process.execPath, [join(import.meta.dirname, 'build.ts')], { stdio: 'inherit' })
const files = process.argv.slice(2)
const chosen = files.length > 0 ? files : chosenFiles()
for (const folder of ['scripts/lint', 'test/openapi-tools', 'test/smtp-server'])
  if (needs(folder)) installPackages(folder)
if (chosen.some((file) => file.includes('client/languages')))
  installTools(process.env.TESTS === undefined ? everydayTools : allTools)
const chromium = findChromium()
const dataDir = mkdtempSync(join(hasRoom('/dev/shm') ? '/dev/shm' : tmpdir(), 'wheelhouse-test-'))
chmodSync(dataDir, 0o711)
const timesReporter = [
  `--test-reporter=${join(import.meta.dirname, 'test-times.ts')}`,
  `--test-reporter-destination=${timesFile}`,
]
const cluster = await openCluster({ dataDir, onTrouble: console.error })
// Tests that crash PostgreSQL use one of their own.
const database = await EmbeddedPostgres.run({
  ...cluster,
  // Each test has a database of its own for a few seconds, which nobody need vacuum.
  settings: {
    fsync: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    max_connections: '200',
    // A process of a busy machine may be late to say who it is; its connection would be closed after a minute.
    authentication_timeout: '10min',
    // The kernel copies the 700 files of a new database: on a disk in a quarter of the processor time.
    file_copy_method: 'clone',
    max_wal_size: '256MB',
  },
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
      '--test-reporter-destination=stdout',
      ...(process.env.TIMES === 'write' ? timesReporter : []),
      ...(process.env.TESTS === 'landing' ? ['--test-only'] : []),
      `--test-concurrency=${concurrency}`,
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

/**
 * Whether a folder in memory has room for the databases of the tests. On a busy disk, a copy of the template takes up
 * to 0.4 seconds of processor time, and in memory 0.03.
 */
function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false
  const { type, bavail, bsize } = statfsSync(folder)
  const gigabytes = Math.min(bavail * bsize, freemem()) / 2 ** 30
  return type === tmpfs && gigabytes > 6
}

/** Writes one file per process to `folder`, which imports that process's tests. The runner starts them by name. */
function inFewProcesses(folder: string): string[] {
  return groups().map((group, index) => {
    const path = join(folder, `${String(index).padStart(2, '0')}.test.mjs`)
    writeFileSync(path, group.map((file) => `await import(${JSON.stringify(resolve(file))})\n`).join(''))
    return path
  })
}

/**
 * The test files, in groups that take about the same time: the longest file first, each to the group with the least
 * time so far. A file without a known time counts as a short one.
 */
function groups(): string[][] {
  const times = JSON.parse(readFileSync(timesFile, 'utf8')) as Record<string, number>
  const secondsOf = (file: string) => times[file] ?? 5
  const made = Array.from({ length: processes }, () => ({ files: [] as string[], seconds: 0 }))
  for (const file of chosen.toSorted((a, b) => secondsOf(b) - secondsOf(a))) {
    const group = made.toSorted((a, b) => a.seconds - b.seconds)[0] as (typeof made)[0]
    group.files.push(file)
    group.seconds += secondsOf(file)
  }
  return made
    .filter((group) => group.files.length > 0)
    .toSorted((a, b) => b.seconds - a.seconds)
    .map((group) => group.files)
}

/** Everyday tests need none of these folders. */
function needs(folder: string): boolean {
  const mentions = (file: string) => existsSync(file) && readFileSync(file, 'utf8').includes(folder)
  return process.env.TESTS !== undefined && chosen.some(mentions)
}

/** Files that have no test of the selection would only be loaded. */
function chosenFiles(): string[] {
  // Tools of some tests bring tests of their own.
  const all = globSync('test/**/*.test.ts', { exclude: ['**/node_modules/**'] })
  return process.env.TESTS === 'landing'
    ? all.filter((file) => readFileSync(file, 'utf8').includes('onLanding'))
    : all
}
