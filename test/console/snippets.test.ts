// The examples that the console shows, run as a developer would after copying them.
import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { makeWebhookSecret, signWebhook } from '../../src/webhooks/sending/signature.ts'
import {
  type Language,
  languages,
  snippetFile,
  type Task,
  tasks,
  withServer,
} from '../../web/console/views/developers/snippet-files.ts'
import { callApi } from '../scenes/management-scene.ts'
import {
  defer,
  freePort,
  type Lifetime,
  makeFolder,
  makeMerchant,
  makeServer,
  node,
  repository,
  type Server,
  suiteLifetime,
  until,
} from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

const run = promisify(execFile)
const sources = join(repository, 'web', 'console', 'views', 'developers', 'snippets')
const commands: Record<Language, string> = {
  curl: 'bash',
  node,
  python: 'python3',
  php: 'php',
  java: 'java',
}
const isInstalled = (command: string) => spawnSync(command, ['--version']).status === 0

describe(
  'each example of the console grants, makes a link and verifies webhooks',
  { concurrency: true },
  () => {
    const lifetime = suiteLifetime()
    let server: Server
    let folder: string
    before(async () => {
      server = await makeServer(lifetime, {
        env: { WEBHOOK_ALLOW_HTTP: 'on', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
      })
      folder = makeFolder(lifetime)
      linkClient(folder)
      for (const language of languages)
        for (const task of tasks) {
          const file = snippetFile(language, task)
          const text = readFileSync(join(sources, file), 'utf8')
          writeFileSync(join(folder, file), withServer(text, server.url))
        }
    })
    const environment = (own: Record<string, string>) => ({ PATH: process.env.PATH, ...own })

    for (const language of languages) {
      const command = commands[language]
      const often = language === 'java' ? onLanding : {}
      const options = isInstalled(command) ? often : { skip: `${command} is not installed` }
      test(language, options, async (t) => {
        const { token } = await makeMerchant(server.ctx.db)
        const print = async (task: Task) => {
          const env = environment({ WHEELHOUSE_TOKEN: token })
          return (await run(command, [snippetFile(language, task)], { cwd: folder, env })).stdout
        }
        assert.match(
          await print('link'),
          new RegExp(`${server.url.replace(/:\d+$/, '')}.*/spinthewheel/\\?token=`),
        )
        await (language === 'curl' ? checkByHand() : receive(t, { language, token }))
      })
    }

    /** The shell has no server, so it checks a delivery that was saved. */
    async function checkByHand(): Promise<void> {
      const secret = makeWebhookSecret()
      const body = '{"type":"prize.won","data":{"label":"A café"}}'
      writeFileSync(join(folder, 'body.json'), body)
      const check = (key: string) => {
        const headers = signWebhook({ id: 'evt_1', sentAt: new Date(), body }, [makeWebhookSecret(), key])
        const env = environment({
          WEBHOOK_SECRET: secret,
          WEBHOOK_ID: headers['webhook-id'],
          WEBHOOK_TIMESTAMP: headers['webhook-timestamp'],
          WEBHOOK_SIGNATURE: headers['webhook-signature'],
        })
        return run('bash', [snippetFile('curl', 'webhook')], { cwd: folder, env })
      }
      assert.equal((await check(secret)).stdout, 'Signed by Wheelhouse.\n')
      await assert.rejects(check(makeWebhookSecret()), /NOT signed|code 1|failed/)
    }

    async function receive(t: Lifetime, { language, token }: { language: Language; token: string }) {
      const port = await freePort()
      const receiver = `http://127.0.0.1:${port}/`
      const made = await callApi(server, token, 'POST', '/api/v1/webhooks', { body: { url: receiver } })
      const { webhookId, secret } = made.body as { webhookId: string; secret: string }
      start(t, language, { WEBHOOK_SECRET: secret, PORT: String(port) })
      const send = (headers: Record<string, string>) =>
        fetch(receiver, { method: 'POST', headers, body: '{"type":"prize.won","id":"evt_1"}' }).then(
          (response) => response.status,
          () => undefined,
        )
      await until(async () => (await send({})) === 401)
      const signed = (key: string, sentAt = new Date()) =>
        signWebhook({ id: 'evt_1', sentAt, body: '{"type":"prize.won","id":"evt_1"}' }, [key])
      assert.equal(await send({ ...signed(makeWebhookSecret()) }), 401)
      assert.equal(await send({ ...signed(secret, new Date(Date.now() - 600_000)) }), 401)
      assert.equal(await send({ ...signed(secret) }), 204)
      const tested = await callApi(server, token, 'POST', `/api/v1/webhooks/${webhookId}/test`)
      assert.deepEqual([tested.body.delivered, tested.body.status], [true, 204], tested.text)
    }

    function start(t: Lifetime, language: Language, env: { PORT: string; WEBHOOK_SECRET: string }): void {
      const file = snippetFile(language, 'webhook')
      const args = language === 'php' ? ['-S', `127.0.0.1:${env.PORT}`, file] : [file]
      const child = spawn(commands[language], args, { cwd: folder, env: environment(env), stdio: 'ignore' })
      const ended = once(child, 'exit')
      defer(t, async () => {
        child.kill()
        await ended
      })
    }
  },
)

/** The sources of the client, under its name. Installing the package takes seconds, and its own tests do that. */
function linkClient(folder: string): void {
  const source = join(repository, 'packages', 'client', 'src', 'index.ts')
  mkdirSync(join(folder, 'client'))
  mkdirSync(join(folder, 'node_modules'))
  writeFileSync(join(folder, 'client', 'index.mjs'), `export * from ${JSON.stringify(source)}\n`)
  const about = { name: 'wheelhouse-client', exports: './index.mjs' }
  writeFileSync(join(folder, 'client', 'package.json'), JSON.stringify(about))
  symlinkSync(join(folder, 'client'), join(folder, 'node_modules', 'wheelhouse-client'))
}
