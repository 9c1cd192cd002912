import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvCell } from '../../src/http/manage/exports/csv-and-ndjson.ts'
import { addressHash } from '../../src/entries/address-hash.ts'
import { foldAddress, readAddress } from '../../src/entries/address.ts'
import { isOldEnough } from '../../src/entries/age.ts'
import { labelIn } from '../../src/entries/form.ts'

function keyOf(address: string): string | undefined {
  const parts = readAddress(address)
  return parts && foldAddress(parts)
}

const same = [
  ['John.Smith+x@Gmail.com', 'johnsmith@googlemail.com', 'j.o.h.n.smith@gmail.com', 'JOHNSMITH@GMAIL.COM'],
  ['a.b+1@outlook.com', 'A.B@Outlook.com'],
  ['ann+spin@icloud.com', 'ann@icloud.com'],
  ['eve+1@proton.me', 'eve@proton.me'],
  ['x@joe.fastmail.com', 'joe+y@fastmail.com', 'joe@fastmail.com'],
  ['u@BÜCHER.example', 'u@xn--bcher-kva.example', 'u@bu\u0308cher.example'],
  ['u@straße.example', 'u@xn--strae-oqa.example'],
]

const different = [
  ['a.b@outlook.com', 'ab@outlook.com'],
  ['ann@me.com', 'ann@icloud.com'],
  ['eve@pm.me', 'eve@proton.me'],
  ['joe-shop@yahoo.com', 'joe@yahoo.com'],
  ['joe+1@yahoo.com', 'joe@yahoo.com'],
  ['j.s@company.example', 'js@company.example'],
  ['j+s@company.example', 'j@company.example'],
  ['u@strasse.example', 'u@straße.example'],
  ['x@joe.fastmail.com', 'x@fastmail.com'],
  ['ab@gmail.com', 'ab@gmail.co'],
  ['joe@fastmail.com', 'joe@fastmail.fm'],
  ['ab@evil-gmail.com', 'ab@gmail.com'],
]

const refused = [
  '',
  'ann',
  '@c.example',
  'ann@',
  '+x@gmail.com',
  '...@gmail.com',
  'a..b@c.example',
  'a@b@c.example',
  '"a b"@c.example',
  '"victim@gmail.com x"@shop.example',
  'a(comment)@c.example',
  'a,b@c.example',
  'Ann <ann@c.example>',
  'a@[127.0.0.1]',
  'a@127.0.0.1',
  'a@127.1',
  'a@1.2.3.4.5',
  'a@ex%61mple.com',
  'a@exa\u00admple.com',
  'a@\uff47mail.com',
  'a@c.example.',
  'a@c..example',
  'a@-c.example',
  'a@c-.example',
  'a@c_d.example',
  'a b@c.example',
  ' a@c.example',
  'a@c.example\n',
  'jürgen@c.example',
  'a@localhost',
  'a@xn--a',
  'a@xn--a.example',
  `${'a'.repeat(65)}@c.example`,
  `a@${'b'.repeat(64)}.example`,
  `a@${'b.'.repeat(125)}example`,
]

test('a label in a language that has none is in a similar one, or in English, or in the first', () => {
  assert.equal(labelIn({ ar: 'برلين', en: 'Berlin', de: 'Berlin!' }, 'de-AT'), 'Berlin!')
  assert.equal(labelIn({ ar: 'برلين', en: 'Berlin' }, 'de'), 'Berlin')
  assert.equal(labelIn({ ar: 'برلين' }, 'de'), 'برلين')
})

test('all spellings of a mailbox have one key, if its provider documents them', () => {
  for (const spellings of same) assert.equal(new Set(spellings.map(keyOf)).size, 1, spellings.join(' '))
  for (const spellings of same) assert.notEqual(keyOf(spellings[0] ?? ''), undefined)
})

test('addresses that may be two mailboxes have two keys', () => {
  for (const addresses of different)
    assert.equal(new Set(addresses.map(keyOf)).size, addresses.length, addresses.join(' '))
})

test('an address that mail could not reach, or that two programs read differently, is refused', () => {
  for (const address of refused) assert.equal(keyOf(address), undefined, JSON.stringify(address))
  assert.notEqual(keyOf(`${'a'.repeat(64)}@c.example`), undefined)
})

test('the hash of an address is what the vector says', () => {
  const fold = keyOf('John.Smith+x@Gmail.com') ?? ''
  assert.equal(
    addressHash('address-key-1', { merchant: 'acme', fold }).toString('hex'),
    'f9d205b71226de8fe8a9940582037b771697e102125f815cf09a6d6733207f2c',
  )
})

test('whoever has a birthday this month is still too young', () => {
  const today = { year: 2026, month: 11 }
  assert.equal(isOldEnough({ year: 2008, month: 10 }, 18, today), true)
  assert.equal(isOldEnough({ year: 2008, month: 11 }, 18, today), false)
  assert.equal(isOldEnough({ year: 2008, month: 12 }, 18, today), false)
})

test('a cell that a spreadsheet would run is exported as text', () => {
  assert.match(csvCell('=1+1'), /^"?'=1\+1"?$/)
  for (const start of ['+', '-', '@', '\t', '\r']) assert.match(csvCell(`${start}1`), /^"?'/)
})
