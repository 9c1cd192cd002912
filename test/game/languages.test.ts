import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { playerLanguages } from '../../src/languages/mail-words.ts'
import { repository } from '../scenes/scene.ts'

const folder = join(repository, 'src', 'languages')
type Dictionary = { [key: string]: string | Dictionary }
const read = (language: string, file: string) =>
  JSON.parse(readFileSync(join(folder, language, file), 'utf8')) as Dictionary

test('every language has every text, with the same placeholders and all its plural forms', () => {
  assert.ok(playerLanguages.length >= 11)
  const files = readdirSync(join(folder, 'en'))
  assert.ok(files.length >= 5)
  for (const language of playerLanguages) {
    assert.deepEqual(readdirSync(join(folder, language)), files, language)
    for (const file of files) {
      // Texts of the formal address follow the same rules, but only those that differ are there.
      const { formal = {}, ...dictionary } = read(language, file)
      const english = read('en', file)
      const rules = new Intl.PluralRules(language)
      checkTexts(dictionary, english, { rules, at: `${language}/${file}` })
      for (const [key, text] of Object.entries(formal))
        assert.notDeepEqual(text, dictionary[key], `${language}/${file} ${key}`)
      const originals = Object.fromEntries(
        Object.keys(formal).map((key) => [key, english[key] as Dictionary[string]]),
      )
      checkTexts(formal as Dictionary, originals, { rules, at: `${language}/${file} formal` })
    }
  }
})

const placesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).toSorted()

function checkTexts(
  texts: Dictionary,
  english: Dictionary,
  { rules, at }: { rules: Intl.PluralRules; at: string },
): void {
  assert.deepEqual(Object.keys(texts), Object.keys(english), at)
  for (const [key, text] of Object.entries(texts)) {
    const [original, place] = [english[key] as Dictionary[string], `${at} ${key}`]
    if (typeof text === 'string' || typeof original === 'string') {
      assert.ok(typeof text === 'string' && typeof original === 'string' && text !== '', place)
      assert.deepEqual(placesIn(text), placesIn(original), place)
    } else if ('other' in original) {
      for (const count of [0, 1, 2, 3, 11, 100]) assert.ok(rules.select(count) in text, `${place} ${count}`)
    } else checkTexts(text, original, { rules, at: place })
  }
}
