import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findPython, pythonPackaging } from '../../../scripts/languages.ts'
import { type Lifetime, makeFolder, makeMerchant, makeServer, repository } from '../../scenes/scene.ts'
import { onLanding } from '../../scenes/selection.ts'
import { type Language, php, python, skipWithout, startDriver } from './driver.ts'

const packages = join(repository, 'packages')
const read = (...path: string[]) => readFileSync(join(packages, ...path), 'utf8')

test('all clients have one version', () => {
  const { version } = JSON.parse(read('client', 'package.json')) as { version: string }
  assert.equal((JSON.parse(read('client-php', 'composer.json')) as { version: string }).version, version)
  assert.equal(/^version = "(.+)"$/m.exec(read('client-python', 'pyproject.toml'))?.[1], version)
})

const noPackaging = skipWithout('python-packaging')
test(
  'the Python client, built and installed by pip without an index, grants spins',
  noPackaging === false ? onLanding : { ...onLanding, skip: noPackaging },
  async (t) => {
    const folder = copied(t, 'client-python')
    const system = findPython(pythonPackaging) ?? 'python3'
    const run = (command: string, ...args: string[]) =>
      execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
    // With setuptools of the machine: pip would get its own from an index.
    run(system, '-m', 'venv', '--system-site-packages', 'venv')
    const command = join(folder, 'venv', 'bin', 'python')
    run(command, '-c', "from setuptools import build_meta; build_meta.build_sdist('dist')")
    const [archive = ''] = globSync('dist/*.tar.gz', { cwd: folder })
    const offline = ['--no-index', '--no-build-isolation', '--no-deps']
    run(command, '-m', 'pip', 'install', '--quiet', ...offline, archive)
    const about = run(command, '-m', 'pip', 'show', '--files', 'wheelhouse-client')
    for (const name of ['py.typed', '_client.py', 'LICENSE'])
      assert.match(about, new RegExp(`/${name}$`, 'm'))
    await grantOnce(t, { ...python, command, env: {} })
  },
)

const hasComposer = spawnSync('composer', ['--version']).status === 0
for (const [name, load, skip] of [
  ['unpacked beside a program', unpack, php.skip],
  ['installed by Composer', installByComposer, hasComposer ? php.skip : 'composer is not installed'],
] as const)
  test(
    `the PHP client, ${name}, grants spins`,
    skip === false ? onLanding : { ...onLanding, skip },
    async (t) => {
      await grantOnce(t, { ...php, env: { AUTOLOAD: load(t) } })
    },
  )

function unpack(t: Lifetime): string {
  return join(copied(t, 'client-php'), 'autoload.php')
}

/** From the archive that Composer makes. */
function installByComposer(t: Lifetime): string {
  const source = copied(t, 'client-php')
  const shop = makeFolder(t)
  const packed = join(shop, 'packed')
  mkdirSync(packed)
  const env = {
    ...process.env,
    COMPOSER_HOME: join(shop, 'home'),
    COMPOSER_ALLOW_SUPERUSER: '1',
    COMPOSER_DISABLE_NETWORK: '1',
    COMPOSER_MIRROR_PATH_REPOS: '1',
  }
  const composer = (cwd: string, ...args: string[]) =>
    execFileSync('composer', ['--no-interaction', '--quiet', ...args], { cwd, env, stdio: 'pipe' })
  composer(source, 'validate', '--no-check-publish')
  composer(source, 'archive', '--format=tar', `--dir=${shop}`)
  execFileSync('tar', ['-xf', globSync(join(shop, '*.tar'))[0] ?? '', '-C', packed])
  composer(shop, 'init', '--name=shop/shop')
  composer(shop, 'config', 'repositories.wheelhouse', 'path', packed)
  composer(shop, 'config', 'repositories.packagist.org', 'false')
  composer(shop, 'require', 'wheelhouse/client')
  return join(shop, 'vendor', 'autoload.php')
}

function copied(t: Lifetime, name: string): string {
  const folder = makeFolder(t)
  cpSync(join(packages, name), folder, { recursive: true })
  return folder
}

async function grantOnce(t: Lifetime, language: Language): Promise<void> {
  const server = await makeServer(t)
  const { token } = await makeMerchant(server.ctx.db)
  const { call } = startDriver(t, language)
  await call('connect', { url: server.url, token, attemptSeconds: 60, deadlineSeconds: 120 })
  const granted = await call('grant', { playerId: 'alice', spinNumber: 5 })
  assert.deepEqual(granted, { playerId: 'alice', spinCount: 5, replayed: false })
}
