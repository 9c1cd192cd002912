import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { writeRequestLine } from '../src/log.ts'

test('the log line of a request is valid JSON, whatever its path and the name of its caller contain', () => {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const request = { requestId: 'abc-1', method: 'GET', path: '/"\\\n', status: 200, ms: 1.26 }
  const token = 'staff:"o\\brien"@example.com","status":500,"x":"\n'
  writeRequestLine(log, 'info', { ...request, merchant: 'demo', token })
  writeRequestLine(log, 'error', { ...request, status: 500, traceId: 'a1b2' })
  const read = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  const common = {
    pid: process.pid,
    requestId: 'abc-1',
    method: 'GET',
    path: '/"\\\n',
    ms: 1.3,
    msg: 'request',
  }
  assert.deepEqual(read, [
    { ...common, time: read[0]?.time, level: 'info', status: 200, merchant: 'demo', token },
    { ...common, time: read[1]?.time, level: 'error', status: 500, traceId: 'a1b2' },
  ])
  for (const { time } of read) assert.match(String(time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  for (const line of lines) assert.match(line, /^[^\n]+\n$/)
})
