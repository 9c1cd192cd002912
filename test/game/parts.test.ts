// The pure functions of the game page, which need no browser.
import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { commitmentOf, draw, weightTotal } from '../../src/fairness/draw.ts'
import type { Play } from '../../web/game/api.ts'
import { chancesNow } from '../../web/game/wheel/availability.ts'
import { formatUnits } from '../../web/game/wheel/shares.ts'
import { shareTexts } from '../../web/console/views/editor/segments/shares.ts'
import { contrast, readableOn, textOn } from '../../web/game/look/colour.ts'
import { hyphenate } from '../../web/game/wheel/hyphenate.ts'
import { fitLabel, isEmojiOnly, lineHeight, type Room } from '../../web/game/wheel/label.ts'
import { layoutsOf } from '../../web/game/wheel/layout.ts'
import { readWheel } from '../../web/game/wheel/published.ts'
import { Retrier } from '../../web/game/retry.ts'
import { hashing, hmacSha256, sha256 } from '../../web/game/proof/sha256.ts'
import { verifyPlay } from '../../web/game/proof/verify.ts'

const bytes = fc.uint8Array({ maxLength: 300 })
const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test("the page's SHA-256 and HMAC agree with Node's", () => {
  fc.assert(
    fc.property(bytes, bytes, (key, message) => {
      assert.deepEqual(Buffer.from(sha256(message)), createHash('sha256').update(message).digest())
      assert.deepEqual(
        Buffer.from(hmacSha256(key, message)),
        createHmac('sha256', key).update(message).digest(),
      )
    }),
  )
})

test('texts have a contrast of at least 4.5 on any colour that a merchant may choose', () => {
  fc.assert(
    fc.property(colour, colour, (text, background) => {
      assert.ok(contrast(textOn(background), background) >= 4.5)
      assert.ok(contrast(readableOn(text, background), background) >= 4.5)
    }),
  )
  assert.equal(readableOn('#f8fafc', '#0f172a'), '#f8fafc', "a merchant's own colour stays if it can be read")
})

const measure = (text: string, size: number) => Array.from(text).length * size * 0.5

test('a label fits its space, whole if possible, then with hyphens, otherwise with an ellipsis', () => {
  const room: Room = {
    sizeMax: 10,
    linesMax: 2,
    fit: (lines, size) =>
      lines * size <= 24 ? [{ radius: 60, widths: Array.from({ length: lines }, () => 50) }] : null,
  }
  const linesOf = (label: string) => fitLabel(label, [room], measure).lines
  assert.deepEqual(fitLabel('10 % off', [room], measure), {
    lines: ['10 % off'],
    size: 10,
    radius: 60,
    room: 0,
  })
  assert.deepEqual(linesOf('Free shipping'), ['Free', 'shipping'])
  assert.deepEqual(linesOf('Überraschungsgeschenk'), ['Überraschungs-', 'geschenk'])
  assert.deepEqual(linesOf('Gut\u00adschein\u00adverlosung'), ['Gutschein-', 'verlosung'])
  assert.equal(linesOf('幸运大奖幸运大奖幸运大奖').join(''), '幸运大奖幸运大奖幸运大奖')
  assert.match(linesOf('x'.repeat(40)).join(''), /^x+…$/)
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }), (label) => {
      const { lines, size } = fitLabel(label, [room], measure)
      assert.ok(lines.every((line) => measure(line, size) <= 50))
      assert.ok(lines.length * size <= 24)
    }),
  )
})

test('a label of any length fits a segment of any width, at any pointer', () => {
  const place = fc.record({
    degrees: fc.double({ min: 8, max: 352, noNaN: true }),
    pointer: fc.constantFrom('top', 'right', 'bottom', 'left'),
    hasIcon: fc.boolean(),
    isEmoji: fc.boolean(),
  })
  fc.assert(
    fc.property(place, fc.string({ maxLength: 40, unit: 'grapheme' }), (where, label) => {
      const layouts = layoutsOf(where)
      const rooms = layouts.map((layout) => layout.label)
      const { lines, size, radius, room } = fitLabel(label, rooms, measure)
      const isAlong = layouts[room]?.turn === 90 || layouts[room]?.turn === -90
      const half = (lines.length * size * lineHeight) / 2
      const longest = Math.max(0, ...lines.map((line) => measure(line, size))) / 2
      const [inside, outside] = isAlong
        ? [radius - longest, radius + longest]
        : [radius - half, radius + half]
      assert.ok(lines.length === 0 || (inside >= 30 && outside <= 96), `${inside} to ${outside}`)
      if (isAlong && lines.length > 0 && where.degrees < 170)
        assert.ok(half <= inside * Math.tan((where.degrees * Math.PI) / 360) + 1e-6)
    }),
  )
})

test('emoji alone are large, and text with digits is not emoji', () => {
  for (const label of ['🎁', '👩‍🚀', '🇩🇪', '👍🏽 🎉', '❤️']) assert.ok(isEmojiOnly(label), label)
  for (const label of ['1', '#', '🎁 1', 'a', '', '10 %']) assert.ok(!isEmojiOnly(label), label)
})

test('words are broken between syllables, and only where enough letters stay together', () => {
  assert.deepEqual(hyphenate('Überraschung'), ['Über', 'raschung'])
  assert.deepEqual(hyphenate('Kaffee'), ['Kaffee'])
  assert.deepEqual(hyphenate('приглашение').join(''), 'приглашение')
  assert.deepEqual(hyphenate('AB-1234567'), ['AB-', '1234567'])
})

const segments = [
  { label: 'A', color: '#112233', weight: 3, icon: null, image: null, prize: 'none', prizeTitle: null },
  {
    label: 'B',
    color: '#445566',
    weight: 7,
    icon: null,
    image: null,
    prize: 'code',
    limited: true,
    prizeTitle: null,
  },
]
const published = JSON.stringify({ name: 'W', fallback: 0, segments, look: {}, texts: {} })

function makePlay(seed: string): Play {
  const weights = segments.map((segment) => segment.weight)
  const versionHash = createHash('sha256').update(published).digest('hex')
  const input = { serverSeed: seed, playerSeed: 'ab'.repeat(32), playNumber: 4, versionHash }
  const { ticket, segment } = draw({ ...input, weights }, hashing)
  return {
    playId: 'p',
    playNumber: 4,
    playedAt: new Date(0).toISOString(),
    segment,
    label: segments[segment]?.label ?? '',
    won: segment === 1,
    fallbackReason: null,
    prize: {
      kind: 'none',
      title: null,
      instructions: null,
      spins: null,
      code: null,
      url: null,
      points: null,
      claimBefore: null,
    },
    proof: {
      ...input,
      commitment: commitmentOf(seed, hashing),
      ticket,
      weightTotal: weightTotal(weights),
      drawn: segment,
    },
  }
}

const failures = (...check: Parameters<typeof verifyPlay>) =>
  verifyPlay(...check)
    .filter((step) => !step.isRight)
    .map((step) => step.name)

test('every step of an honest play verifies, and each manipulation is detected at its own step', () => {
  const play = makePlay('cd'.repeat(32))
  const { proof } = play
  const witness = {
    commitment: proof.commitment,
    playerSeed: proof.playerSeed,
    versionHash: proof.versionHash,
  }
  const other = '00'.repeat(32)
  assert.deepEqual(failures(play, published, null), [])
  assert.deepEqual(failures(play, published, witness), [])
  assert.deepEqual(failures(play, published, { ...witness, commitment: other }), ['commitment'])
  assert.deepEqual(failures(play, published, { ...witness, playerSeed: other }), ['seed'])
  assert.deepEqual(failures(play, published.replace('"A"', '"Ä"'), null)[0], 'version')
  assert.deepEqual(failures({ ...play, playNumber: 5 }, published, null), ['message'])
  assert.deepEqual(
    failures({ ...play, proof: { ...proof, ticket: (proof.ticket + 1) % 10 } }, published, null),
    ['ticket'],
  )
  assert.deepEqual(failures({ ...play, proof: { ...proof, drawn: 1 - proof.drawn } }, published, null), [
    'segment',
  ])
  assert.deepEqual(failures({ ...play, segment: 1 - play.segment }, published, null), ['result'])
})

test('a replaced prize must be the published fallback', () => {
  const seeds = Array.from({ length: 20 }, (_, index) =>
    (index + 10).toString(16).padStart(2, '0').repeat(32),
  )
  const play = seeds.map(makePlay).find(({ segment }) => segment === 1) as Play
  const replaced: Play = { ...play, segment: 0, label: 'A', won: false, fallbackReason: 'out_of_stock' }
  assert.deepEqual(failures(replaced, published, null), [])
  const unlimited = published.replace('true', 'false')
  assert.ok(failures(replaced, unlimited, null).includes('result'))
  assert.deepEqual(failures({ ...play, fallbackReason: 'out_of_stock' }, published, null), ['result'])
})

test('the chance of a prize that is released over time is an upper bound, and that of the fallback a lower one', () => {
  const pace = { run: 1, commitment: '', units: 5, spans: [[0, 100]], lastCallMs: 10 }
  const segment = { color: '#112233', prize: 'handover', weight: 1 }
  const fields = [
    { ...segment, label: 'paced', pace },
    { ...segment, label: 'paid', cost: 400, weight: 2 },
    { ...segment, label: 'free' },
    { ...segment, label: 'gone', cost: 500 },
    { ...segment, label: 'nothing', prize: 'none', weight: 5 },
  ]
  const wheel = readWheel(JSON.stringify({ name: '', fallback: 4, segments: fields }))
  const gone = [{ segment: 3, reason: 'budget' as const, until: null }]
  const chancesAt = (at: number) => chancesNow(wheel, gone, at).map(({ now, bound }) => [bound, now])
  const others = [
    ['upTo', 200],
    ['exact', 100],
    ['exact', 0],
  ]
  assert.deepEqual(chancesAt(50), [['upTo', 100], ...others, ['atLeast', 600]])
  assert.deepEqual(chancesAt(95), [['upTo', 600], ...others, ['upTo', 900]], 'in the last call')
})

test('the game and the editor round chances alike: they add up to 100 %, and no chance is shown as none', () => {
  const shown = (weights: number[]) => {
    const fields = weights.map((weight) => ({ label: 'x', color: '#112233', prize: 'none', weight }))
    const wheel = readWheel(JSON.stringify({ name: '', fallback: 0, segments: fields }))
    const texts = chancesNow(wheel, []).map(({ now, units }) => formatUnits(now, units, 'en'))
    assert.deepEqual(texts, shareTexts(weights))
    return texts
  }
  assert.deepEqual(shown([1, 1, 1]), ['33.4%', '33.3%', '33.3%'])
  assert.deepEqual(shown([1, 399]), ['0.25%', '99.75%'])
  assert.deepEqual(shown([1, 1_000_000_000 - 1]), ['0.0000001%', '100%'])
})

test("an invalid colour or image is left out of a merchant's theme", () => {
  const image = (value: string) => ({ ...segments[0], image: value, color: 'red;background:url(//evil)' })
  const wheel = readWheel(
    JSON.stringify({
      segments: [
        image('data:image/png;base64,AAAA'),
        image('data:image/svg+xml;base64,AAAA'),
        image('https://evil.example/x.png'),
        image('data:image/png;base64,AAAA" onload="x'),
      ],
      look: { background: 'url(x)', accent: '#ABCDEF', pointer: 'sideways', logo: 'javascript:1' },
    }),
  )
  assert.deepEqual(
    wheel.segments.map((segment) => segment.image !== null),
    [true, false, false, false],
  )
  assert.ok(wheel.segments.every((segment) => /^#[0-9a-f]{6}$/.test(segment.colour)))
  const { background, accent, pointer, logo } = wheel.look
  assert.deepEqual([background, accent, pointer, logo], ['#0f172a', '#ABCDEF', 'top', null])
})

test('an immediate retry waits neither for a hanging request nor for the pause between tries', async () => {
  const retrier = new Retrier()
  const asked: PromiseWithResolvers<object>[] = []
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const answer = retrier.run(() => {
    asked.push(Promise.withResolvers())
    return (asked.at(-1) as PromiseWithResolvers<object>).promise
  })
  retrier.retryNow()
  await turn()
  assert.equal(asked.length, 2, 'the first request hangs, so there is a second')
  const anHour = 3_600_000
  asked[1]?.resolve({ code: 'down', isPassing: true, waitMs: anHour })
  await turn()
  assert.equal(asked.length, 2, 'the second one was told to come again in an hour')
  retrier.retryNow()
  await turn()
  assert.equal(asked.length, 3)
  asked[0]?.resolve({ of: 'the first' })
  await turn()
  asked[2]?.resolve({ of: 'the third' })
  assert.deepEqual(await answer, { of: 'the third' })
})
