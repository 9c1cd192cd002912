import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyEnd, readBody, shapedPages, shapeOf } from '../../src/events/page-body.ts'
import { eventsPerPageMax } from '../../src/limits.ts'
import { times } from '../scenes/scene.ts'

const at = new Date('2026-11-15T12:00:00.000Z')
const ownNames = new Set(['playerId', 'amount', 'reason', 'claimBefore', 'newBalance'])

/** What the database makes of a page's head and its rows: it adds the balances. */
const bodyOf = ({ heads, rows }: ReturnType<typeof shapedPages>, balances: readonly number[]) =>
  `${heads[0]}${rows.map((row, index) => `${row}${balances[index]}}]`).join(',')}${bodyEnd}`

test('a body with shapes is read as the events that it stands for, with fields in their order', () => {
  const lost = { playerId: 'ann', amount: 3, wheel: 'main', prize: null, newBalance: 8 }
  const won = { playerId: 'bob', amount: 1, prize: { playerId: 'part of the prize' }, newBalance: 9 }
  const prize = { playerId: 'bob', claimBefore: '2026-11-16', label: 'Mug' }
  const shapes = [
    shapeOf([{ type: 'play.completed', data: lost }], ownNames),
    shapeOf(
      [
        { type: 'play.completed', data: won },
        { type: 'prize.won', data: prize },
      ],
      ownNames,
    ),
  ] as const
  const pages = shapedPages(
    [
      { merchantId: 1, shape: shapes[0], own: '{"playerId":"ann","amount":3,"newBalance":' },
      {
        merchantId: 1,
        shape: shapes[1],
        own: '{"playerId":"bob","claimBefore":"2026-11-16","amount":1,"newBalance":',
      },
    ],
    at,
  )
  assert.deepEqual([pages.pageNos, pages.ids.length], [[1, 1], 1])
  const events = [
    ['play.completed', at.getTime(), lost],
    ['play.completed', at.getTime(), won],
    ['prize.won', at.getTime(), prize],
  ]
  assert.equal(JSON.stringify(readBody(bodyOf(pages, [8, 9]))), JSON.stringify(events))
  assert.deepEqual(readBody(JSON.stringify(events)), events, 'the plain form')
})

test('a body of the length that PostgreSQL would leave in its row uncompressed is filled up with spaces', () => {
  const shape = shapeOf([{ type: 'spins.granted', data: { playerId: '', reason: null } }], ownNames)
  for (const [reasonLength, isPadded] of [
    [1, false],
    [500, false],
    [1_000, true],
    [1_500, true],
    [3_000, false],
  ] as const) {
    const own = `{"playerId":"ann","reason":"${'x'.repeat(reasonLength)}","newBalance":`
    const body = bodyOf(shapedPages([{ merchantId: 1, shape, own }], at), [4])
    assert.equal(body.includes('  '), isPadded)
    assert.equal(body.length >= 2_000, reasonLength >= 1_000)
    assert.equal(readBody(body).length, 1)
  }
})

test('a shape is written once for a page; merchants, and more events than fit, have pages of their own', () => {
  const shape = shapeOf([{ type: 'spins.granted', data: { playerId: '' } }], ownNames)
  const merchants = times(eventsPerPageMax + 2, (index) => ({
    merchantId: index === 1 ? 2 : 1,
    shape,
    own: '{',
  }))
  const { ids, heads, pageNos } = shapedPages(merchants, at)
  assert.equal(new Set(ids).size, 3)
  assert.deepEqual([pageNos[0], pageNos[1], pageNos[2], pageNos.at(-2), pageNos.at(-1)], [1, 2, 1, 1, 3])
  for (const head of heads) assert.equal(head.split('spins.granted').length, 2)
})
