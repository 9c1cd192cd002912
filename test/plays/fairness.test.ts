import assert from 'node:assert/strict'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { commitmentOf, type DrawInput, draw, fromHex, segmentOf, toHex } from '../../src/fairness/draw.ts'
import { hashing } from '../../src/fairness/hashing.ts'
import { type ProvenPlay, verifyPlay } from '../../src/fairness/verify-play.ts'
import { repository, times } from '../scenes/scene.ts'

const seed = process.env.SEED ?? randomBytes(6).toString('hex')
const seedOf = (...parts: unknown[]): string =>
  createHash('sha256')
    .update([seed, ...parts].join('|'))
    .digest('hex')

/** A different seed for each number, without the cost of hashing: the draw itself hashes. */
const numbered = (start: string, number: number): string =>
  start.slice(0, 48) + number.toString(16).padStart(16, '0')

test('the worked example of docs/fairness.md matches the code', () => {
  const text = readFileSync(join(repository, 'docs', 'fairness.md'), 'utf8')
  const cell = (name: string): string =>
    new RegExp(`\\| ${name}\\s*\\| (.*?)\\s*\\|`).exec(text)?.[1]?.replaceAll('`', '') ?? ''
  const input: DrawInput = {
    serverSeed: cell('`serverSeed`'),
    playerSeed: cell('`playerSeed`'),
    playNumber: Number(cell('`playNumber`')),
    versionHash: cell('`versionHash`'),
    weights: cell('weights').split(', ').map(Number),
  }
  assert.equal(input.weights.length, 5)
  assert.equal(commitmentOf(input.serverSeed, hashing), cell('`commitment`'))
  const { ticket, segment } = draw(input, hashing)
  assert.deepEqual([ticket, segment], [Number(cell('`ticket`')), Number(cell('drawn segment'))])
})

test('outcomes never change: frozen vectors', () => {
  const vector = (number: number, weights: number[]): [number, number, number] => {
    const of = (name: string) => createHash('sha256').update(`vector ${number} ${name}`).digest('hex')
    const { ticket, rejected, segment } = draw(
      {
        serverSeed: of('server'),
        playerSeed: of('player'),
        playNumber: number,
        versionHash: of('version'),
        weights,
      },
      hashing,
    )
    return [ticket, rejected, segment]
  }
  const frozen = [
    vector(1, [1, 1]),
    vector(2, [50, 30, 15, 4, 1]),
    vector(3, [1, 999_999]),
    vector(4, [0, 1, 0]),
    vector(
      5,
      Array.from({ length: 24 }, () => 1_000_000_000),
    ),
    vector(1_000_000, [3, 5, 7, 11, 13]),
  ]
  assert.deepEqual(frozen, [
    [1, 0, 1],
    [0, 0, 0],
    [468850, 0, 1],
    [0, 0, 1],
    [15222711926, 0, 15],
    [19, 0, 3],
  ])
})

test('a number in the last, incomplete range of tickets is rejected and the next number used', () => {
  // A scripted hash: first the greatest value, then a small one.
  const digests = ['f'.repeat(64), '5'.padStart(12, '0').padEnd(64, '0')]
  const scripted = { ...hashing, hmacSha256: () => digests.shift() ?? assert.fail('drawn too often') }
  const input = {
    serverSeed: seedOf(1),
    playerSeed: seedOf(2),
    playNumber: 1,
    versionHash: seedOf(3),
    weights: [2, 1],
  }
  assert.deepEqual(draw(input, scripted), { ticket: 5 % 3, rejected: 1, segment: 1 })
})

test('every ticket belongs to exactly one segment, and each segment owns as many as its weight', () => {
  const weights = fc
    .array(fc.integer({ min: 0, max: 40 }), { minLength: 2, maxLength: 24 })
    .filter((list) => list.some((weight) => weight > 0))
  fc.assert(
    fc.property(weights, (list) => {
      const owned = list.map(() => 0)
      const total = list.reduce((sum, weight) => sum + weight, 0)
      for (const ticket of times(total, (index) => index)) owned[segmentOf(list, ticket)]! += 1
      assert.deepEqual(owned, list)
      assert.throws(() => segmentOf(list, total), RangeError)
    }),
  )
})

test("the server's HMAC agrees with Node's", () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 200 })
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 150 }), anyText, (key, message) => {
      const expected = createHmac('sha256', key).update(message).digest('hex')
      assert.equal(hashing.hmacSha256(key, message), expected)
    }),
  )
})

test('hexadecimal encoding round-trips', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => assert.deepEqual(fromHex(toHex(bytes)), bytes)))
  for (const wrong of ['0', 'AB', 'zz', ' 00']) assert.throws(() => fromHex(wrong), TypeError)
})

/** The chi-square value with this many degrees of freedom that is exceeded once in a million (Wilson and Hilferty). */
function chiSquareLimit(freedom: number): number {
  const z = 4.7534
  return freedom * (1 - 2 / (9 * freedom) + z * Math.sqrt(2 / (9 * freedom))) ** 3
}

/** DRAWS=1000000 draws more, which takes half a minute. */
const drawsInAll = Number(process.env.DRAWS ?? 300_000)

test('draws fit the weights, even a chance of one in a million (false alarm: one in a million)', (t) => {
  t.diagnostic(`SEED=${seed}, DRAWS=${drawsInAll}`)
  for (const { name, weights, share } of [
    { name: 'even', weights: times(24, () => 1), share: 0.15 },
    { name: 'steep', weights: [500, 250, 125, 60, 30, 20, 10, 5], share: 0.15 },
    { name: 'rare', weights: [1, 30, 969, 999_000], share: 0.7 },
  ]) {
    const draws = drawsInAll * share
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    const counts = weights.map(() => 0)
    const [start, playerSeed, versionHash] = [seedOf(name), seedOf('player'), seedOf('version')]
    for (let number = 1; number <= draws; number++) {
      const input = {
        serverSeed: numbered(start, number),
        playerSeed,
        playNumber: number,
        versionHash,
        weights,
      }
      counts[draw(input, hashing).segment]! += 1
    }
    // Rarely drawn segments are counted together; otherwise the approximation would not hold.
    const cells = weights.map((weight, index) => ({
      expected: (draws * weight) / total,
      count: counts[index] ?? 0,
    }))
    const large = cells.filter((cell) => cell.expected >= 5)
    const rest = cells
      .filter((cell) => cell.expected < 5)
      .reduce((sum, cell) => ({ expected: sum.expected + cell.expected, count: sum.count + cell.count }), {
        expected: 0,
        count: 0,
      })
    const all = rest.expected > 0 ? [...large, rest] : large
    const chiSquare = all.reduce((sum, cell) => sum + (cell.count - cell.expected) ** 2 / cell.expected, 0)
    const limit = chiSquareLimit(all.length - 1)
    t.diagnostic(`${name}: chi-square ${chiSquare.toFixed(1)}, limit ${limit.toFixed(1)}`)
    assert.ok(chiSquare < limit, `${name}: ${counts.join(', ')}`)
    // More than 10 of an outcome expected less than once occur less than once in a hundred million runs (Poisson).
    if (name === 'rare') assert.ok((counts[0] as number) <= 10, `${counts[0]} hits`)
  }
})

test('the verifier detects every kind of cheating', () => {
  const published = JSON.stringify({
    fallback: 1,
    segments: [1, 3, 6].map((weight) => ({ weight, prize: 'code', limited: true })),
  })
  const versionHash = createHash('sha256').update(published).digest('hex')
  const input = { serverSeed: seedOf('s'), playerSeed: seedOf('p'), playNumber: 3, versionHash }
  const { ticket, segment } = draw({ ...input, weights: [1, 3, 6] }, hashing)
  const honest: ProvenPlay = {
    segment,
    fallbackReason: null,
    playedAt: '2026-11-16T12:00:00Z',
    proof: {
      ...input,
      commitment: commitmentOf(input.serverSeed, hashing),
      ticket,
      weightTotal: 10,
      drawn: segment,
    },
  }
  const failing = (play: ProvenPlay, text = published): string[] =>
    verifyPlay(play, text, hashing)
      .filter((step) => !step.holds)
      .map((step) => step.name)
  assert.deepEqual(failing(honest), [])
  assert.deepEqual(failing({ ...honest, segment: 1, fallbackReason: 'out_of_stock' }), [])
  assert.ok(
    failing({ ...honest, proof: { ...honest.proof, serverSeed: seedOf('other') } }).includes('commitment'),
  )
  assert.ok(failing({ ...honest, proof: { ...honest.proof, ticket: (ticket + 1) % 10 } }).includes('ticket'))
  assert.ok(failing({ ...honest, proof: { ...honest.proof, weightTotal: 11 } }).includes('ticket'))
  assert.ok(failing({ ...honest, proof: { ...honest.proof, drawn: (segment + 1) % 3 } }).includes('segment'))
  assert.ok(failing({ ...honest, segment: (segment + 1) % 3 }).includes('fallback'))
  assert.ok(failing(honest, published.replace('6', '7')).includes('version'))
  const unlimited = published.replaceAll('true', 'false')
  assert.ok(
    failing({ ...honest, segment: 1, fallbackReason: 'out_of_stock' }, unlimited).includes('fallback'),
  )
  const other = (segment + 1) % 3 === 1 ? (segment + 2) % 3 : (segment + 1) % 3
  assert.ok(
    failing({ ...honest, segment: other, fallbackReason: 'out_of_stock' }).includes('fallback') ||
      other === 1,
  )
})
