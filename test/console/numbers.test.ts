import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alwaysWins } from '../scenes/management-scene.ts'
import { isEmoji } from '../../web/console/parts/emoji.ts'
import { readNumber, showNumber } from '../../web/console/parts/numbers.ts'
import { pursesText, spinsFor } from '../../web/console/parts/purses.ts'
import { differences } from '../../web/console/views/editor/draft/change.ts'
import { placeName } from '../../web/console/views/editor/draft/place-name.ts'
import { wheelOptions } from '../../web/console/parts/wheel-options.ts'

test('a choice of wheels has ids, marks drafts, and leaves out those that only archived campaigns use', () => {
  const wheels = ['main', 'winter', 'old', 'free'].map((wheel) => ({
    wheel,
    name: 'Lucky wheel',
    publishedVersion: wheel === 'free' ? null : 1,
  }))
  const archivedAt = '2026-01-01T00:00:00.000Z'
  const campaigns = [
    { wheel: 'main', archivedAt: null },
    { wheel: 'winter', archivedAt },
    { wheel: 'winter', archivedAt: null },
    { wheel: 'old', archivedAt },
  ]
  assert.deepEqual(
    wheelOptions(wheels, campaigns).map(({ label }) => label),
    ['Lucky wheel (main)', 'Lucky wheel (winter)', 'Lucky wheel (free) · Draft'],
  )
})

test('differences show durations and amounts of money as their fields do', () => {
  const before = alwaysWins({ cost: 3, claimWithinSeconds: 3_600 })
  const after = alwaysWins({ cost: 3.2, claimWithinSeconds: 7 * 86_400 })
  assert.deepEqual(
    differences(before, after).map((one) => [placeName(one.where), one.before, one.after]),
    [
      ['A mug · Cost per prize', '3', '3.20'],
      ['A mug · Time to claim', '1 hour', '7 days'],
    ],
  )
})

test('the spins of a player are named by campaign, and a campaign may use the purse of another', () => {
  const campaigns = [
    { campaign: 'main', name: 'Main' },
    { campaign: 'winter', name: 'Winter sale' },
  ]
  const kim = { spinCount: 3, purses: [{ campaign: 'winter', spinCount: 6 }] }
  assert.equal(pursesText(kim, campaigns), 'Main 3 · Winter sale 6')
  assert.equal(pursesText({ spinCount: 3, purses: [] }, campaigns), null)
  const purses = [undefined, 'main', 'winter', 'summer']
  const spins = purses.map((purse) => spinsFor(kim, purse === undefined ? undefined : { purse }))
  assert.deepEqual(spins, [3, 3, 6, 0])
})

test('an emoji field takes one emoji of any length, and no other text', () => {
  const emoji = ['🎁', '❤️', '👍🏽', '🇩🇪', '1️⃣', '👨‍👩‍👧‍👦', '🏴󠁧󠁢󠁥󠁮󠁧󠁿']
  const others = ['', 'a', 'abc', '1', '🎁🎁', '🎁a']
  assert.deepEqual([...emoji, ...others].filter(isEmoji), emoji)
})

test('numbers are read as people write them anywhere, and nothing else is a number', () => {
  const rules = { min: -10_000_000, max: 10_000_000, decimalsMax: 3 }
  const read = (text: string, locale: string) => {
    const reading = readNumber(text, rules, locale)
    return 'value' in reading ? reading.value : reading.problem
  }
  const everywhere: [number, string[]][] = [
    [3.2, ['3.2', '3,2', '3.20', '€3.20', '3,20 €', '$ 3.2', '٣٫٢', '３．２', '+3.2', ' 3.2 ']],
    [
      1234.5,
      ['1.234,5', '1,234.5', '1 234,5', '1\u00a0234,5', '1\u202f234,5', "1'234.5", '1’234.5', '1234.5'],
    ],
    [1_234_567, ['1234567', '1,234,567', '1.234.567', '1 234 567', '12,34,567']],
    [1, ['1', '1.', '1,', '01']],
    [0.5, ['.5', ',5', '0.5', '0,500']],
    [-5, ['-5', '−5', '-$5', '$ -5']],
  ]
  const nowhere = [
    '',
    ' ',
    '.',
    ',',
    '-',
    '€',
    'x',
    '5x',
    '1e3',
    '1..2',
    '1,2,3',
    '1 2',
    '12 34',
    '5-',
    '--5',
    '0x10',
    '½',
    '∞',
  ]
  for (const locale of ['en-US', 'de-DE', 'fr-FR', 'de-CH', 'hi-IN', 'ar-EG', 'ja-JP']) {
    for (const [value, texts] of everywhere)
      for (const text of texts) assert.equal(read(text, locale), value, `${text} in ${locale}`)
    for (const text of nowhere) assert.equal(read(text, locale), 'notNumber', `${text} in ${locale}`)
    for (const value of [0, 3.2, -1234.5, 1_234_567, 0.001])
      assert.equal(
        read(showNumber(value, locale, { decimalsMin: 2 }), locale),
        value,
        'the formatted number is parsed',
      )
  }
  assert.deepEqual(
    ['1,500', '1.500'].map((text) => read(text, 'en-US')),
    [1500, 1.5],
  )
  assert.deepEqual(
    ['1,500', '1.500'].map((text) => read(text, 'de-DE')),
    [1.5, 1500],
  )
  assert.deepEqual(
    ['1.2345', '10000001'].map((text) => read(text, 'en-US')),
    ['decimals', 'range'],
  )
})
