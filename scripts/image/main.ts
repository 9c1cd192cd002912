// `npm run test:image`: builds both images without a registry of images, and uses them as an operator would: run,
// grant, stop, run again, check the balance. Prints the sizes of the images. Needs root, Buildah, mmdebstrap and runc.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Postgres } from '../../faults/postgres.ts'
import { freePort } from '../../faults/servers.ts'
import { makeBaseImages } from './base-images.ts'
import { Buildah } from './buildah.ts'
import { Container } from './container.ts'

const repository = join(import.meta.dirname, '..', '..')
const startMsMax = 120_000

explainMissingTools()
const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-image-'))
const buildah = new Buildah(folder)
const containers: Container[] = []
try {
  const bases = makeBaseImages(buildah)
  for (const target of ['external', 'wheelhouse']) build(target, bases)
  checkFiles('wheelhouse')
  await useEmbedded()
  await useExternal()
  for (const image of ['external', 'wheelhouse'])
    console.log(
      `image ${image}: ${buildah.megabytes(image)} MB (base ${buildah.megabytes(bases.runBase)} MB)`,
    )
} finally {
  for (const container of containers) container.kill()
  buildah.close()
  rmSync(folder, { recursive: true, force: true })
}

function explainMissingTools(): void {
  const missing = ['buildah', 'mmdebstrap', 'runc'].filter(
    (tool) => spawnSync(tool, ['--version']).error !== undefined,
  )
  const isRoot = process.getuid?.() === 0
  if (missing.length === 0 && isRoot) return
  if (!isRoot) console.error('test:image must be run as root, because it makes file systems and containers.')
  if (missing.length > 0)
    console.error(
      `test:image needs ${missing.join(', ')}. Debian, Ubuntu: apt-get install ${missing.join(' ')}`,
    )
  process.exit(1)
}

function build(target: string, { buildBase, runBase }: { buildBase: string; runBase: string }): void {
  const npm = (name: string) => execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim()
  const started = performance.now()
  const args = {
    BUILD_BASE: buildBase,
    RUN_BASE: runBase,
    NPM_CONFIG_REGISTRY: npm('registry'),
  }
  const flags = [
    '--isolation=chroot',
    '--format=docker',
    '--pull-never',
    '--layers',
    '--quiet',
    // Packages that this machine already has are not fetched again.
    `--volume=${npm('cache')}:/root/.npm`,
    `--file=${join(repository, 'Containerfile')}`,
    `--target=${target}`,
    `--tag=${target}`,
    ...Object.entries(args).map(([name, value]) => `--build-arg=${name}=${value}`),
  ]
  buildah.show('build', ...flags, repository)
  console.log(`built ${target} in ${Math.round((performance.now() - started) / 1000)} s`)
}

function checkFiles(image: string): void {
  const app = join(buildah.mount(image), 'app')
  const { components } = JSON.parse(readFileSync(join(app, 'sbom.cdx.json'), 'utf8')) as {
    components: { name: string }[]
  }
  const names = components.map(({ name }) => name)
  assert.ok(names.includes('fastify') && !names.includes('vite'), 'the bill of materials lists production')
  assert.ok(!existsSync(join(app, 'node_modules', 'vite')), 'the bundler is not in the image')
  console.log(`${names.length} packages in the bill of materials`)
}

/** The data outlives the container. */
async function useEmbedded(): Promise<void> {
  const data = join(folder, 'data')
  const { uid, gid } = buildah.config('wheelhouse')
  mkdirSync(data, { mode: 0o700 })
  chownSync(data, uid, gid)
  const first = await start('wheelhouse', { data })
  const token = demoToken(first.container)
  assert.deepEqual(await grant(first.url, token), { playerId: 'alice', spinCount: 5 })
  assert.equal(first.container.exec('id', '-u'), String(uid))
  assert.throws(() => first.container.exec('touch', '/app/file'), /Read-only file system/)
  console.log(`stopped after ${await first.container.stop()} ms`)
  const second = await start('wheelhouse', { data })
  const listed = JSON.parse(
    second.container.exec('wheelhouse', 'token', 'list', 'demo', '--json'),
  ) as object[]
  assert.equal(listed.length, 1)
  // The same idempotency key: the second container answers from the first one's ledger.
  assert.deepEqual(await grant(second.url, token), { playerId: 'alice', spinCount: 5 })
  await second.container.stop()
}

async function useExternal(): Promise<void> {
  const alone = run('external', { settings: {} })
  assert.equal(await alone.exited(), 1)
  assert.match(alone.output, /no embedded PostgreSQL.*set DATABASE_URL/)
  const postgres = await Postgres.start()
  try {
    const { container, url } = await start('external', {
      settings: { DATABASE_URL: postgres.url, DEMO: 'on' },
    })
    assert.deepEqual(await grant(url, demoToken(container)), { playerId: 'alice', spinCount: 5 })
    await container.stop()
  } finally {
    await postgres.remove()
  }
}

type Choices = { data?: string; settings?: Record<string, string> }

function run(target: string, { data, settings }: Choices): Container {
  const container = new Container(folder, {
    image: buildah.config(target),
    root: buildah.mount(target),
    data,
    settings: { HOST: '127.0.0.1', METRICS_ADDRESS: 'off', ...settings },
  })
  containers.push(container)
  return container
}

/** Starts a container and waits until its own health check succeeds. */
async function start(target: string, choices: Choices): Promise<{ container: Container; url: string }> {
  const port = await freePort()
  const started = performance.now()
  const container = run(target, { ...choices, settings: { ...choices.settings, PORT: String(port) } })
  const { healthCheck } = buildah.config(target)
  for (;;) {
    const isListening = container.output.includes('Wheelhouse is ready')
    if (isListening && container.exec(...healthCheck) === 'ready') break
    assert.ok(performance.now() - started < startMsMax, `${target} did not start:\n${container.output}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  console.log(`${target}: ready after ${Math.round(performance.now() - started)} ms`)
  return { container, url: `http://127.0.0.1:${port}` }
}

function demoToken({ output }: Container): string {
  const [, token] = /shown only once\.\n\n {2}(\S+)/.exec(output) ?? []
  assert.ok(token !== undefined, output)
  return token
}

async function grant(url: string, token: string): Promise<unknown> {
  const response = await fetch(`${url}/api/player/increaseSpin`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: token, 'Idempotency-Key': 'order-1' },
    body: JSON.stringify({ playerId: 'alice', spinNumber: 5 }),
  })
  return response.json()
}
