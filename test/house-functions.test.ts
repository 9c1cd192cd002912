import assert from 'node:assert/strict'
import { test } from 'node:test'
import { longFunctions } from './house-functions.ts'

const lines = (count: number, text = 'use()'): string => `${text}\n`.repeat(count)

/** The lengths of the functions that are found in a file. */
function lengths(text: string, path = 'src/a.ts'): number[] {
  return longFunctions(new Map([[path, text]])).map((found) => Number(/of (\d+) lines/.exec(found)?.[1]))
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
