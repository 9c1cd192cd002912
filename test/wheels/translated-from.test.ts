// Which translations are outdated, as pure rules.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareWheels } from '../../src/wheel-document/compare-wheels.ts'
import { publishedText } from '../../src/wheel-document/published-text.ts'
import {
  confirmTranslations,
  doubtTranslations,
  followTranslations,
  outdatedTranslations,
  removeTranslations,
  stateTranslations,
} from '../../src/wheel-document/translated-from.ts'
import { defaultWheel, type WheelDocument } from '../../src/wheel-document/wheel-document.ts'

type Texts = {
  label?: string
  title?: string
  de?: string
  deTitle?: string
  heading?: string
  deHeading?: string
}

/** A wheel with one prize, in English and German. */
function wheelWith(texts: Texts = {}): WheelDocument {
  const {
    label = '200 points',
    title,
    de = '200 Punkte',
    deTitle,
    heading = 'Win',
    deHeading = 'Gewinn',
  } = texts
  const [fallback] = defaultWheel.segments.filter(({ id }) => id === defaultWheel.fallback)
  assert(fallback !== undefined)
  const german = { ...(de === '' ? {} : { label: de }), ...(deTitle === undefined ? {} : { title: deTitle }) }
  const prize = { ...fallback, id: 'prize', label, ...(title === undefined ? {} : { title }) }
  return {
    ...defaultWheel,
    language: 'en',
    texts: { en: { title: heading }, de: { title: deHeading } },
    segments: [{ ...prize, translations: { de: german } }, fallback],
  }
}

const label = { language: 'de', segment: 'prize', field: 'label' } as const
const heading = { language: 'de', field: 'title' } as const
const { translatedFrom: _, ...plain } = wheelWith()

test('a changed text leaves its translation behind, whatever is changed afterwards', () => {
  const changed = followTranslations(wheelWith(), wheelWith({ label: '10 % off' }))
  assert.deepEqual(outdatedTranslations(changed), [{ ...label, text: '200 points' }])
  const { translatedFrom: _notes, ...unaware } = followTranslations(changed, { ...changed, name: 'Other' })
  const again = followTranslations(changed, unaware)
  assert.deepEqual(outdatedTranslations(again), [{ ...label, text: '200 points' }])
  const twice = followTranslations(again, {
    ...wheelWith({ label: '20 % off', heading: 'Spin' }),
    translatedFrom: again.translatedFrom ?? [],
  })
  assert.deepEqual(outdatedTranslations(twice), [
    { ...heading, text: 'Win' },
    { ...label, text: '200 points' },
  ])
})

test('a translation is no longer outdated once it is edited, confirmed or removed, or its text is back', () => {
  const changed = followTranslations(wheelWith(), wheelWith({ label: '10 % off' }))
  const notes = changed.translatedFrom ?? []
  const edited = { ...wheelWith({ label: '10 % off', de: '10 % Rabatt' }), translatedFrom: notes }
  assert.deepEqual(followTranslations(changed, edited).translatedFrom, undefined)
  const confirmed = followTranslations(changed, confirmTranslations(changed, [label]))
  assert.deepEqual(confirmed.translatedFrom, undefined)
  assert.equal(confirmed.segments[0]?.translations?.de?.label, '200 Punkte')
  const removed = removeTranslations(changed, ({ segment }) => segment === 'prize')
  assert.deepEqual([removed.translatedFrom, removed.segments[0]?.translations], [undefined, undefined])
  assert.deepEqual(removed.texts, changed.texts)
  assert.deepEqual(followTranslations(changed, wheelWith()), wheelWith())
})

test('a translation of a text that is gone is outdated; one that was there first is not', () => {
  const titled = wheelWith({ title: 'Two hundred', deTitle: 'Zweihundert' })
  assert.deepEqual(followTranslations(titled, wheelWith({ deTitle: 'Zweihundert' })).translatedFrom, [
    { ...label, field: 'title', text: 'Two hundred' },
  ])
  assert.deepEqual(followTranslations(wheelWith({ deTitle: 'Zweihundert' }), titled), titled)
})

test('another language of the labels makes nothing outdated', () => {
  const german = followTranslations(plain, { ...plain, language: 'de' })
  const none = followTranslations(german, { ...german, language: 'fr' })
  assert.deepEqual(none.translatedFrom, undefined)
  const { language: _language, ...without } = plain
  assert.deepEqual(followTranslations(plain, without).translatedFrom, undefined)
})

test('for a prize of another kind, its translations are in doubt until they are confirmed', () => {
  const doubted = followTranslations(plain, doubtTranslations(plain, 'prize'))
  assert.deepEqual(outdatedTranslations(doubted), [{ ...label, text: '' }])
  assert.deepEqual(
    followTranslations(doubted, { ...doubted, name: 'x' }).translatedFrom,
    doubted.translatedFrom,
  )
  assert.deepEqual(
    followTranslations(doubted, confirmTranslations(doubted, [label])).translatedFrom,
    undefined,
  )
})

test('the server comes to what the editor shows, whatever was edited and undone before a save', () => {
  const first = wheelWith()
  const changed = followTranslations(first, wheelWith({ label: '10 % off' }))
  const edited = followTranslations(changed, {
    ...wheelWith({ label: '10 % off', de: '10 % Rabatt' }),
    translatedFrom: changed.translatedFrom ?? [],
  })
  const confirmed = followTranslations(changed, confirmTranslations(changed, [label]))
  const states = [first, changed, edited, confirmed, removeTranslations(changed, () => true)]
  for (const stored of states)
    for (const shown of states)
      assert.deepEqual(followTranslations(stored, stateTranslations(stored, shown)), shown)
  for (const shown of states)
    assert.deepEqual(followTranslations(undefined, stateTranslations(null, shown)), shown)
})

test('notes about translations are neither published nor a change of the wheel', () => {
  const changed = wheelWith({ label: '10 % off' })
  const noted = followTranslations(wheelWith(), changed)
  assert.equal(publishedText(noted), publishedText(changed))
  assert.deepEqual(compareWheels(noted, changed), [])
})
