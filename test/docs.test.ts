import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { makeDemoMerchant } from '../src/cli/demo-merchant.ts'
import { refusals } from '../src/refusals.ts'
import { databaseUrl, makeFolder, makeServer, repository } from './scene.ts'

test('a real linter finds nothing in the OpenAPI document', async (t) => {
  const server = await makeServer(t)
  const file = join(makeFolder(t), 'openapi.json')
  writeFileSync(file, await (await fetch(`${server.url}/openapi.json`)).text())
  const linted = spawnSync(
    join(repository, 'node_modules', '.bin', 'redocly'),
    ['lint', file, '--extends', 'recommended', '--format', 'stylish'],
    {
      cwd: makeFolder(t),
      encoding: 'utf8',
      env: {
        ...process.env,
        REDOCLY_TELEMETRY: 'off',
        REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
        NO_COLOR: '1',
      },
    },
  )
  assert.equal(linted.status, 0, linted.stdout + linted.stderr)
  assert.match(linted.stdout + linted.stderr, /Your API description is valid/)
  assert.doesNotMatch(linted.stdout + linted.stderr, /warning/i)
})

type OpenApi = {
  openapi: string
  paths: Record<string, { post: { responses: Responses; security: object[] } }>
}
type Responses = Record<string, { content: object }>

test('the OpenAPI document has both operations with fields, header form and every refusal', async (t) => {
  const server = await makeServer(t)
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as OpenApi
  assert.match(document.openapi, /^3\.1/)
  for (const path of ['/api/player/increaseSpin', '/api/game/sso']) {
    const operation = document.paths[path]?.post
    assert.deepEqual(operation?.security, [{ serviceToken: [] }])
    for (const status of ['200', '400', '401', '403', '408', '413', '415', '422', '429', '500', '503']) {
      const content: object | undefined = operation?.responses[status]?.content
      assert.deepEqual(Object.keys(content ?? {}), [
        status === '200' ? 'application/json' : 'application/problem+json',
      ])
    }
  }
})

test('every code has an anchor on the page that problem documents point to', async (t) => {
  const server = await makeServer(t)
  const page = await (await fetch(`${server.url}/docs/errors`)).text()
  for (const code of Object.keys(refusals)) assert.ok(page.includes(`id="${code}"`), code)
})

const run = promisify(execFile)

/** The blocks of a document that are commands to run, each with the JSON that should come back. */
function examplesIn(file: string): { command: string; answer: string | undefined }[] {
  const text = readFileSync(join(repository, file), 'utf8')
  return [...text.matchAll(/```sh\n([\s\S]*?)```\n(?:\n```json\n([\s\S]*?)```)?/g)].map(
    ([, command, answer]) => ({
      command: command as string,
      answer,
    }),
  )
}

describe('every example in the documentation runs as it stands', () => {
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
      // Empty but for what the first start brings.
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

/** Equal, where … in the document stands for anything. */
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
