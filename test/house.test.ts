import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { catalogue } from '../src/events/catalogue.ts'
import { eventTypes } from '../src/events/event-types.ts'
import { exampleOf, withCatalogue } from '../src/events/catalogue-page.ts'
import { checkPayload } from '../src/events/check-payloads.ts'
import { errorsMarkdown } from '../src/http/docs/errors-page.ts'
import { envExample, settingsMarkdown } from '../src/settings/settings-page.ts'
import { repository } from './scene.ts'

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: repository,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '')
const sources = tracked.filter((file) => file.startsWith('src/') && file.endsWith('.ts'))
const read = (file: string): string => readFileSync(join(repository, file), 'utf8')

function run(command: string, ...args: string[]): void {
  try {
    execFileSync(join(repository, 'node_modules', '.bin', command), args, {
      cwd: repository,
      encoding: 'utf8',
      stdio: 'pipe',
      // For the checkers, which are written in Go: with several threads they do the same work several times over.
      env: { ...process.env, GOMAXPROCS: '1', GOGC: '400' },
    })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    assert.fail(`${command} ${args.join(' ')}\n${stdout}${stderr}`)
  }
}

test('types hold', () => run('tsc', '--noEmit', '--checkers', '1'))
test('the linter has nothing to say', () => run('oxlint', '--type-aware', '--deny-warnings'))
test('everything is formatted', () => run('oxfmt', '--check'))

function importsOf(file: string): string[] {
  return [...read(file).matchAll(/from '([^']+)'/g)].map(([, target]) =>
    (target as string).startsWith('.')
      ? normalize(join(dirname(file), target as string))
      : (target as string),
  )
}

test('the driver is imported in one folder, the web framework in one, the settings read in one file', () => {
  for (const file of sources) {
    const imports = importsOf(file)
    if (!file.startsWith('src/db/')) assert.ok(!imports.includes('pg'), `${file} imports the driver`)
    const isEdge = file.startsWith('src/http/') || file === 'src/cli/start-app.ts'
    if (!isEdge)
      assert.ok(!imports.some((name) => /^@?fastify/.test(name)), `${file} imports the web framework`)
    if (file !== 'src/config.ts')
      assert.doesNotMatch(read(file), /process\.env/, `${file} reads the environment`)
    if (file !== 'src/main.ts') assert.doesNotMatch(read(file), /process\.exit\(/, `${file} ends the process`)
  }
})

test('imports between the domains run one way', () => {
  // oxfmt-ignore
  const order = [
    'settings', 'db', 'crypto', 'events', 'merchants', 'staff', 'players', 'prizes', 'wheels', 'plays', 'seals', 'reports', 'games', 'webhooks', 'http', 'cli',
  ]
  const domain = (file: string): number => order.indexOf(file.split('/')[1] ?? '')
  const allowed = new Set(['src/db/open-database.ts → src/config.ts', 'src/metrics.ts → src/db/database.ts'])
  for (const file of sources) {
    for (const target of importsOf(file).filter((name) => name.startsWith('src/'))) {
      const isContext = file === 'src/context.ts' || file === 'src/config.ts' || file === 'src/main.ts'
      if (isContext || allowed.has(`${file} → ${target}`)) continue
      const isUpwards = domain(target) > domain(file)
      assert.ok(!isUpwards, `${file} imports ${target}, which stands above it`)
    }
  }
})

test('SQL stands in stores, and a table is written by one file', () => {
  const writers = new Map<string, Set<string>>()
  for (const file of sources) {
    for (const [, table] of read(file).matchAll(/^(?:insert into|update|delete from) ([a-z_]+)/gm)) {
      writers.set(table as string, (writers.get(table as string) ?? new Set()).add(file))
    }
  }
  assert.ok(writers.size >= 6)
  // Balances and entries are the ledger's; what people change about a player stands with the player.
  writers.get('players')?.delete('src/players/players.ts')
  for (const [table, files] of writers)
    assert.equal(files.size, 1, `${table} is written by ${[...files].join(' and ')}`)
})

test('files are short enough to read', () => {
  const written = tracked.filter((name) => !name.startsWith('packages/client/src/generated/'))
  for (const file of written.filter((name) => /\.(ts|js|mjs|sql|css)$/.test(name))) {
    const lines = read(file).split('\n').length
    // A table of sentences is looked things up in, not read.
    const max = file === 'src/refusals.ts' ? 600 : /^test\/|\.css$/.test(file) ? 450 : 350
    assert.ok(lines <= max, `${file} has ${lines} lines`)
  }
})

test('.env.example and docs/settings.md are what the code makes (npm run docs)', () => {
  assert.equal(read('.env.example'), envExample())
  assert.equal(read('docs/settings.md'), settingsMarkdown())
})

test('docs/errors.md is what the code makes (npm run docs)', () => {
  assert.equal(read('docs/errors.md'), errorsMarkdown())
})

test('docs/events.md has every event as the code has it (npm run docs), with examples that fit', () => {
  assert.equal(read('docs/events.md'), withCatalogue(read('docs/events.md')))
  for (const type of eventTypes)
    checkPayload({ type, data: exampleOf(catalogue[type].data as never) as object })
})

test('every link between documents leads somewhere', () => {
  for (const file of tracked.filter((name) => name.endsWith('.md'))) {
    for (const [, target] of read(file).matchAll(/\]\((?!https?:|#|\/)([^)#]+)(?:#[^)]*)?\)/g)) {
      const path = normalize(join(dirname(file), target as string)).replace(/\/$/, '')
      assert.ok(
        tracked.some((name) => name === path || name.startsWith(`${path}/`)),
        `${file} links to ${target}`,
      )
    }
  }
})

test('the lock files name no host, and no package but a denied one has an install script', () => {
  type Entry = { resolved?: string; integrity?: string; link?: boolean; hasInstallScript?: boolean }
  const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> }
  for (const file of ['package-lock.json', 'bench/package-lock.json']) {
    const { packages } = JSON.parse(read(file)) as { packages: Record<string, Entry> }
    const installed = Object.entries(packages).filter(([name]) => name.includes('node_modules/'))
    // The others are packages of our own, and the links to them.
    for (const [path, entry] of installed.filter(([, { link }]) => link !== true)) {
      assert.equal(entry.resolved, undefined, path)
      assert.ok(entry.integrity?.startsWith('sha512-'), `${path} has no hash`)
      if (entry.hasInstallScript === true)
        assert.equal(allowScripts[path.replace('node_modules/', '')], false, path)
    }
  }
})
