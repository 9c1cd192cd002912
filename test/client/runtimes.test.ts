// `npm run client:runtimes`: the packed client on Deno, Bun, workerd (the engine of Cloudflare Workers), an old Node
// and Jest. The command installs them from npm, 500 MB, into a temporary folder, so it is no part of `npm test`.
import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { clientSettings, installClient } from './client-package.ts'
import { makeFolder, suiteLifetime } from '../scenes/scene.ts'

const run = promisify(execFile)
// This Node can't require ES modules. Its package has no install script, unlike the one that is called node.
const oldNode = `npm:node-${process.platform}-${process.arch}@20.11.1`
const runtimes = { deno: '2.9.5', bun: '1.4.4', workerd: '1.20261104.1', jest: '30.5.2', node: oldNode }

/** Uses web standards only, and gets its settings as an argument. */
const exercise = `
  import { verifyWebhook, Wheelhouse, WheelhouseProblem } from 'wheelhouse-client'
  export async function exercise({ URL, TOKEN, SECRET, WEBHOOK }) {
    const wheelhouse = new Wheelhouse({ url: URL, token: TOKEN })
    const granted = await wheelhouse.grant({ playerId: 'alice', spinNumber: 5 })
    const { link } = await wheelhouse.link({ playerId: 'alice' })
    const { type } = await verifyWebhook(JSON.parse(WEBHOOK), SECRET)
    const forged = await verifyWebhook({ ...JSON.parse(WEBHOOK), body: '{}' }, SECRET).catch(() => 'refused')
    const refused = await wheelhouse.grant({ playerId: 'alice', spinNumber: -1 }).catch((error) => error)
    const code = refused instanceof WheelhouseProblem ? refused.code : String(refused)
    for await (const event of wheelhouse.events({ types: ['spins.granted'] }))
      return { granted, hasLink: link.includes('/spinthewheel/'), type, forged, code, event: event.type }
  }`

const exerciseByRequire = exercise
  .replace(/import (.+) from ('.+')/, 'const $1 = require($2)')
  .replace('export async function exercise', 'exports.exercise = async function')

const outcome = {
  granted: { playerId: 'alice', spinCount: 5, replayed: false },
  hasLink: true,
  type: 'webhook.test',
  forged: 'refused',
  code: 'validation_failed',
  event: 'spins.granted',
}

describe('the packed client', { skip: process.env.RUNTIMES !== 'yes' && 'npm run client:runtimes' }, () => {
  const lifetime = suiteLifetime()
  let made: { project: string; programs: string } | undefined
  const scene = () => (made ??= prepare())

  function prepare() {
    const [project, tools] = [installClient(lifetime), makeFolder(lifetime)]
    const theirs = Object.fromEntries(Object.keys(runtimes).map((name) => [name, true]))
    // Packages that Jest brings; what their scripts would do is not needed.
    const allowScripts = { ...theirs, '@parcel/watcher': false, 'unrs-resolver': false, fsevents: false }
    writeFileSync(
      join(tools, 'package.json'),
      JSON.stringify({ private: true, dependencies: runtimes, allowScripts }),
    )
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: tools,
      stdio: 'inherit',
    })
    writeFileSync(join(project, 'exercise.js'), exercise)
    return { project, programs: join(tools, 'node_modules', '.bin') }
  }

  for (const [name, args] of [
    ['deno', ['run', '--allow-net', '--allow-env', 'program.js']],
    ['bun', ['run', 'program.js']],
  ] as const) {
    test(`works on ${name}`, async (t) => {
      const { project, programs } = scene()
      const program = `import { exercise } from './exercise.js'\nimport process from 'node:process'\n`
      writeFileSync(
        join(project, 'program.js'),
        `${program}console.log(JSON.stringify(await exercise(process.env)))`,
      )
      const env = { ...(await clientSettings(t)), HOME: project, PATH: process.env.PATH }
      const { stdout } = await run(join(programs, name), [...args], { cwd: project, env })
      assert.deepEqual(JSON.parse(stdout), outcome)
    })
  }

  test('works by require on Node 20.11', async (t) => {
    const { project, programs } = scene()
    const program = `require('./exercise.cjs').exercise(process.env).then((made) => console.log(JSON.stringify(made)))`
    writeFileSync(join(project, 'exercise.cjs'), exerciseByRequire)
    writeFileSync(join(project, 'program.cjs'), program)
    const version = await run(join(programs, 'node'), ['--version'])
    assert.equal(version.stdout.trim(), 'v20.11.1')
    const env = await clientSettings(t)
    const { stdout } = await run(join(programs, 'node'), ['program.cjs'], { cwd: project, env })
    assert.deepEqual(JSON.parse(stdout), outcome)
  })

  test('works in Jest with its defaults, on Node 20.11', async (t) => {
    const { project, programs } = scene()
    const folder = join(project, 'shop')
    mkdirSync(folder)
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    writeFileSync(join(folder, 'exercise.js'), exerciseByRequire)
    const jestTest = `
      const { exercise } = require('./exercise.js')
      test('grants', async () => expect(await exercise(process.env)).toEqual(${JSON.stringify(outcome)}))`
    writeFileSync(join(folder, 'shop.test.js'), jestTest)
    const env = { ...(await clientSettings(t)), HOME: project }
    const jest = join(programs, '..', 'jest', 'bin', 'jest.js')
    const { stderr } = await run(join(programs, 'node'), [jest, '--ci'], { cwd: folder, env })
    assert.match(stderr, /Tests: +1 passed, 1 total/)
  })

  test('works on workerd', async (t) => {
    const { project, programs } = scene()
    const worker = `import { exercise } from './exercise.js'\nexport default { fetch: async (_, env) => Response.json(await exercise(env)) }`
    writeFileSync(join(project, 'worker.js'), worker)
    mkdirSync(join(project, 'bundle'))
    await run(join(programs, 'bun'), ['build', 'worker.js', '--outfile', 'bundle/worker.js'], {
      cwd: project,
    })
    writeFileSync(join(project, 'worker.capnp'), workerConfig(await clientSettings(t)))
    const server = spawn(join(programs, 'workerd'), ['serve', 'worker.capnp', '--control-fd=1'], {
      cwd: project,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.after(async () => {
      server.kill()
      await once(server, 'exit')
    })
    const [line] = (await once(server.stdout, 'data')) as [Buffer]
    const { port } = JSON.parse(line.toString().split('\n')[0] ?? '') as { port: number }
    const answer = await fetch(`http://127.0.0.1:${port}`)
    assert.deepEqual(await answer.json(), outcome)
  })
})

function workerConfig(env: Record<string, string>): string {
  const bindings = Object.entries(env).map(
    ([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)})`,
  )
  return `
    using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (
      services = [
        (name = "main", worker = (
          modules = [(name = "worker", esModule = embed "bundle/worker.js")],
          compatibilityDate = "2026-11-01",
          bindings = [${bindings.join(', ')}],
        )),
        (name = "internet", network = (allow = ["local"])),
      ],
      sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
    );`
}
