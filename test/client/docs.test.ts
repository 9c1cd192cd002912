import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { installClient } from './client-package.ts'
import { makeFolder, makeMerchant, makeServer, node, repository } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

const run = promisify(execFile)

/** Sends a genuine and a forged webhook to the receiver of the guide. */
const webhooks = `
import { createHmac } from 'node:crypto'
const body = JSON.stringify({ type: 'prize.won', data: { playerId: 'alice', label: 'a mug' } })
const timestamp = String(Math.floor(Date.now() / 1000))
const key = Buffer.from(secret.slice(6), 'base64')
const signature = createHmac('sha256', key).update(\`evt_1.\${timestamp}.\${body}\`).digest('base64')
for (const value of [signature, signature.toLowerCase()]) {
  const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': timestamp, 'webhook-signature': 'v1,' + value }
  const answer = await receive(new Request('http://shop.example/', { method: 'POST', headers, body }))
  console.log(answer.status)
}`

test(
  'the examples of docs/client.md, run in order, print the output that the page shows',
  onLanding,
  async (t) => {
    const text = readFileSync(join(repository, 'docs', 'client.md'), 'utf8')
    const examples = [...text.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code as string)
    assert.ok(examples.length >= 8)
    const server = await makeServer(t, { env: { PUBLIC_URL: 'http://127.0.0.1:8080' } })
    const { token } = await makeMerchant(server.ctx.db)
    const folder = installClient(t)
    const program = examples.join('\n').replaceAll("'http://127.0.0.1:8080'", `'${server.url}'`)
    writeFileSync(join(folder, 'guide.js'), program + webhooks)
    const { stdout } = await run(node, ['guide.js'], { cwd: folder, env: { TOKEN: token } })

    const shown = [...program.matchAll(/console\.log\(.+\) \/\/ (.+)/g)].map(([, line]) => line as string)
    const printed = stdout.trimEnd().split('\n')
    assert.deepEqual(printed.slice(-3), ['alice won: a mug', '200', '401'])
    assert.equal(printed.length, shown.length + 3, stdout)
    for (const [index, line] of shown.entries())
      assert.ok(isLike(printed[index] ?? '', line), `${line} matches ${printed[index]}`)
  },
)

test('the whole test of docs/test-mode.md passes: grant, spin, webhook, clock', async (t) => {
  const text = readFileSync(join(repository, 'docs', 'test-mode.md'), 'utf8')
  const [, example] = /```js\n([\s\S]*?)```/.exec(text) ?? []
  const env = { WEBHOOK_ALLOW_HTTP: 'on', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }
  const server = await makeServer(t, { env })
  const { token } = await makeMerchant(server.ctx.db)
  const headers = { Authorization: token, 'Content-Type': 'application/json' }
  const opened = await fetch(`${server.url}/api/v1/test-merchant`, { method: 'POST', headers, body: '{}' })
  const made = (await opened.json()) as { token: string }
  const client = pathToFileURL(join(repository, 'packages', 'client', 'src', 'index.ts')).href
  const program = String(example)
    .replace("'http://127.0.0.1:8080'", `'${server.url}'`)
    .replace("'wheelhouse-client'", `'${client}'`)
  const file = join(makeFolder(t), 'whole-test.mjs')
  writeFileSync(file, program)
  await run(node, [file], { env: { TEST_TOKEN: made.token } })
})

/** Equality, where … matches anything. */
function isLike(actual: string, shown: string): boolean {
  return shown.endsWith('…') ? actual.startsWith(shown.slice(0, -1)) : actual === shown
}
