import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { makeDemoMerchant } from '../src/cli/demo-merchant.ts'
import { refusals } from '../src/refusals.ts'
import { databaseUrl, makeServer, repository } from './scene.ts'

test('every error code has an anchor on the page that problem documents link to', async (t) => {
  const server = await makeServer(t)
  const page = await (await fetch(`${server.url}/docs/errors`)).text()
  for (const code of Object.keys(refusals)) assert.ok(page.includes(`id="${code}"`), code)
})

const run = promisify(execFile)

/** The commands in a document, each with the JSON that it should print. */
function examplesIn(file: string): { command: string; answer: string | undefined }[] {
  const text = readFileSync(join(repository, file), 'utf8')
  return [...text.matchAll(/```sh\n([\s\S]*?)```\n(?:\n```json\n([\s\S]*?)```)?/g)].map(
    ([, command, answer]) => ({
      command: command as string,
      answer,
    }),
  )
}

describe('every example in the documentation runs as written', () => {
  for (const file of [
    'README.md',
    'docs/integrate.md',
    'docs/operations.md',
    'docs/wheels.md',
    'docs/events.md',
    'docs/fairness.md',
    'docs/webhooks.md',
    'docs/manage.md',
  ]) {
    test(file, async (t) => {
      // Empty except for the data that the first start creates.
      const server = await makeServer(t, { env: { WEBHOOKS: 'off' } })
      const demo = await makeDemoMerchant(server.ctx.db, { now: new Date(), show: async () => undefined })
      const env = { DATABASE_URL: databaseUrl(server.target), WEBHOOKS: 'off' }
      const examples = examplesIn(file)
      assert.ok(examples.length > 0)
      for (const { command, answer } of examples) {
        const { stdout: output } = await run(
          'bash',
          ['-euo', 'pipefail', '-c', command.replaceAll('http://127.0.0.1:8080', server.url)],
          {
            cwd: repository,
            env: { PATH: process.env.PATH, TOKEN: demo?.token, ...env },
          },
        )
        assert.doesNotMatch(output, /"code":"/, command)
        if (answer !== undefined) assertLike(JSON.parse(output), JSON.parse(answer))
      }
    })
  }
})

/** Equality, where … in the document matches anything. */
function assertLike(actual: Record<string, unknown>, shown: Record<string, unknown>): void {
  assert.deepEqual(Object.keys(actual), Object.keys(shown))
  for (const [name, value] of Object.entries(shown)) {
    if (typeof value !== 'string' || !value.includes('…')) assert.deepEqual(actual[name], value)
    else
      assert.ok(
        String(actual[name]).startsWith(value.split('…')[0] ?? ''),
        `${name} is ${String(actual[name])}`,
      )
  }
}
