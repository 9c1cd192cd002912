import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Finding, lastingFindings } from '../../src/integrity/lasting-findings.ts'

const finding = (check: string, rows: number[], count = rows.length): Finding => ({
  check,
  count,
  examples: rows.map((row) => ({ row })),
})

test('a finding lasts if the same row is found again, or if there are too many rows to tell', () => {
  const lasting = (before: Finding[], later: Finding[]) =>
    lastingFindings(before, later).map(({ check }) => check)
  assert.deepEqual(lasting([finding('a', [1, 2])], [finding('a', [2, 3]), finding('b', [1])]), ['a'])
  assert.deepEqual(lasting([finding('a', [1])], [finding('a', [2])]), [])
  assert.deepEqual(lasting([finding('a', [1], 100)], [finding('a', [2], 90)]), ['a'])
  assert.deepEqual(lasting([finding('a', [1])], []), [])
})
