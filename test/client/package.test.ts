import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { clientSources, makeClientTypes, packagesFolder } from '../../scripts/client-types.ts'
import { clientSettings, installClient, type PackedClient, packClient } from './client-package.ts'
import { node, repository, suiteLifetime } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

const run = promisify(execFile)

const generated = (name: string) => readFileSync(join(packagesFolder, name), 'utf8')

test('the generated parts of the clients are up to date (npm run client:types)', async () => {
  const { documents, texts } = await clientSources()
  for (const [name, { heading }] of Object.entries(documents))
    assert.ok(generated(name).startsWith(heading), `${name} is stale`)
  for (const [name, text] of Object.entries(texts)) assert.equal(generated(name), text, `${name} is stale`)
})

test('the generated parts of the clients are exactly what the generator makes', onLanding, async () => {
  for (const [name, text] of Object.entries(await makeClientTypes()))
    assert.equal(generated(name), text, name)
})

const lifetime = suiteLifetime()
let made: PackedClient | undefined
const packed = () => (made ??= packClient(lifetime))

test('the package contains JavaScript, types, a README and the licence, and is small', onLanding, (t) => {
  const { files, bytes } = packed()
  t.diagnostic(`${bytes} bytes`)
  const others = files.filter((file) => !/^dist\/.+\.(js|mjs|d\.ts|d\.mts)$/.test(file))
  const kinds = ['dist/command-line/package.json', 'dist/package.json']
  assert.deepEqual(others.toSorted(), ['LICENSE', 'README.md', ...kinds, 'package.json'])
  for (const name of ['index.js', 'index.mjs', 'index.d.ts', 'index.d.mts'])
    assert.ok(files.includes(`dist/${name}`), name)
  // Most of it is the types, which grow with the API: visitors and mail took 5,600.
  assert.ok(bytes < 75_000, `${bytes} bytes`)
})

describe('the package, installed into a project', onLanding, () => {
  let installed: string | undefined
  const project = () => (installed ??= installClient(lifetime, packed()))

  const program = `
    import { verifyWebhook, Wheelhouse, WheelhouseProblem } from 'wheelhouse-client'
    const wheelhouse = new Wheelhouse({ url: process.env.URL, token: process.env.TOKEN })
    const granted = await wheelhouse.grant({ playerId: 'alice', spinNumber: 5 })
    const { link } = await wheelhouse.link({ playerId: 'alice' })
    const event = await verifyWebhook(JSON.parse(process.env.WEBHOOK), process.env.SECRET)
    const refused = await wheelhouse.grant({ playerId: 'alice', spinNumber: -1 }).catch((error) => error)
    const code = refused instanceof WheelhouseProblem ? refused.code : String(refused)
    for await (const { type } of wheelhouse.events({ types: ['spins.granted'] })) {
      console.log(JSON.stringify({ granted, link, event, code, type }))
      break
    }`

  for (const [name, command] of [
    ['the Node that comes with Wheelhouse', node],
    ['the Node of this machine', '/usr/bin/node'],
  ] as const) {
    test(`works from plain JavaScript on ${name}`, { skip: !existsSync(command) }, async (t) => {
      writeFileSync(join(project(), 'program.js'), program)
      const env = await clientSettings(t)
      const { stdout } = await run(command, ['program.js'], { cwd: project(), env })
      const printed = JSON.parse(stdout) as Record<string, unknown>
      assert.deepEqual(printed.granted, { playerId: 'alice', spinCount: 5, replayed: false })
      assert.match(String(printed.link), /\/spinthewheel\/\?token=/)
      assert.deepEqual(printed.event, { type: 'webhook.test' })
      assert.equal(printed.code, 'validation_failed')
      assert.equal(printed.type, 'spins.granted')
      const bin = join(project(), 'node_modules', '.bin', 'wheelhouse-client')
      const shown = await run(command, [bin, 'player', 'alice', '--json'], {
        env: { WHEELHOUSE_URL: env.URL, WHEELHOUSE_TOKEN: env.TOKEN },
      })
      assert.equal((JSON.parse(shown.stdout) as { spinCount: number }).spinCount, 5)
    })
  }

  const required = `
    const { verifyWebhook, Wheelhouse, WheelhouseProblem } = require('wheelhouse-client')
    async function main({ URL, TOKEN, SECRET, WEBHOOK }) {
      const wheelhouse = new Wheelhouse({ url: URL, token: TOKEN })
      const granted = await wheelhouse.grant({ playerId: 'bob', spinNumber: 5 })
      const event = await verifyWebhook(JSON.parse(WEBHOOK), SECRET)
      const refused = await wheelhouse.grant({ playerId: 'bob', spinNumber: -1 }).catch((error) => error)
      const imported = await import('wheelhouse-client')
      const isOne = [WheelhouseProblem, imported.WheelhouseProblem].every((one) => refused instanceof one)
      console.log(JSON.stringify({ granted, event, code: refused.code, isOne }))
    }
    main(process.env)`

  for (const [name, command, ...options] of [
    ['the Node that comes with Wheelhouse, which may not require ES modules', node, '--no-require-module'],
    ['the Node of this machine', '/usr/bin/node'],
  ] as const) {
    test(`works by require on ${name}`, { skip: !existsSync(command) }, async (t) => {
      writeFileSync(join(project(), 'program.cjs'), required)
      const env = await clientSettings(t)
      const { stdout } = await run(command, [...options, 'program.cjs'], { cwd: project(), env })
      assert.deepEqual(JSON.parse(stdout), {
        granted: { playerId: 'bob', spinCount: 5, replayed: false },
        event: { type: 'webhook.test' },
        code: 'validation_failed',
        isOne: true,
      })
    })
  }

  const typed = `
    import { type RefusalCode, verifyWebhook, Wheelhouse, WheelhouseProblem } from 'wheelhouse-client'
    const wheelhouse = new Wheelhouse({ url: 'https://wheel.example', token: 'demo-1:00' })
    const event = await verifyWebhook({ headers: new Headers(), body: '' }, 'whsec_AAAA')
    if (event.type === 'prize.won') {
      const code: string | undefined = event.data.code
      const before: string | null = event.data.claimBefore
      void [code, before]
      // @ts-expect-error A prize has no amount.
      void event.data.amount
    }
    for await (const { data } of wheelhouse.events({ types: ['spins.granted'] })) data.amount.toFixed()
    const prize = await wheelhouse.prizes.redeem('0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a70')
    if (prize.state === 'redeemed') prize.settledAt?.slice(0, 10)
    // @ts-expect-error There is no such state.
    if (prize.state === 'lost') void 0
    const page = await wheelhouse.request('GET', '/api/v1/wheels')
    page.wheels.map(({ wheel }) => wheel.length)
    // @ts-expect-error There is no such path.
    await wheelhouse.request('GET', '/api/v1/whels')
    // @ts-expect-error The path does not take this method.
    await wheelhouse.request('DELETE', '/api/v1/wheels')
    // @ts-expect-error The key is optional, the number of spins is not.
    await wheelhouse.grant({ playerId: 'alice' })
    const codeOf = (error: unknown): RefusalCode | undefined =>
      error instanceof WheelhouseProblem ? error.code : undefined
    // @ts-expect-error There is no such code.
    if (codeOf(1) === 'player_lost') void 0
    export const isKnown = codeOf(1) === 'player_not_found'`

  // CommonJS has no top-level await.
  const [imports, ...statements] = typed.split(/(?<=from 'wheelhouse-client'\n)/)
  const typedForCommonJs = `${imports}export async function main() {${statements.join('').replaceAll('export ', '')}\nvoid isKnown }`

  const ours = join(repository, 'node_modules', '.bin', 'tsc')
  const older = join(repository, 'test/openapi-tools', 'node_modules', '.bin', 'tsc')
  for (const [name, command, module, resolution, file] of [
    ['our TypeScript', ours, 'nodenext', 'nodenext', 'program.ts'],
    ['our TypeScript, for a bundler', ours, 'esnext', 'bundler', 'program.ts'],
    ['our TypeScript, node16 in a CommonJS file', ours, 'node16', 'node16', 'program.cts'],
    ['an older TypeScript', older, 'nodenext', 'nodenext', 'program.ts'],
    ['an older TypeScript, commonjs as of old', older, 'commonjs', 'node10', 'program.cts'],
  ] as const) {
    test(`type-checks with ${name}`, () => {
      writeFileSync(join(project(), file), file === 'program.cts' ? typedForCommonJs : typed)
      const options = `--noEmit --strict --target es2022 --module ${module} --moduleResolution ${resolution}`
      const lib = ['--skipDefaultLibCheck', '--lib', 'es2022,dom,dom.iterable', file]
      const checked = spawnSync(command, [...options.split(' '), ...lib], {
        cwd: project(),
        encoding: 'utf8',
      })
      assert.equal(checked.status, 0, checked.stdout + checked.stderr)
    })
  }
})
