import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { refusalKindsMax, refusalLinesMax } from '../../src/limits.ts'
import { writeRequestLine } from '../../src/log.ts'
import { RefusalLog } from '../../src/refusal-log.ts'

test('the log line of a request is valid JSON, whatever its path and the name of its caller contain', () => {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const request = { requestId: 'abc-1', method: 'GET', path: '/"\\\n', status: 200, ms: 1.26 }
  const token = 'staff:"o\\brien"@example.com","status":500,"x":"\n'
  writeRequestLine(log, 'info', { ...request, merchant: 'demo', token })
  writeRequestLine(log, 'error', { ...request, status: 500, traceId: 'a1b2' })
  const read = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  const fields = {
    pid: process.pid,
    requestId: 'abc-1',
    method: 'GET',
    path: '/"\\\n',
    ms: 1.3,
    msg: 'request',
  }
  assert.deepEqual(read, [
    { ...fields, time: read[0]?.time, level: 'info', status: 200, merchant: 'demo', token },
    { ...fields, time: read[1]?.time, level: 'error', status: 500, traceId: 'a1b2' },
  ])
  for (const { time } of read) assert.match(String(time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  for (const line of lines) assert.match(line, /^[^\n]+\n$/)
})

test('of many refusals of a kind the first few are logged, and the number of the others', (t) => {
  const lines: Record<string, unknown>[] = []
  const log = pino(
    { base: null, timestamp: false },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  )
  const refusals = new RefusalLog(log)
  t.after(() => refusals.close())
  const admitted = (merchant: string | undefined, count: number) =>
    Array.from({ length: count }, () => refusals.admits('/api/game/sso', 'overloaded', merchant)).filter(
      Boolean,
    ).length
  assert.equal(admitted('flood', refusalLinesMax + 990), refusalLinesMax)
  assert.equal(admitted('quiet', refusalLinesMax), refusalLinesMax)
  refusals.summarise()
  const kind = { route: '/api/game/sso', code: 'overloaded', merchant: 'flood' }
  const message = 'refusals without a line of their own'
  assert.deepEqual(lines, [{ level: 40, ...kind, refusals: 990, msg: message }])
  // The next second begins anew, and the number of kinds is limited too.
  assert.equal(admitted('flood', 1), 1)
  for (let number = 1; number < refusalKindsMax; number++) admitted(`merchant-${number}`, 1)
  assert.equal(admitted('one too many', 1), 0)
})
