import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { repository } from './scene.ts'

const read = (file: string): string => readFileSync(join(repository, file), 'utf8')

test('every test that the threat model names exists', () => {
  const lines = read('docs/threat-model.md')
    .split('\n')
    .filter(
      (line) => line.startsWith('| ') && !/^\| (threat|---|\*\*)/.test(line) && !line.startsWith('| --'),
    )
  assert.ok(lines.length > 40, `${lines.length} lines`)
  for (const line of lines) {
    const [, file, name] = /\| ([\w-]+): `([^`]+)`\s*\|$/.exec(line) ?? []
    assert.ok(file !== undefined && name !== undefined, `no test: ${line}`)
    const source = read(`test/${file}.test.ts`).replaceAll("\\'", "'")
    assert.ok(source.includes(name), `test/${file}.test.ts has no test "${name}"`)
  }
})
