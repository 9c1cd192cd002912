import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  brokenLinks,
  deadExports,
  type Files,
  importCircles,
  importOrder,
  importsOf,
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

const files = (texts: Record<string, string>): Files => new Map(Object.entries(texts))

test('imports are found in every form', () => {
  const text = [
    `import first, { second, type Third as Other } from './a.ts'`,
    `import type {\n  Fourth,\n} from '../b.ts'`,
    `import * as everything from 'pg'`,
    `import './c.css'`,
    `export { fifth } from './d.ts'`,
    `const later = () => import('./e.tsx')`,
  ].join('\n')
  assert.deepEqual(importsOf('src/x/y.ts', text), [
    { target: 'src/x/a.ts', names: ['default', 'second', 'Third'] },
    { target: 'src/b.ts', names: ['Fourth'] },
    { target: 'pg', names: 'all' },
    { target: 'src/x/d.ts', names: ['fifth'] },
    { target: 'src/x/c.css', names: 'all' },
    { target: 'src/x/e.tsx', names: 'all' },
  ])
})

test('a misplaced driver, web framework, read of the environment or process.exit is found', () => {
  const text = `import pg from 'pg'\nimport rate from '@fastify/rate-limit'\nif (process.env.A) process.exit(1)`
  assert.deepEqual(misplacedAccess(files({ 'src/plays/plays.ts': text })), [
    'src/plays/plays.ts imports the driver',
    'src/plays/plays.ts imports the web framework',
    'src/plays/plays.ts reads the environment',
    'src/plays/plays.ts ends the process',
  ])
  const right = files({
    'src/db/pool.ts': `import pg from 'pg'`,
    'src/config.ts': 'process.env',
    'test/a.ts': text,
  })
  assert.deepEqual(misplacedAccess(right), [])
})

test('imports against the order are found', () => {
  const type = `import type { Play } from '../plays/plays.ts'`
  const edge = 'src/wheels/wheels.ts → src/plays/plays.ts'
  const wrong = files({ 'src/wheels/wheels.ts': type })
  assert.deepEqual(upwardImports(wrong), [`${edge} runs against the order of imports`])
  assert.deepEqual(upwardImports(wrong, new Set([edge])), [])
  assert.deepEqual(upwardImports(files({ 'src/prizes/prizes.ts': type })), [])
  assert.equal(upwardImports(files({ 'src/log.ts': `import { a } from './db/database.ts'` })).length, 1)
  assert.deepEqual(upwardImports(files({ 'src/extras/extras.ts': '' })), [
    'src/extras has no place in the order of imports',
  ])
})

test('a list of folders in another order, or with other imports, is found', () => {
  const lines = importOrder
    .filter((name) => !name.endsWith('.ts'))
    .map((name) => `- \`src/${name}/\`: x – none`)
  const about = (...text: string[]): string[] =>
    wrongFolderList(
      files({
        'ARCHITECTURE.md': `${text.join('\n')}\n\n`,
        'src/wheels/a.ts': `import { a } from '../stock/b.ts'\nimport { b } from '../db/database.ts'`,
      }),
    )
  const right = lines.map((line) => line.replace('wheels/`: x – none', 'wheels/`: x – `db`,\n  `stock`'))
  assert.deepEqual(about(...right), [])
  assert.deepEqual(about(...lines), ['ARCHITECTURE.md: src/wheels imports db, stock, not '])
  assert.equal(about(...right.toReversed()).length, 1)
  assert.equal(about(...right.slice(1)).length, 1)
})

test('circles of imports are found', () => {
  const chain = {
    'src/a.ts': `import { b } from './b.ts'`,
    'src/b.ts': `import type { C } from './c.ts'`,
  }
  assert.deepEqual(importCircles(files({ ...chain, 'src/c.ts': '' })), [])
  assert.deepEqual(importCircles(files({ ...chain, 'src/c.ts': `const a = () => import('./a.ts')` })), [
    'src/a.ts → src/b.ts → src/c.ts → src/a.ts',
  ])
  for (const folder of ['test/game/engines', 'deploy/check', 'packages/client/src']) {
    const pair = files({
      [`${folder}/a.ts`]: `import './b.mjs'`,
      [`${folder}/b.mjs`]: `import type { A } from './a.ts'`,
    })
    assert.equal(importCircles(pair).length, 1)
  }
})

test('tables with two writers are found', () => {
  const insert = 'const insert = statement(`\ninsert into plays (a) values ($1)`)'
  const shared = (other: string): string[] =>
    sharedTables(files({ 'src/plays/plays.ts': insert, 'src/cli/merchants/demo.ts': other }))
  const found = ['plays is written by src/cli/merchants/demo.ts and src/plays/plays.ts']
  assert.deepEqual(shared('`with gone as (\n  delete from plays where a = 1\n) select 1`'), found)
  assert.deepEqual(shared(`db.query('update plays set a = 1')`), found)
  assert.deepEqual(shared('`update plays as p\nset a = 1`'), found)
  assert.deepEqual(shared('`insert into plays\nselect 1`'), found)
  assert.deepEqual(shared('`update ${name} set a = 1; insert into other (a) values (1)`'), [
    'src/cli/merchants/demo.ts: the table of "update ${name}" is not known when the file is loaded',
  ])
  assert.deepEqual(shared('`select 1 from plays for update of plays`'), [])
  assert.deepEqual(shared('`select 1 from plays for no key update skip locked`'), [])
  assert.deepEqual(shared('`insert into b (a) values (1) on conflict do update\nset a = 1`'), [])
  assert.deepEqual(shared('// Then update plays set by hand.'), [])
})

test('tables that are written by a variable are found', () => {
  const text =
    'const clear = tables.map((table) => statement(`\ndelete from ${table}\nusing gone\nwhere ${table}.a = 1`))'
  const own = files({ 'src/plays/plays.ts': '`insert into plays (a)`', 'src/cli/demo.ts': text })
  assert.deepEqual(writersByVariable(own), ['src/cli/demo.ts'])
  const loaded = { file: 'src/cli/demo.ts', text: '\ndelete from plays\nusing gone\nwhere plays.a = 1' }
  assert.deepEqual(sharedTables(own, {}, [loaded]), [
    'plays is written by src/cli/demo.ts and src/plays/plays.ts',
  ])
  assert.deepEqual(sharedTables(own, { plays: ['src/cli/demo.ts'] }, [loaded]), [])
  // A part of the name may be a variable, too.
  const part = files({ ...Object.fromEntries(own), 'src/cli/demo.ts': '`insert into ${kind}s (a)`' })
  const made = { ...loaded, text: 'insert into plays (a)' }
  assert.deepEqual(sharedTables(part, { plays: ['src/cli/demo.ts'] }, [made]), [])
  assert.equal(sharedTables(part, {}, [made]).length, 1)
  const short = files({ ...Object.fromEntries(own), 'src/cli/demo.ts': '`delete from ${table}`' })
  assert.equal(sharedTables(short, {}, [{ ...loaded, text: 'delete from plays' }]).length, 1)
})

test('tables that are written by a variable without a value at first are found', () => {
  const text =
    'const clear = (tx, table) => tx.query(statement(`delete from ${table}`))\n`insert into plays (a)`'
  const loaded = [
    { file: 'src/cli/demo.ts', text: 'insert into plays (a)' },
    { file: 'src/plays/plays.ts', text: 'delete from visits' },
  ]
  assert.deepEqual(sharedTables(files({ 'src/cli/demo.ts': text }), {}, loaded), [
    'src/cli/demo.ts: the table of "delete from ${table}" is not known when the file is loaded',
  ])
})

test('exceptions for tables hold, and unused ones are found', () => {
  const both = { 'src/a.ts': "'insert into plays (a)'", 'src/b.ts': "'insert into plays (a)'" }
  assert.deepEqual(sharedTables(files(both), { plays: ['src/b.ts'] }), [])
  assert.deepEqual(sharedTables(files({ 'src/a.ts': both['src/a.ts'] }), { plays: ['src/b.ts'] }), [
    'src/b.ts may write plays but does not: remove the exception',
  ])
})

test('packages that production lacks or does not need are found', () => {
  const dependencies = { used: '1', '@a/b': '1', idle: '1' }
  const own = {
    'package.json': JSON.stringify({ dependencies, devDependencies: { dev: '1' } }),
    'src/a.ts': `import { join } from 'node:path'\nimport a from 'used/deep'\nimport type { B } from '@a/b/c'`,
    'src/b.ts': `import { a } from './a.ts'\nconst { build } = await import('dev')`,
    'scripts/a.ts': `import dev from 'dev'`,
  }
  assert.deepEqual(misplacedPackages(files(own)), [
    'src/b.ts imports dev, which is not in dependencies',
    'package.json: idle is in dependencies, but src does not import it',
  ])
})

test('long files are found', () => {
  const long = 'x\n'.repeat(351)
  for (const path of ['src/a.ts', 'web/a.tsx', 'sql/1.sql'])
    assert.deepEqual(longFiles(files({ [path]: long })), [`${path} has 351 lines, more than 350`])
  assert.deepEqual(longFiles(files({ 'src/a.ts': long }), { 'src/a.ts': 351 }), [])
  assert.deepEqual(longFiles(files({ 'test/a.ts': long, 'web/a.css': long, 'docs/a.md': long })), [])
  assert.equal(longFiles(files({ 'web/a.css': 'x\n'.repeat(451) })).length, 1)
})

test('dead exports are found', () => {
  const text = 'export const used = 1\nexport async function unused() {}\nexport type Own = 1\nlet a: Own'
  const user = `import { used } from '../src/a.ts'`
  const dead = (name: string): string => `src/a.ts ${name} is exported but used by no other file`
  assert.deepEqual(deadExports(files({ 'src/a.ts': text, 'faults/b.ts': user })), [
    dead('unused'),
    dead('Own'),
  ])
  assert.deepEqual(
    deadExports(files({ 'src/a.ts': text, 'test/b.ts': `import * as a from '../src/a.ts'` })),
    [],
  )
  assert.deepEqual(deadExports(files({ 'src/a.ts': 'export { a as b }', 'src/b.ts': '' })), [dead('b')])
  // Outside src, a test keeps only a part alive that its own file uses.
  const tested = files({
    'web/a.ts': 'export const part = 1\nexport const lone = 2\nuse(part)',
    'test/a.ts': `import { lone, part } from '../web/a.ts'`,
  })
  assert.deepEqual(deadExports(tested), ['web/a.ts lone is exported but used by no other file'])
})

test('long lines of Markdown are found', () => {
  const long = 'word '.repeat(25)
  assert.deepEqual(longLines(files({ 'a.md': `short\n${long}` })), [
    'a.md:2 has 125 characters, more than 120',
  ])
  const exempt = [`\`\`\`\n${long}\n\`\`\``, `| ${long} |`, `See https://example.com/${'a'.repeat(200)}.`]
  assert.deepEqual(longLines(files({ 'a.md': exempt.join('\n') })), [])
})

test('paths and links that do not exist are found', () => {
  const paths = ['src/db/pool.ts', 'docs/a.md', 'README.md']
  const text = '`src/db/pool.ts` `src/db/` `src/gone.ts` `web/game/dist` [up](../README.md#a) [no](gone.md)'
  assert.deepEqual(missingPaths(files({ 'docs/a.md': text }), paths), [
    'docs/a.md names src/gone.ts, which does not exist',
  ])
  assert.deepEqual(brokenLinks(files({ 'docs/a.md': text }), paths), [
    'docs/a.md links to gone.md, which does not exist',
  ])
})

test('hosts, missing hashes and install scripts in lock files are found', () => {
  const lock = (entry: object): Files =>
    files({ 'package-lock.json': JSON.stringify({ packages: { 'node_modules/a': entry } }) })
  assert.deepEqual(looseLocks(lock({ resolved: 'https://example.com', hasInstallScript: true }), {}), [
    'package-lock.json: node_modules/a names a host',
    'package-lock.json: node_modules/a has no hash',
    'package-lock.json: node_modules/a has an install script',
  ])
  const denied = lock({ integrity: 'sha512-x', hasInstallScript: true })
  assert.deepEqual(looseLocks(denied, { a: false }), [])
})
