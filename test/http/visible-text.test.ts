import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvOf, flattened } from '../../src/http/manage/exports/csv-and-ndjson.ts'
import { table } from '../../src/cli/output.ts'
import { visibleJson, visibleText } from '../../src/visible-text.ts'

const lookAlikes = [
  'a\u202Eb',
  'a\u200Bb',
  'a\u00ADb',
  'a\u00A0b',
  'a  b',
  'a\u{E0041}b',
  'a\uFE0Fb',
  'a\u3164b',
]

test('ids with direction marks or invisible characters are written with their code points', () => {
  assert.equal(visibleText('a\u202Eb'), 'a⟨U+202E⟩b')
  assert.equal(visibleText('a\u{E0041}b'), 'a⟨U+E0041⟩b')
  assert.equal(visibleText('a  b'), 'a ⟨U+0020⟩b')
  for (const id of ['alice', 'a b', 'José', 'مريم', '王小明', 'order-4711@example.com', 'DOMAIN\\user'])
    assert.equal(visibleText(id), id)
  for (const id of lookAlikes) assert.doesNotMatch(visibleText(id), /[\p{Cf}\p{DI}]|(?! )\p{Zs}| {2}/u)
})

test('two different ids never become the same text', () => {
  const part = fc.constantFrom('a', ' ', '⟨', '⟩', 'U+202E', '\u202E', '\u200B', '⟨U+202E⟩', '\\u202E')
  const id = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(id, id, (one, other) => {
      assert.equal(visibleText(one) === visibleText(other), one === other)
      assert.deepEqual(JSON.parse(visibleJson({ one }, 2)), { one })
      assert.doesNotMatch(visibleJson({ one }), /\p{Cf}/u)
    }),
  )
})

test('spreadsheets and the command line show such ids with their code points', async () => {
  async function* rows() {
    for (const playerId of lookAlikes) yield { playerId, subject: playerId }
  }
  const csv = (await csvOf(['playerId', 'subject'], flattened(rows())).toArray()).join('')
  const shown = table(
    lookAlikes.map((player) => ({ player })),
    '',
  )
  for (const id of lookAlikes) {
    assert.ok(csv.includes(`${visibleText(id)},${visibleText(id)}\r\n`), csv)
    assert.ok(shown.includes(visibleText(id)), shown)
  }
})
