import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ForcedOutcome, forcedOutcome } from '../../src/plays/forced-outcomes.ts'
import { defaultWheel } from '../../src/wheel-document/wheel-document.ts'

test('an id that forces an outcome means the segment with exactly that id, or else the longest that fits', () => {
  const ids = ['mug', 'mug-blue', 'mug-1', 'slow-cooker']
  const [segment] = defaultWheel.segments
  const document = { ...defaultWheel, segments: ids.map((id) => ({ ...segment, id })) } as typeof defaultWheel
  const expected: Record<string, ForcedOutcome | undefined> = {
    'force-mug': { segment: 0 },
    'force-mug-2': { segment: 0 },
    'force-mug-blue': { segment: 1 },
    'force-mug-blue-1': { segment: 1 },
    'force-mug-1': { segment: 2 },
    'force-mug-1-1': { segment: 2 },
    'force-slow-cooker': { segment: 3 },
    'force-slow-1': undefined,
    'force-out-of-stock-1': 'out_of_stock',
    'force-mugs-1': 'unknown',
    'force-': 'unknown',
    mug: undefined,
  }
  for (const [playerId, outcome] of Object.entries(expected)) {
    assert.deepEqual(forcedOutcome({ playerId, wheel: { document }, clockAheadMs: 0 }), outcome, playerId)
    assert.equal(forcedOutcome({ playerId, wheel: { document }, clockAheadMs: null }), undefined, playerId)
  }
})
