import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyNames, longComments, longFunctions } from './house-code.ts'
import type { Files } from './house-rules.ts'

const files = (texts: Record<string, string>): Files => new Map(Object.entries(texts))

const lines = (count: number, text = 'use()'): string => `${text}\n`.repeat(count)

/** The lengths of the functions that are found in a file. */
function lengths(text: string, path = 'src/a.ts'): number[] {
  return longFunctions(files({ [path]: text })).map((found) => Number(/of (\d+) lines/.exec(found)?.[1]))
}

test('a function of more than 70 lines is found, wherever it is', () => {
  assert.deepEqual(longFunctions(new Map([['src/a.ts', `use()\nfunction long() {\n${lines(69)}}\n`]])), [
    'src/a.ts:2 has a function of 71 lines, more than 70',
  ])
  assert.deepEqual(lengths(`function short() {\n${lines(68)}}\n${lines(70)}`), [])
  const body = `{\n${lines(69)}}`
  for (const text of [
    `const a = async () => ${body}`,
    `call(1, function () ${body})`,
    `call({ a: () => ${body} })`,
  ])
    assert.deepEqual(lengths(text), [71])
  assert.deepEqual(lengths(`class A {\n  method() {\n${lines(69)}}\n}`), [71])
})

test('lines of SQL and JSX count', () => {
  assert.deepEqual(lengths(`const sql = (table: string) => \`\n${lines(69, 'select 1')}\``), [71])
  const component = `export function View() {\n  return (\n    <p>\n${lines(70, '<br />')}    </p>\n  )\n}`
  assert.deepEqual(lengths(component, 'web/console/view.tsx'), [76])
})

test('a table of routes or commands may be long, but not its handlers and not what is beside it', () => {
  const route = `app.get(\n'/a',\n{\n${lines(30, '// a')}},\nasync () => {\nuse()\n},\n)\n`
  const listed = `app.route({\nmethod: 'PUT',\n${lines(30, '// a')}handler,\n})\n`
  const command = `program\n.command('a')\n${lines(30, ".option('--a')")}.action(async () => {\nuse()\n})\n`
  const table = (...parts: string[]): string => `area(async (app) => {\n${parts.join('')}})`
  assert.deepEqual(lengths(table(route, `await ${route}`, listed, command)), [])
  assert.deepEqual(lengths(table(`for (const path of ['/a', '/b']) {\n${route}${route}${route}}\n`)), [])
  assert.deepEqual(lengths(`function outer() {\nreturn ${table(route, route, route)}\n}`), [])
  assert.deepEqual(lengths(table(route, lines(40), route, lines(30))), [72])
  assert.deepEqual(lengths(table(route.replace('use()\n', lines(70)))), [72])
  // A call that only looks alike.
  assert.deepEqual(lengths(table(lines(8, `cache.delete(\n${lines(10, '// a')}'a',\n)`))), [106])
})

test('names that say nothing are found', () => {
  for (const path of ['src/http/answers/common.ts', 'test/common.test.ts', 'src/common/plays.ts'])
    assert.deepEqual(emptyNames(files({ [path]: '' })), [`${path}: the name common does not say what it is`])
  const paths = ['src/play-utils.ts', 'scripts/helpers.mjs', 'web/weather.tsx', 'packages/client/src/shop.ts']
  for (const path of paths) assert.equal(emptyNames(files({ [path]: '' })).length, 1)
  const declared = [
    'export class PlayManager {',
    'function* playHelpers() {',
    '  const common = 1',
    'type GrantService = {',
  ]
  for (const text of [...declared, 'export async function readReq() {', 'let tmp_folder: string'])
    assert.equal(emptyNames(files({ 'src/a.ts': text })).length, 1, text)
  const right = [
    'const serviceToken = 1',
    'const isCommon = true',
    'import {\n  type EntityManager,\n  type Service }',
    'const shop = 1',
  ]
  assert.deepEqual(emptyNames(files({ 'src/common-request.ts': right.join('\n') })), [])
  assert.deepEqual(emptyNames(files({ 'examples/shop.js': '', 'deploy/service.yaml': '' })), [])
})

test('long lines of comments are found', () => {
  const long = 'word '.repeat(24)
  const found = (path: string, text: string): string[] => longComments(files({ [path]: text }))
  assert.deepEqual(found('src/a.ts', `// Short.\n  // ${long}`), [
    'src/a.ts:2 has 125 characters, more than 120',
  ])
  const comments = [
    `/** ${long}*/`,
    `/**\n * ${long}\n */`,
    `use() // ${long}`,
    `<p>\n  {/* ${long}*/}\n</p>`,
  ]
  for (const text of comments) assert.equal(found('web/a.tsx', text).length, 1, text)
  assert.equal(found('web/a.css', `/* The wheel.\n   ${long} */\n${long}`).length, 1)
  assert.equal(found('sql/0049-a.sql', `-- ${long}`).length, 1)
  assert.equal(found('deploy/a.yaml', `# ${long}`).length, 1)
  const exempt = [
    `const text = '${long}'`,
    `// See https://example.com/${'a'.repeat(200)}.`,
    `'a/b', '${long}//'`,
  ]
  assert.deepEqual(found('src/a.ts', exempt.join('\n')), [])
})
