import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { prizeNumber, readPrizeNumber } from '../../src/prize-kinds/prize-number.ts'

test('a prize number names the second of the win and the end of the id, and is read as people type it', () => {
  const won = { playId: '0192f3a1-7c44-7d10-9b2e-00000000002a', wonAt: '2020-01-01T00:00:33.900Z' }
  assert.equal(prizeNumber(won), '00001-1001A')
  const wonFrom = new Date('2020-01-01T00:00:33Z')
  for (const typed of ['00001-1001A', ' 00001 1001a ', 'ooooi-LoolA', '000011001A', '\u200e00001\u20131001A'])
    assert.deepEqual(readPrizeNumber(typed), { wonFrom, playIdEnd: '0002a' }, typed)
  for (const typed of ['', '00000-1001', '00000-1001AA', '00000-1001U', 'CODE-1'])
    assert.equal(readPrizeNumber(typed), undefined, typed)
  const time = fc.date({ min: new Date('2020-01-01'), max: new Date('2054-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(time, fc.uuid(), (wonAt, playId) => {
      const number = prizeNumber({ playId, wonAt: wonAt.toISOString() })
      assert.match(number, /^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
      const from = new Date(Math.floor(wonAt.getTime() / 1000) * 1000)
      assert.deepEqual(readPrizeNumber(number), { wonFrom: from, playIdEnd: playId.slice(-5) })
    }),
  )
})
