import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { generatedFolder, makeClientTypes } from '../scripts/client-types.ts'
import { clientSettings, installClient, packClient } from './client-package.ts'
import { node, repository, suiteLifetime } from './scene.ts'

const run = promisify(execFile)

test('the generated types of the client are up to date (npm run client:types)', async () => {
  for (const [name, text] of Object.entries(await makeClientTypes()))
    assert.equal(readFileSync(join(generatedFolder, name), 'utf8'), text, `${name} is stale`)
})

test('the package contains JavaScript, types, a README and the licence, and is small', (t) => {
  const { files, bytes } = packClient(t)
  t.diagnostic(`${bytes} bytes`)
  const others = files.filter((file) => !/^dist\/.+\.(js|d\.ts)$/.test(file))
  assert.deepEqual(others.toSorted(), ['LICENSE', 'README.md', 'package.json'])
  assert.ok(files.includes('dist/index.js') && files.includes('dist/index.d.ts'))
  assert.ok(bytes < 58_000, `${bytes} bytes`)
})

describe('the package, installed into a project', () => {
  const lifetime = suiteLifetime()
  let installed: string | undefined
  const project = () => (installed ??= installClient(lifetime))

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

  const ours = join(repository, 'node_modules', '.bin', 'tsc')
  const older = join(repository, 'test', 'generators', 'node_modules', '.bin', 'tsc')
  for (const [name, command, resolution] of [
    ['our TypeScript', ours, 'nodenext'],
    ['our TypeScript, for a bundler', ours, 'bundler'],
    ['an older TypeScript', older, 'nodenext'],
  ] as const) {
    test(`type-checks with ${name}`, () => {
      writeFileSync(join(project(), 'program.ts'), typed)
      const module = resolution === 'bundler' ? 'esnext' : 'nodenext'
      const options = `--noEmit --strict --target es2022 --module ${module} --moduleResolution ${resolution}`
      const lib = ['--skipDefaultLibCheck', '--lib', 'es2022,dom,dom.iterable', 'program.ts']
      const checked = spawnSync(command, [...options.split(' '), ...lib], {
        cwd: project(),
        encoding: 'utf8',
      })
      assert.equal(checked.status, 0, checked.stdout + checked.stderr)
    })
  }
})
