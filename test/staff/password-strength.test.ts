import assert from 'node:assert/strict'
import { test } from 'node:test'
import { weaknessOf } from '../../src/staff/password-strength.ts'

const owner = {
  email: 'anna.berg@sunny-games.example',
  name: 'Anna Bergström',
  merchants: ['Sunny Games', 'sunny-games'],
}

const weak: [string, RegExp][] = [
  ['short', /fewer than 12 characters/],
  ['password1234', /most common ones/],
  ['P@ssw0rd2024!', /most common ones/],
  ['q1w2e3r4t5y6', /most common ones/],
  ['iloveyou1234', /most common ones/],
  ['trustno1trustno1', /repeats/],
  ['aaaaaaaaaaaa', /repeats/],
  ['abcdefghijkl', /alphabet/],
  ['asdfghjkl;12', /keyboard/],
  ['Anna-Bergström-2026', /know about you/],
  ['anna.berg@sunny-games.example', /know about you/],
  ['SunnyGames2026!', /know about you/],
  ['Sunny-Games-1234', /know about you/],
  ['wheelhouse2026!', /know about you/],
  ['Wheelhouse Wheelhouse', /know about you/],
  ['Summer2026!!', /./],
]

test('a common password, one close to it, or one made of personal words is refused with a clear reason', async () => {
  for (const [password, reason] of weak) {
    const said = await weaknessOf(password, owner)
    assert.match(said ?? '(accepted)', reason, password)
    assert.match(said ?? '', /Choose four unrelated words/)
    if (password.length > 5) assert.ok(!said?.includes(password), 'the password itself is not repeated')
  }
})

test('four words, a generated password and a long sentence are accepted, even with a personal word', async () => {
  const fine = [
    'correct horse battery staple',
    'x7Gq92LmPw4z',
    'my aunt keeps seven green parrots',
    'anna keeps seven green parrots',
    'Trägheit Öl Kümmel Fjord',
    'ж'.repeat(2) + 'уравль летит на юг',
  ]
  for (const password of fine) assert.equal(await weaknessOf(password, owner), undefined, password)
})

test('no password of the maximum length takes long to check', async () => {
  const long = [
    '4@8({[</369&#!1/|0$5+7%2'.repeat(9),
    'a1'.repeat(100),
    'P4$$w0rd'.repeat(25),
    '1'.repeat(200),
  ]
  for (const password of long) {
    const begun = process.cpuUsage()
    await weaknessOf(password.slice(0, 200), owner)
    assert.ok(process.cpuUsage(begun).user < 5_000_000, password.slice(0, 20))
  }
})
