import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyEnd, readBody, shapedPages, shapeOf } from '../src/events/page-body.ts'
import { eventsPerPageMax } from '../src/limits.ts'
import { times } from './scene.ts'

const at = new Date('2026-11-15T12:00:00.000Z')
const ownNames = new Set(['playerId', 'playId', 'claimBefore'])

/** What the database makes of a page's head and its rows. */
const bodyOf = (head: string | undefined, rows: readonly unknown[]) =>
  `${head}${rows.map((row) => JSON.stringify(row)).join(',')}${bodyEnd}`

test('a body with shapes is read as the events that it stands for, with fields in their order', () => {
  const lost = { playerId: 'ann', playId: '1', wheel: 'main', prize: null }
  const won = { playerId: 'bob', playId: '2', wheel: 'main', prize: { playerId: 'part of the prize' } }
  const prize = { playerId: 'bob', playId: '2', claimBefore: '2026-11-16', label: 'Mug' }
  const shapes = [
    shapeOf([{ type: 'play.completed', data: lost }], ownNames),
    shapeOf(
      [
        { type: 'play.completed', data: won },
        { type: 'prize.won', data: prize },
      ],
      ownNames,
    ),
  ]
  const pages = shapedPages(
    shapes.map((shape) => ({ merchantId: 1, shape })),
    at,
  )
  assert.deepEqual([pages.pageNos, pages.shapePlaces, pages.ids.length], [[1, 1], [0, 1], 1])
  const rows = [
    [0, { playerId: 'ann', playId: '1' }],
    [1, { playerId: 'bob', claimBefore: '2026-11-16', playId: '2' }],
  ]
  const events = [
    ['play.completed', at.getTime(), lost],
    ['play.completed', at.getTime(), won],
    ['prize.won', at.getTime(), prize],
  ]
  assert.equal(JSON.stringify(readBody(bodyOf(pages.heads[0], rows))), JSON.stringify(events))
  assert.deepEqual(readBody(JSON.stringify(events)), events, 'the plain form')
})

test('a shape is written once for a page; merchants, and more events than fit, have pages of their own', () => {
  const shape = shapeOf([{ type: 'spins.granted', data: { playerId: '' } }], ownNames)
  const merchants = times(eventsPerPageMax + 2, (index) => ({ merchantId: index === 1 ? 2 : 1, shape }))
  const { ids, heads, pageNos } = shapedPages(merchants, at)
  assert.equal(new Set(ids).size, 3)
  assert.deepEqual([pageNos[0], pageNos[1], pageNos[2], pageNos.at(-2), pageNos.at(-1)], [1, 2, 1, 1, 3])
  for (const head of heads) assert.equal(head.split('spins.granted').length, 2)
})
