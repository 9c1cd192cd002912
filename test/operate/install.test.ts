// `npm ci` installs its own Node. On a machine that lacks one of its libraries, the user learns which package to
// install.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Lifetime, makeFolder, node, repository } from '../scenes/scene.ts'

/** The message of the loaders of Debian and Fedora. */
const withoutLibatomic =
  'node: error while loading shared libraries: libatomic.so.1: cannot open shared object file: No such file or directory'
const linuxOnly = { skip: process.platform === 'linux' ? false : 'the loader of Linux' }

for (const way of ['npm install script', 'bin/wheelhouse'] as const) {
  test(
    `${way}: a Node that can't start without libatomic is reported with the package to install`,
    linuxOnly,
    (t) => {
      const { status, stderr } = run(way, makeCheckout(t, withoutLibatomic))
      assert.equal(status, 1)
      assert.ok(stderr.includes(withoutLibatomic))
      assert.match(
        stderr,
        / {2}Debian, Ubuntu: +apt-get install libatomic1\n {2}Fedora, RHEL: +dnf install libatomic\n$/,
      )
    },
  )

  test(
    `${way}: a Node that can't start for another reason is reported with its own error message`,
    linuxOnly,
    (t) => {
      const { status, stderr } = run(way, makeCheckout(t, 'Exec format error'))
      assert.equal(status, 1)
      assert.match(stderr, /^wheelhouse: Node 26, .* can't start on this machine:\n {2}Exec format error\n$/)
    },
  )
}

/** A checkout whose Node prints this message and fails. */
function makeCheckout(t: Lifetime, words: string): string {
  const checkout = makeFolder(t)
  for (const folder of ['bin', 'scripts'])
    cpSync(join(repository, folder), join(checkout, folder), { recursive: true })
  const bin = join(checkout, 'node_modules', `node-linux-${process.arch}`, 'bin')
  mkdirSync(bin, { recursive: true })
  mkdirSync(join(checkout, 'node_modules', '.bin'))
  writeFileSync(join(bin, 'node'), `#!/bin/sh\necho '${words}' >&2\nexit 127\n`)
  chmodSync(join(bin, 'node'), 0o755)
  return checkout
}

function run(way: 'npm install script' | 'bin/wheelhouse', checkout: string) {
  const modules = join(checkout, 'node_modules')
  if (way === 'bin/wheelhouse') {
    symlinkSync(join('..', `node-linux-${process.arch}`, 'bin', 'node'), join(modules, '.bin', 'node'))
    return spawnSync(join(checkout, 'bin', 'wheelhouse'), ['--help'], { encoding: 'utf8' })
  }
  const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
  // As npm runs it: the new Node may already be first in the path.
  const env = {
    PATH: `${join(modules, `node-linux-${process.arch}`, 'bin')}:${process.env.PATH}`,
    npm_node_execpath: node,
  }
  return spawnSync('sh', ['-c', scripts.postinstall], { cwd: checkout, env, encoding: 'utf8' })
}
