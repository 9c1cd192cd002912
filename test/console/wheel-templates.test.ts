import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Errors } from 'typebox/value'
import { playerLanguages as languages } from '../../src/languages/mail-words.ts'
import { forecastWheel } from '../../src/simulation/forecast-wheel.ts'
import { checkWheel } from '../../src/wheel-document/check-wheel.ts'
import { followTranslations } from '../../src/wheel-document/translated-from.ts'
import { WheelDocument } from '../../src/wheel-document/wheel-document.ts'
import { alikeNeighbours } from '../../web/console/views/editor/look/alike-neighbours.ts'
import { inTimeZone } from '../../web/console/views/editor/schedule/in-time-zone.ts'
import { wheelWarnings } from '../../web/console/views/editor/wheel-warnings.ts'
import { emptyWheel, fromTemplate } from '../../web/console/views/templates/from-template.ts'
import type { Phrases } from '../../web/console/views/templates/phrases.ts'
import { templateNames } from '../../web/console/views/templates/templates.ts'
import { repository } from '../scenes/scene.ts'

const folder = join(repository, 'src/languages')
const phrases = Object.fromEntries(
  languages.map((tag) => [
    tag,
    JSON.parse(readFileSync(join(folder, tag, 'wheel-templates.json'), 'utf8')) as Phrases,
  ]),
)

test('every template can be published as it is, in every language of the game page', () => {
  assert.ok(templateNames.length >= 6)
  for (const name of templateNames) {
    for (const language of languages) {
      const wheel = fromTemplate(name, { name, timeZone: 'Europe/Berlin', language, phrases })
      assert.deepEqual([...Errors(WheelDocument, wheel)], [], `${name} in ${language}`)
      assert.deepEqual(
        checkWheel(wheel, { pools: new Map(), given: new Map() }),
        [],
        `${name} in ${language}`,
      )
      const others = languages.filter((tag) => tag !== language).toSorted()
      for (const segment of wheel.segments)
        assert.deepEqual(Object.keys(segment.translations ?? {}).toSorted(), others)
      assert.deepEqual(Object.keys(wheel.texts ?? {}).toSorted(), languages.toSorted())
      assert.doesNotMatch(JSON.stringify(wheel), /\{\w+\}|undefined/)
    }
  }
})

test('an empty wheel is in the chosen language, and has nothing to win where it says so', () => {
  const wheel = emptyWheel({ name: 'x', timeZone: 'UTC', language: 'de', phrases })
  assert.deepEqual([...Errors(WheelDocument, wheel)], [])
  assert.deepEqual(checkWheel(wheel, { pools: new Map(), given: new Map() }), [])
  assert.deepEqual(
    wheel.segments.map(({ label }) => label),
    ['Hauptgewinn', 'Leider nichts', '1 Drehung mehr', 'Knapp vorbei'],
  )
  assert.equal(wheel.segments[0]?.translations?.en?.label, 'Main prize')
})

test('no template warns about itself, except that its codes are examples', () => {
  const now = Date.parse('2026-11-16T00:00:00Z')
  for (const name of templateNames) {
    const wheel = fromTemplate(name, { name, timeZone: 'UTC', language: 'en', phrases })
    assert.deepEqual(alikeNeighbours(wheel.segments), [], name)
    const codes = wheel.segments.filter(({ prize }) => prize.kind === 'fixed' || prize.kind === 'link')
    const warnings = wheelWarnings(wheel, now)
    assert.deepEqual(warnings.length, codes.length, name)
    for (const warning of warnings) assert.match(warning, /is an example from the template/)
  }
})

test('a wheel that is open while nothing can be won is told', () => {
  const now = Date.parse('2026-11-16T12:10:00Z')
  const template = fromTemplate('event', { name: 'x', timeZone: 'Europe/Berlin', language: 'en', phrases })
  const budget = { amount: 600, periods: [{ from: '2026-11-16T13:00:00Z', until: '2026-11-23T13:00:00Z' }] }
  const [early] = wheelWarnings({ ...template, budget }, now)
  assert.match(early ?? '', /no prize can be won before .*2:00/)
  assert.deepEqual(wheelWarnings({ ...template, budget, opensAt: '2026-11-16T13:00:00Z' }, now), [])
  const late = wheelWarnings({ ...template, budget }, Date.parse('2026-11-24T00:00:00Z'))
  assert.match(late.join(), /No prize can be won while the wheel is open/)
  const over = wheelWarnings({ ...template, closesAt: '2026-11-16T12:00:00Z' }, now)
  assert.match(over.join(), /The wheel closed on/)
})

test('a wheel in another time zone keeps its clock times', () => {
  const periods = [{ from: '2026-11-20T00:00:00.000Z', until: '2026-11-27T00:00:00.000Z' }]
  const template = fromTemplate('event', { name: 'x', timeZone: 'UTC', language: 'en', phrases })
  const moved = inTimeZone(
    { ...template, opensAt: '2026-07-01T09:00:00.000Z', budget: { amount: 5, periods } },
    'Europe/Berlin',
  )
  assert.deepEqual([moved.timeZone, moved.opensAt], ['Europe/Berlin', '2026-07-01T07:00:00.000Z'])
  assert.deepEqual(moved.budget?.periods, [
    { from: '2026-11-19T23:00:00.000Z', until: '2026-11-26T23:00:00.000Z' },
  ])
  assert.deepEqual(inTimeZone(moved, 'UTC').budget?.periods, periods)
})

test('all languages have the same phrases and placeholders, and each phrase is used', () => {
  const english = phrases.en as Phrases
  const placeholders = (text: string) => text.match(/\{\w+\}/g) ?? []
  for (const [tag, own] of Object.entries(phrases)) {
    assert.deepEqual(Object.keys(own), Object.keys(english), tag)
    for (const [key, text] of Object.entries(own))
      assert.deepEqual(placeholders(text), placeholders(english[key as keyof Phrases]), `${tag} ${key}`)
  }
  const all = templateNames.map((name) =>
    fromTemplate(name, { name, timeZone: 'UTC', language: 'en', phrases }),
  )
  const written = JSON.stringify(all)
  const unused = Object.entries(english).filter(([, text]) => !written.includes(text.split('{')[0] as string))
  assert.deepEqual(unused, [])
})

test('a month of a template stays affordable', () => {
  for (const name of templateNames) {
    const wheel = fromTemplate(name, { name, timeZone: 'UTC', language: 'en', phrases })
    const order = { facts: { stocks: [], pools: [] }, start: new Date('2026-11-16T00:00:00Z'), days: 30 }
    const { cost, plays } = forecastWheel({ ...order, wheel, playsPerDay: 10, spinsPerPlayer: 2 })
    assert.ok(cost.expected / plays < 2, `${name} costs ${cost.expected / plays} a play`)
  }
})

test('a changed text of a template leaves its translations behind, which is told with their languages', () => {
  const wheel = fromTemplate('event', { name: 'x', timeZone: 'UTC', language: 'en', phrases })
  const [first, ...others] = wheel.segments
  assert(first !== undefined)
  const translations = { ...first.translations, de: { label: 'Eine Tasse' } }
  const edited = { ...wheel, segments: [{ ...first, label: 'A mug', translations }, ...others] }
  const warnings = wheelWarnings(followTranslations(wheel, edited), 0).join()
  assert.match(warnings, /“A mug” are outdated: Arabic, Chinese, French and 6 more\./)
  assert.doesNotMatch(warnings, /German/)
  assert.deepEqual(wheelWarnings(wheel, 0), [])
})

test('a fixed code has no space at either end', () => {
  const wheel = fromTemplate('shop', { name: 'x', timeZone: 'UTC', language: 'en', phrases })
  const [first, ...others] = wheel.segments
  assert(first !== undefined)
  const isValid = (code: string) => {
    const segments = [{ ...first, prize: { kind: 'fixed' as const, code } }, ...others]
    return [...Errors(WheelDocument, { ...wheel, segments })].length === 0
  }
  assert.deepEqual(['XMAS 20', 'X'].map(isValid), [true, true])
  assert.deepEqual([' XMAS', 'XMAS ', '\u00a0XMAS', 'XMAS\u00a0', ' ', ''].map(isValid), Array(6).fill(false))
})
