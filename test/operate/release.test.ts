// `npm run test:release`: the archive of this platform, made as for a release, in an empty Debian without Node, npm and
// network.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { nativePlatform } from '../../scripts/release/native-files.ts'
import { makeDebian } from '../../scripts/image/base-images.ts'
import { readBuild, wheelhouseVersion } from '../../src/version.ts'
import { makeFolder, node, repository, suiteLifetime, until } from '../scenes/scene.ts'
import { runsAll } from '../scenes/selection.ts'

test('a program for another platform is recognised by its first bytes', () => {
  const start = (hex: string) => Buffer.from(hex.padEnd(40, '0'), 'hex')
  assert.equal(nativePlatform(readFileSync(node).subarray(0, 20)), `${process.platform}-${process.arch}`)
  assert.equal(nativePlatform(start('7f454c460201010000000000000000000300b700')), 'linux-arm64')
  assert.equal(nativePlatform(start('cffaedfe0c000001')), 'darwin-arm64')
  assert.equal(nativePlatform(start('cffaedfe07000001')), 'darwin-x64')
  assert.equal(nativePlatform(start('cafebabe00000002')), 'darwin-several')
  assert.equal(nativePlatform(start('4d5a9000')), 'windows')
  assert.equal(nativePlatform(start('cafebabe00000041')), undefined)
  assert.equal(nativePlatform(Buffer.from('#!/bin/sh\nexec true\n')), undefined)
})

describe('an archive in an empty Debian', { skip: reasonToSkip() }, () => {
  const lifetime = suiteLifetime()
  const name = `wheelhouse-${wheelhouseVersion()}-${process.platform}-${process.arch}`
  const user = 1000
  let root: string
  before(() => {
    root = join(makeFolder(lifetime), 'debian')
    mkdirSync(root)
    execFileSync('tar', ['-x', '-C', root, '-f', makeDebian()])
    execFileSync('chroot', [root, 'useradd', '--uid', String(user), 'wheelhouse'])
    const out = makeFolder(lifetime)
    const release = join(repository, 'scripts', 'release', 'main.ts')
    execFileSync(node, [release, `${process.platform}-${process.arch}`, '--to', out], { stdio: 'inherit' })
    const srv = join(root, 'srv')
    for (const file of [`${name}.tar.gz`, `${name}.cdx.json`, 'SHA256SUMS'])
      copyFileSync(join(out, file), join(srv, file))
    execFileSync('chown', [String(user), srv])
  })

  /** Runs a command line in the Debian, as a user without rights and without a network but loopback. */
  function start(command: string, folder = '/srv'): ChildProcess {
    // The unpacked archive can't be written to.
    const setUp = `ip link set lo up
      mount --bind "$0/srv" "$0/srv" && mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev"
      if [ -d "$0/srv/${name}" ]; then
        mount --bind "$0/srv/${name}" "$0/srv/${name}" && mount -o remount,ro,bind "$0/srv/${name}"
      fi
      exec chroot --userspec=${user}:${user} "$0" sh -c "cd ${folder} && ${command}"`
    return spawn('unshare', ['--net', '--mount', 'sh', '-e', '-c', setUp, root], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/srv' },
    })
  }

  async function run(command: string, folder?: string): Promise<string> {
    const child = start(command, folder)
    const output = collect(child)
    await once(child, 'close')
    assert.equal(child.exitCode, 0, output.text)
    return output.text
  }

  /** The server, once it is ready, and how long that took. */
  async function serve(command: string, folder?: string) {
    const started = performance.now()
    const child = start(`exec ${command} serve`, folder)
    lifetime.after(() => child.exitCode === null && child.kill())
    const output = collect(child)
    const inside = (line: string) =>
      execFileSync('nsenter', [`--net=/proc/${child.pid}/ns/net`, 'bash', '-c', line], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
    await until(() => {
      assert.equal(child.exitCode, null, output.text)
      return output.text.includes('Wheelhouse is ready at')
    })
    const stop = async () => {
      child.kill()
      await once(child, 'close')
      assert.equal(child.exitCode, 0, output.text)
    }
    return { inside, stop, output, milliseconds: Math.round(performance.now() - started) }
  }

  test('has neither Node nor npm nor libatomic, and accepts the checksums', async (t) => {
    assert.equal(await run('command -v node npm || true'), '')
    assert.equal(await run('ls /usr/lib/*/libatomic* 2> /dev/null || true'), '')
    assert.match(await run('sha256sum --check SHA256SUMS'), /tar\.gz: OK/)
    await run(`tar -xzf ${name}.tar.gz`)
    t.diagnostic(`${Math.round(statSync(join(root, 'srv', `${name}.tar.gz`)).size / 1e6)} MB`)
    const unpacked = execFileSync('du', ['-sm', join(root, 'srv', name)], { encoding: 'utf8' })
    t.diagnostic(`${Number.parseInt(unpacked, 10)} MB unpacked`)
  })

  test('serves from its own folder, which is read-only, and answers the calls of the README', async (t) => {
    const server = await serve('./wheelhouse', `/srv/${name}`)
    t.diagnostic(`ready after ${server.milliseconds} ms`)
    const [, token] = /^ {2}(demo-\S+:\S+)$/m.exec(server.output.text) ?? []
    const [grant, link] = readmeCalls()
    const call = (line: string | undefined) => JSON.parse(server.inside(`TOKEN=${token}; ${line}`))
    assert.deepEqual(call(grant), { playerId: 'alice', spinCount: 5 })
    assert.match(call(link).link, /^http:\/\/127\.0\.0\.1:8080\/spinthewheel\/\?token=/)
    for (const path of ['/spinthewheel/', '/console/', '/docs', '/docs/install', '/embed/v1.js'])
      assert.equal(
        server.inside(`curl -sL -o /dev/null -w '%{http_code}' 127.0.0.1:8080${path}`),
        '200',
        path,
      )
    await server.stop()
    writeFileSync(join(root, 'srv', 'token'), String(token))
  })

  test('serves the same data from another folder, through a symlink, as a newer archive beside would', async () => {
    assert.ok(existsSync(join(root, 'srv', 'data', 'embedded')))
    await run(`ln -s ${name} current && mkdir bin && ln -s ../current/wheelhouse bin/wheelhouse`)
    const server = await serve('bin/wheelhouse')
    const token = readFileSync(join(root, 'srv', 'token'), 'utf8')
    const [grant = ''] = readmeCalls()
    const call = (line: string) => JSON.parse(server.inside(`TOKEN=${token}; ${line}`))
    assert.deepEqual(call(grant), { playerId: 'alice', spinCount: 5 }, 'the same key as before')
    assert.deepEqual(call(grant.replace('order-4711', 'order-4712')), { playerId: 'alice', spinCount: 10 })
    await server.stop()
  })

  test('knows its version and commit, and lists Node and PostgreSQL in its bill of materials', async () => {
    const { version, commit } = readBuild()
    assert.equal(await run('current/wheelhouse --version'), `${version} (${commit?.slice(0, 12)})\n`)
    const bill = JSON.parse(readFileSync(join(root, 'srv', name, 'sbom.cdx.json'), 'utf8'))
    type Component = { name: string; version?: string; components?: Component[] }
    const all = (components: Component[] = []): Component[] =>
      components.flatMap((one) => [one, ...all(one.components)])
    const versionOf = (part: string) => all(bill.components).find((one) => one.name === part)?.version
    assert.equal(versionOf('node'), process.versions.node)
    assert.equal(versionOf('openssl'), process.versions.openssl)
    assert.match(versionOf('postgresql') ?? '', /^18\.\d+$/)
    assert.ok(versionOf('libatomic1'))
    assert.ok(versionOf('fastify'))
    assert.equal(versionOf('vite'), undefined)
    assert.ok(!existsSync(join(root, 'srv', name, 'node_modules', 'vite')))
  })
})

function reasonToSkip(): string | false {
  if (!runsAll) return 'npm run test:release runs it'
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs root on Linux'
  const missing = ['mmdebstrap', 'unshare', 'nsenter', 'ip', 'curl'].filter(
    (tool) => spawnSync('which', [tool]).status !== 0,
  )
  return missing.length > 0 && `it needs ${missing.join(', ')}`
}

/** The README's commands that give spins and get a link. */
function readmeCalls(): string[] {
  const text = readFileSync(join(repository, 'README.md'), 'utf8')
  const calls = [...text.matchAll(/```sh\n(curl [^]*?)```/g)].map(([, call]) => call as string)
  assert.equal(calls.length, 2)
  return calls
}

function collect(child: ChildProcess): { text: string } {
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output.text += text))
  return output
}
