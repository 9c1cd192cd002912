import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { repository } from '../scenes/scene.ts'

const read = (file: string): string => readFileSync(join(repository, file), 'utf8')

test('every test that the threat model names exists', () => {
  const [, threats = ''] = /^## Threats$([^]*?)^## /m.exec(read('docs/threat-model.md')) ?? []
  const items = threats.split(/^- /m).slice(1)
  assert.ok(items.length > 40, `${items.length} threats`)
  for (const item of items) {
    const [, file, name] = / Test: ([\w/-]+): `([^`]+)`/.exec(item.replaceAll(/\s+/g, ' ')) ?? []
    assert.ok(file !== undefined && name !== undefined, `no test: ${item}`)
    const source = read(`test/${file}.test.ts`).replaceAll("\\'", "'")
    assert.ok(source.includes(name), `test/${file}.test.ts has no test "${name}"`)
  }
})
