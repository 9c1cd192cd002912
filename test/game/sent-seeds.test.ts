import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { draw } from '../../src/fairness/draw.ts'
import { hashing } from '../../src/fairness/hashing.ts'
import type { Play, Session } from '../../web/game/api.ts'
import * as seeds from '../../web/game/proof/sent-seeds.ts'

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const published = JSON.stringify({
  name: 'w',
  fallback: 1,
  segments: [
    { label: 'Mug', weight: 1, prize: 'code' },
    { label: 'Nothing', weight: 1, prize: 'none' },
  ],
})
const sessionOf = (playNumber: number, commitment: string, version = 'one') =>
  ({ next: { playNumber, commitment }, wheel: { hash: hash(version), published } }) as Session

// The page keeps seeds in the state of its history entry; here, a plain object stands in for the browser's, during a
// call only: other files of this process would take a global `history` for a browser.
const history = { state: null as unknown, replaceState: (state: unknown) => (history.state = state) }
const inPage =
  <Given extends unknown[], T>(call: (...given: Given) => T) =>
  (...given: Given): T => {
    Object.assign(globalThis, { history })
    try {
      return call(...given)
    } finally {
      Reflect.deleteProperty(globalThis, 'history')
    }
  }
const noteRefusal = inPage(seeds.noteRefusal)
const noteSent = inPage(seeds.noteSent)
const refusedSpins = inPage(seeds.refusedSpins)
const requestFor = inPage(seeds.requestFor)

test('a refused spin is repeated with the same seed, and a changed commitment is noticed', async () => {
  const before = sessionOf(4, hash('c4'))
  const first = requestFor(before)
  assert.match(first.playId, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const age = Date.now() - Number.parseInt(first.playId.replace('-', '').slice(0, 12), 16)
  assert(age >= 0 && age < 60_000, 'a play id begins with the time')
  noteSent(first, 4)
  assert.deepEqual(requestFor(before), first, 'a lost answer: the same request')
  noteRefusal(first, before)
  assert.deepEqual(requestFor(before), first, 'refused: the same request again')

  const changed = sessionOf(4, hash('rotated'), 'two')
  noteRefusal(first, changed)
  const second = requestFor(changed)
  assert.deepEqual(
    [second.playerSeed, second.commitment, second.versionHash],
    [first.playerSeed, first.commitment, hash('two')],
    'another version: the same seed and commitment',
  )
  assert.notEqual(second.playId, first.playId)
  noteSent(second, 4)
  const told = async (plays: Map<number, Play>, next: Session['next']) =>
    (await refusedSpins(plays, next, async () => published)).map(({ number, fate, label }) => [
      number,
      fate,
      label,
    ])
  assert.deepEqual(await told(new Map(), changed.next), [[4, 'open', '']])

  const serverSeed = hash('server seed')
  const proof = { ...second, serverSeed, playNumber: 4 }
  const played = new Map([[4, { playNumber: 4, proof } as unknown as Play]])
  const { segment } = draw({ ...first, serverSeed, playNumber: 4, weights: [1, 1] }, hashing)
  assert.deepEqual(await told(played, { playNumber: 5, commitment: hash('c5') }), [
    [4, 'would', segment === 0 ? 'Mug' : 'Nothing'],
  ])

  const five = requestFor(sessionOf(5, hash('c5'), 'two'))
  assert.notEqual(five.playerSeed, first.playerSeed, 'another number: another seed')
  noteSent(five, 5)
  const other = sessionOf(5, hash('another'), 'two')
  noteRefusal(five, other)
  const fresh = requestFor(other)
  assert.equal(fresh.commitment, hash('another'))
  assert.notEqual(fresh.playerSeed, five.playerSeed, 'a known seed never meets a new commitment')
  assert.deepEqual((await told(played, other.next)).at(-1), [5, 'changed', ''])
})
