import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { chromiumFlags } from '../scripts/chromium.ts'
import { makeDemoMerchant } from '../src/cli/demo-merchant.ts'
import { findMerchant } from '../src/merchants/merchants.ts'
import { refusals } from '../src/refusals.ts'
import { spin } from './game-scene.ts'
import {
  databaseUrl,
  defer,
  makeFolder,
  makeServer,
  repository,
  type Server,
  until,
  waitMsMax,
} from './scene.ts'

test('every error code has an anchor on the page that problem documents link to', async (t) => {
  const server = await makeServer(t)
  const page = await (await fetch(`${server.url}/docs/errors`)).text()
  for (const code of Object.keys(refusals)) assert.ok(page.includes(`id="${code}"`), code)
})

const execute = promisify(execFile)

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
    'docs/embedding.md',
    'docs/events.md',
    'docs/fairness.md',
    'docs/webhooks.md',
    'docs/manage.md',
  ]) {
    test(file, async (t) => {
      const { run } = await makeReader(t)
      const examples = examplesIn(file)
      assert.ok(examples.length > 0)
      for (const example of examples) await run(example)
    })
  }

  test('docs/tutorial.md, with a player who opens the link and spins', async (t) => {
    const { server, variables, run } = await makeReader(t)
    let hasPlayed = false
    for (const example of examplesIn('docs/tutorial.md')) {
      const output = await run(example)
      const answer = output.startsWith('{') ? (JSON.parse(output) as Record<string, any>) : {}
      if ('link' in answer) {
        await playOnce(t, server, answer.token as string)
        hasPlayed = true
      }
      // The page asks the reader to copy it from the answer.
      if ('prizes' in answer) variables.PLAY = answer.prizes[0].playId as string
    }
    assert.ok(hasPlayed)
    const [prize] = await prizesOfDemo(server, variables.TOKEN as string)
    assert.equal(prize?.state, 'redeemed')
  })
})

type Example = ReturnType<typeof examplesIn>[number]

/** A server after its first start, and a folder in which a reader of the documentation runs the examples. */
async function makeReader(t: TestContext) {
  const server = await makeServer(t, { env: { WEBHOOKS: 'off' } })
  const demo = await makeDemoMerchant(server.ctx.db, { now: new Date(), show: async () => undefined })
  const folder = makeFolder(t)
  mkdirSync(join(folder, 'bin'))
  symlinkSync(join(repository, 'bin', 'wheelhouse'), join(folder, 'bin', 'wheelhouse'))
  const variables: Record<string, string | undefined> = { TOKEN: demo?.token }
  const run = async ({ command, answer }: Example): Promise<string> => {
    const { stdout } = await execute(
      'bash',
      ['-euo', 'pipefail', '-c', command.replaceAll('http://127.0.0.1:8080', server.url)],
      {
        cwd: folder,
        env: {
          PATH: process.env.PATH,
          DATABASE_URL: databaseUrl(server.target),
          WEBHOOKS: 'off',
          ...variables,
        },
      },
    )
    assert.doesNotMatch(stdout, /"code":"/, command)
    if (answer !== undefined) assertLike(JSON.parse(stdout), JSON.parse(answer))
    return stdout
  }
  return { server, variables, run }
}

/** Opens a game link in a browser and spins once, on the wheel that the tutorial has published. */
async function playOnce(t: TestContext, server: Server, token: string): Promise<void> {
  const { merchantId } = await findMerchant(server.ctx.db, 'demo')
  await until(async () => (await server.ctx.wheels.current(merchantId)).version === 2)
  const browser = await chromium.launch({
    executablePath: process.env.TEST_CHROMIUM as string,
    args: chromiumFlags,
    timeout: waitMsMax,
  })
  defer(t, () => browser.close())
  const page = await browser.newPage({ reducedMotion: 'reduce' })
  page.setDefaultTimeout(waitMsMax)
  await page.goto(`${server.url}/spinthewheel/?token=${token}`)
  assert.equal(await spin(page), 'won')
}

async function prizesOfDemo(server: Server, token: string): Promise<{ state: string }[]> {
  const response = await fetch(`${server.url}/api/v1/prizes`, { headers: { authorization: token } })
  return ((await response.json()) as { prizes: { state: string }[] }).prizes
}

/** Equality, where … in the document matches anything. */
function assertLike(actual: unknown, shown: unknown, name = 'the answer'): void {
  if (typeof shown === 'string' && shown.includes('…'))
    assert.ok(String(actual).startsWith(shown.split('…')[0] ?? ''), `${name} is ${String(actual)}`)
  else if (typeof shown === 'object' && shown !== null) {
    assert.deepEqual(Object.keys(actual as object), Object.keys(shown))
    for (const [key, value] of Object.entries(shown))
      assertLike((actual as Record<string, unknown>)[key], value, key)
  } else assert.deepEqual(actual, shown)
}
