// A reporter for Node's test runner: how many seconds each test file took, as JSON, for the groups of `npm test`.
import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

// The runner wants a default export.
// oxlint-disable-next-line import/no-default-export
export default async function* times(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const seconds = new Map<string, number>()
  for await (const { type, data } of events) {
    if (type !== 'test:complete' || data.nesting !== 0 || data.file === undefined) continue
    const file = relative(process.cwd(), data.file)
    // The file of a process has the time of all its tests.
    if (!file.startsWith('test/')) continue
    seconds.set(file, (seconds.get(file) ?? 0) + data.details.duration_ms / 1000)
  }
  const rounded = [...seconds].map(([file, sum]) => [file, Math.round(sum)] as const)
  rounded.sort(([a], [b]) => (a < b ? -1 : 1))
  yield `${JSON.stringify(Object.fromEntries(rounded), null, 2)}\n`
}
