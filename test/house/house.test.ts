import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventTypes } from '../../src/events/event-types.ts'
import { sampleOf, withCatalogue } from '../../src/events/catalogue-page.ts'
import { checkPayload } from '../../src/events/check-payloads.ts'
import { errorsMarkdown } from '../../src/http/docs/errors-page.ts'
import { alertRules } from '../../src/monitoring/alert-rules.ts'
import { alerts } from '../../src/monitoring/alerts.ts'
import { dashboard } from '../../src/monitoring/dashboard.ts'
import { withMonitoring } from '../../src/monitoring/monitoring-page.ts'
import { envExample, settingsMarkdown } from '../../src/settings/settings-page.ts'
import { alertCases } from '../operate/alert-cases.ts'
import type { ListedStatement } from '../database/all-statements.ts'
import { emptyNames, longComments, longFunctions } from './house-code.ts'
import {
  brokenLinks,
  deadExports,
  type Files,
  importCircles,
  longFiles,
  longLines,
  looseLocks,
  misplacedAccess,
  misplacedPackages,
  missingPaths,
  sharedTables,
  upwardImports,
  writersByVariable,
  wrongFolderList,
} from './house-rules.ts'
import { onLanding } from '../scenes/selection.ts'

const repository = join(import.meta.dirname, '..', '..')

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: repository,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '')
const read = (file: string): string => readFileSync(join(repository, file), 'utf8')
const files: Files = new Map(
  tracked
    .filter((file) =>
      /\.(?:[cm]?[jt]sx?|css|sql|html|md|json|py|php|service|sh|ya?ml)$|^Containerfile$|^bin\//.test(file),
    )
    .map((file) => [file, read(file)]),
)

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

test('types hold', onLanding, () => run('tsc', '--noEmit', '--checkers', '1'))
test('the linter has nothing to say', onLanding, () => run('node', 'scripts/lint.ts', '--deny-warnings'))
test('everything is formatted', () => run('oxfmt', '--check'))

const holds = (violations: string[]): void => assert.equal(violations.join('\n'), '')

test('the driver, the web framework, the environment and the end of the process have one place each', () => {
  holds(misplacedAccess(files))
})

test('imports inside src run one way, in the order that ARCHITECTURE.md lists', () => {
  // They take the whole context, but only its type.
  const allowed = new Set([
    'src/entries/entry-context.ts → src/context.ts',
    'src/links/embed-origins.ts → src/context.ts',
    'src/links/game-links.ts → src/context.ts',
    'src/plays/game-sessions.ts → src/context.ts',
    'src/plays/test-plays.ts → src/context.ts',
    'src/wallet/claim-prize.ts → src/context.ts',
    'src/wallet/wallet-links.ts → src/context.ts',
    'src/wallet/wallet-prizes.ts → src/context.ts',
  ])
  holds(upwardImports(files, allowed))
  holds(wrongFolderList(files))
})

test('no files import each other in a circle', () => holds(importCircles(files)))

test('a table is written by one file', () => {
  // A grant or play in one round trip is one statement, so it writes all of its tables itself.
  const playing = 'src/plays/play-at-once.ts'
  const atOnce = ['src/grants/grant-at-once.ts', playing]
  // Archives remove rows, and put them back.
  const archive = 'src/integrity/archive/archive-rows.ts'
  const carried = 'src/integrity/archive/carried.ts'
  const distribute = ['src/db/cluster/distribute.ts']
  const allowed = {
    // A merchant is created with its campaign `main`.
    campaigns: ['src/merchants/main-campaign.ts'],
    // It fills them when it makes them.
    cluster_probe: distribute,
    cluster_shards: distribute,
    forced_plays: [archive],
    ledger_entries: [...atOnce, archive],
    ledger_seal_parts: [archive],
    // The ledger creates players and writes balances. The other columns, such as the block, are not its business.
    players: [...atOnce, 'src/players/write-entries.ts', 'src/players/players.ts', carried],
    plays: [playing, archive],
    prize_stocks: [playing],
  }
  const script = join(import.meta.dirname, '..', 'database', 'all-statements.ts')
  const printed = execFileSync(process.execPath, [script, ...writersByVariable(files)], { encoding: 'utf8' })
  holds(sharedTables(files, allowed, JSON.parse(printed) as ListedStatement[]))
})

test('no file of the baseline and no migration on main was edited: sql/SHA256SUMS has the hash of each', () => {
  const lines = [...files]
    .filter(([path]) => /^sql\/(baseline\/|\d)/.test(path))
    .map(([path, text]) => `${createHash('sha256').update(text).digest('hex')}  ${path.slice('sql/'.length)}`)
  const recorded = read('sql/SHA256SUMS').trimEnd().split('\n')
  const names = new Set(recorded.map((line) => line.split('  ')[1]))
  holds(
    lines
      .filter((line) => !recorded.includes(line))
      .map((line) =>
        names.has(line.split('  ')[1])
          ? `${line}: a database that has the recorded text would be refused. Restore the file; write the next migration.`
          : `sql/SHA256SUMS lacks the line of a new migration:\n${line}`,
      ),
  )
  assert.equal(recorded.length, lines.length, 'a migration on main is never removed or renamed')
})

test('the packages of production are those that src imports', () => holds(misplacedPackages(files)))

/** Without what a program wrote. */
const written: Files = new Map(
  [...files].filter(
    ([path]) => !/^(?:packages\/client\/src\/generated\/|web\/embed\/builds\/|sql\/schema\.sql$)/.test(path),
  ),
)

test('files are short enough to read', () => {
  const allowed = {
    // Tables to look things up in.
    'src/refusals.ts': 850,
    'src/limits.ts': 400,
    'src/monitoring/metric-table.ts': 400,
    // The ways through the game and through an entry, each from top to bottom.
    'web/game/main.ts': 370,
    'web/game/entry/enter.ts': 375,
  }
  holds(longFiles(written, allowed))
})

test('functions are short enough to read', () => holds(longFunctions(files)))

test('names say what they are', () => holds(emptyNames(written)))

test('every exported name is used by another file', () => {
  // The runner loads its reporter by name.
  holds(deadExports(files, new Set(['scripts/test-times.ts default'])))
})

test('comments have short lines', () => holds(longComments(written)))

test('Markdown has short lines, and its paths and links exist', () => {
  holds(longLines(files))
  holds(missingPaths(files, tracked))
  holds(brokenLinks(files, tracked))
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
  for (const type of eventTypes) checkPayload({ type, data: sampleOf(type) })
})

test('alert rules, dashboard and docs/monitoring.md are what the code makes (npm run docs); every alert has a test', () => {
  assert.equal(read('deploy/monitoring/wheelhouse-alerts.yml'), alertRules())
  assert.equal(read('deploy/monitoring/wheelhouse-dashboard.json'), dashboard())
  assert.equal(read('docs/monitoring.md'), withMonitoring(read('docs/monitoring.md')))
  assert.deepEqual(
    Object.keys(alertCases),
    alerts.map(({ name }) => name),
  )
})

test('the lock files name no host, and no package but a denied one has an install script', () => {
  const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> }
  holds(looseLocks(files, allowScripts))
})
