import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeMail } from '../../src/entries/code-mail.ts'
import { playerLanguages as languages } from '../../src/languages/mail-words.ts'

const mailIn = (language: string) =>
  codeMail('ann@shop.example', { code: '012345', merchant: 'Acme', language })

test('the mail with the code is in every language of the page, and begins with the code', () => {
  assert.ok(languages.length >= 11)
  const texts = languages.map((language) => mailIn(language).text)
  assert.equal(new Set(texts).size, languages.length, 'no language has the text of another one')
  for (const language of languages) {
    const { to, subject, text } = mailIn(language)
    assert.equal(to, 'ann@shop.example')
    assert.match(subject, /^012345\P{L}/u, language)
    assert.ok(subject.includes('Acme'), language)
    assert.ok(text.startsWith(`${subject}\n\n`), language)
    assert.match(text, /^[^\n]+\n\n[^\n]+\n\n[^\n]+\n$/, language)
    // Nothing that advertises, and nothing to open.
    assert.doesNotMatch(text, /!|！|:\/\/|www|%|<|@/, language)
  }
})

test('a region of a language gets the language, and an unknown language English', () => {
  assert.deepEqual(mailIn('pt-BR'), mailIn('pt'))
  assert.deepEqual(mailIn('zh-Hant-TW'), mailIn('zh'))
  for (const language of ['xx', '', 'constructor']) assert.deepEqual(mailIn(language), mailIn('en'))
})
